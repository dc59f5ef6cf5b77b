internal import Answers
internal import Console
internal import Glibc
internal import Query
internal import Store
internal import Warehouse

private extension Option {
  static let wait = Option(
    "wait", .duration,
    help: "How long to wait for shipping that is under way, and for replicas that lack some of it; default 1m")
}

extension Command {
  static let warehouseRefresh = Command(
    "refresh", purpose: "Count default questions once and keep the tallies in the warehouse",
    discussion: """
      While nothing is shipped, releases, adoption, time-to-update, failures, funnel, mechanisms, push and wakeups \
      without other options are then answered from what was counted: in a few small requests, to the same byte. Anything \
      that changes makes the tallies void, and questions read the devices again. uptake serve --ship does this by itself \
      when it is idle. Needs a user who may insert.
      """,
    options: [.database, .wait],
    examples: [
      .init("After shipping at night", "uptake warehouse refresh --db clickhouse://uptake@127.0.0.1:8123/uptake")
    ],
    exits: [.databaseUnusable], seeAlso: ["ship", "warehouse status"]
  ) { invocation in
    let client = try invocation.warehouse(.database)
    let address = try invocation.text(needed: .database)
    let patience = invocation.duration(.wait)?.rawValue ?? 60_000
    let end = ContinuousClock.now + .milliseconds(patience)
    while let problem = try obstacle(address, client) {
      guard ContinuousClock.now < end else { throw problem }
      usleep(500_000)
    }
    try invocation.note(["default questions of \(client.address.description) are counted"])
    return .done
  }
}

/// Has default questions counted; answers what stands against it that may be gone in a while.
private func obstacle(_ address: String, _ client: WarehouseClient) throws -> (any Error)? {
  do {
    let isSettled = try WarehouseDatabase.settledState(client) != nil
    return try isSettled && Summary.refresh(path: address) ? nil : busy(client)
  } catch let error as StoreError where error.mayCatchUp {
    return error
  }
}

private func busy(_ client: WarehouseClient) -> Failure {
  Failure(
    "warehouse_busy", "events are on their way to \(client.address.description), or came within the last 20 seconds",
    why: "what is counted now would hold for nothing",
    hints: ["try again when shipping is idle, or with --wait 10m"], exit: .failed)
}

private extension StoreError {
  /// Whether replicas lack what others have.
  var mayCatchUp: Bool {
    guard case .remote(let problem) = kind else { return false }
    return problem.code == "warehouse_behind"
  }
}
