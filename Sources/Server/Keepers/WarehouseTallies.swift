/// Default questions of a warehouse, counted by a process of their own, once for each state of it.
public struct WarehouseTallies: Sendable {
  /// With credentials: only the process is told.
  private let address: String
  private let settled: @Sendable () throws -> Int64?

  /// - Parameter settled: the warehouse's state by a small request; nil while something is on its way.
  public init(address: String, settled: @escaping @Sendable () throws -> Int64?) {
    (self.address, self.settled) = (address, settled)
  }

  /// - Parameter counted: the state that tallies hold for, as far as this service knows.
  func refresh(_ runner: ChoreRunner, _ counted: inout Int64?, _ isOver: () -> Bool) throws {
    guard let state = try settled(), state != counted else { return }
    let chore = SummaryChore(database: address)
    if try runner.result(of: chore, isOver: isOver).value.isWhole { counted = state }
  }
}
