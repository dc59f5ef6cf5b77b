internal import Answers
internal import Console
internal import Glibc
internal import Locks
internal import Query
internal import Warehouse

private extension Option {
  static let wait = Option(
    "wait", .duration, help: "How long to wait for shipping that is under way; default 1m")
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
    while try !summaries.refresh() {
      guard ContinuousClock.now < end else {
        throw Failure(
          "warehouse_busy",
          "events are on their way to \(client.address.description), or came within the last 20 seconds",
          why: "what is counted now would hold for nothing",
          hints: ["try again when shipping is idle, or with --wait 10m"], exit: .failed)
      }
      usleep(500_000)
    }
    try invocation.note(["default questions of \(client.address.description) are counted"])
    return .done
  }
}

/// Has default questions counted, once for each state of a warehouse.
final class WarehouseSummaries: Sendable {
  private let address: String
  private let client: WarehouseClient
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
