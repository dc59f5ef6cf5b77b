import Store

/// Two releases with the devices that came after their publications, and without: of the same devices.
///
/// No summary keeps it, so of an app with many devices a random part is gone through.
final class SettledCounting: Counting {
  struct Counted: Tally {
    var all: RiskTally
    var settled: RiskTally

    mutating func count(_ page: borrowing ShardPage) throws {
      try all.count(page)
      try settled.count(page)
    }

    mutating func add(_ other: Self, times: Int) {
      all.add(other.all, times: times)
      settled.add(other.settled, times: times)
    }
  }

  struct Sum {
    var all: RiskCounting.Sum
    var settled: RiskCounting.Sum
    /// Whether a random part of the devices was looked at.
    var isSample: Bool
  }

  private let all: RiskCounting
  private let settled: RiskCounting
  private let most: Int
  private var shards = Need.allShards

  private init(all: RiskCounting, settled: RiskCounting, most: Int) {
    (self.all, self.settled, self.most) = (all, settled, most)
  }

  /// - Parameter most: of the app's devices so many are gone through.
  convenience init(
    _ vocabulary: Vocabulary, _ chosen: ReleaseScope, _ targets: [ReleaseRecord], pairs: Set<ReleasePair>,
    most: Int = AppSize.affordable
  ) {
    var scope = chosen
    scope.selection.leavesOutNewcomers = true
    self.init(
      all: RiskCounting(vocabulary, chosen, targets),
      settled: RiskCounting(vocabulary, scope, targets, pairs: pairs), most: most)
  }

  var need: Need {
    var need = settled.need
    need.shards = shards
    return need
  }

  var start: Counted { Counted(all: all.start, settled: settled.start) }

  func sum(_ tally: Counted) -> Sum {
    Sum(
      all: all.sum(tally.all), settled: settled.sum(tally.settled), isSample: shards.count < Need.allShards.count)
  }

  /// A scan of its own where it asks for more than it may cost.
  func stored(_ snapshot: borrowing Snapshot) throws -> Sum? {
    let part = try AppSize.shards(holding: most, all.selection, snapshot)
    guard part.count < shards.count else { return nil }
    shards = part
    return sum(try snapshot.count(need) { start })
  }

  func sum(stored: Sum, of wider: SettledCounting) -> Sum? { covers(wider) ? stored : nil }

  func covers(_ other: SettledCounting) -> Bool { all.covers(other.all) && settled.covers(other.settled) }

  func union(_ other: SettledCounting) -> SettledCounting? {
    guard let all = all.union(other.all), let settled = settled.union(other.settled) else { return nil }
    return SettledCounting(all: all, settled: settled, most: most)
  }
}
