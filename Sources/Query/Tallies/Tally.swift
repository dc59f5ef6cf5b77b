import Store

/// What is counted in one scan. Each core counts into its own; they add up in any order, and the sum does not depend on
/// which device came to which.
protocol Tally {
  mutating func count(_ page: borrowing ShardPage) throws
  mutating func add(_ other: Self)
}

extension Snapshot {
  /// What all devices together say.
  ///
  /// - Parameter start: a tally of nothing.
  func count<Counted: Tally>(_ need: Need, start: () -> Counted) throws -> Counted {
    let tallies = try scan(need, start: start) { tally, page in try tally.count(page) }
    return tallies.reduce(into: start()) { $0.add($1) }
  }
}
