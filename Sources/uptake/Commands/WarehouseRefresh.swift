internal import Answers
internal import Console
internal import Glibc
internal import Locks
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
      While nothing is shipped, releases, adoption and time-to-update without other options are then answered from what was counted: \
      in a few small requests, to the same byte. Anything that changes makes the tallies void, and questions read the devices \
      again. uptake serve --ship does this by itself when it is idle. Needs a user who may insert.
      """,
    options: [.database, .wait],
    examples: [
      .init("After shipping at night", "uptake warehouse refresh --db clickhouse://uptake@127.0.0.1:8123/uptake")
    ],
    exits: [.databaseUnusable], seeAlso: ["ship", "warehouse status"]
  ) { invocation in
    let client = try invocation.warehouse(.database)
    let summaries = WarehouseSummaries(try invocation.text(needed: .database), client)
    let patience = invocation.duration(.wait)?.rawValue ?? 60_000
    let end = ContinuousClock.now + .milliseconds(patience)
    while let problem = try summaries.obstacle() {
      guard ContinuousClock.now < end else { throw problem }
      usleep(500_000)
    }
    try invocation.note(["default questions of \(client.address.description) are counted"])
    return .done
  }
}

private extension WarehouseSummaries {
  /// Has default questions counted; answers what stands against it that may be gone in a while.
  func obstacle() throws -> (any Error)? {
    do {
      return try refresh() ? nil : busy
    } catch let error as StoreError where error.mayCatchUp {
      return error
    }
  }

  private var busy: Failure {
    Failure(
      "warehouse_busy", "events are on their way to \(client.address.description), or came within the last 20 seconds",
      why: "what is counted now would hold for nothing",
      hints: ["try again when shipping is idle, or with --wait 10m"], exit: .failed)
  }
}

private extension StoreError {
  /// Whether replicas lack what others have.
  var mayCatchUp: Bool {
    guard case .remote(let problem) = kind else { return false }
    return problem.code == "warehouse_behind"
  }
}

/// Has default questions counted, once for each state of a warehouse.
final class WarehouseSummaries: Sendable {
  private let address: String
  fileprivate let client: WarehouseClient
  private let done = Lock<Int64?>(nil)

  init(_ address: String, _ client: WarehouseClient) { (self.address, self.client) = (address, client) }

  /// Answers whether they are counted: not while something is on its way.
  @discardableResult
  func refresh() throws -> Bool {
    guard let state = try WarehouseDatabase.settledState(client) else { return false }
    if done.withLock({ $0 == state }) { return true }
    guard try Summary.refresh(path: address) else { return false }
    done.withLock { $0 = state }
    return true
  }
}
