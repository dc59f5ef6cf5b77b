import Lifecycle
import Store

/// What is asked about late crashes in one release on one channel, and late rollbacks from it, the same for every shard.
final class LateHarmCounting: Counting {
  let selection: Selection
  let target: Int64
  let days: LateDays
  /// When the rollout was lowered, in order. What that does to devices, as taking a release back from them, does not speak against the
  /// release.
  let lowered: [Int64]
  /// Those that came after the target.
  let newer: [Int64]
  /// By their numbers.
  let platforms: [String?]
  private let part: ChannelPart
  private var shards = Need.allShards
  var isSample: Bool { shards.count < Need.allShards.count }

  /// - Parameter chosen: on one channel.
  init(
    _ vocabulary: Vocabulary, _ chosen: ReleaseScope, _ channel: String, _ days: LateDays, lowered: [Timestamp]
  ) {
    (selection, target, self.days) = (chosen.selection, chosen.target.id, days)
    self.lowered = lowered.map(\.rawValue).sorted()
    newer = chosen.timeline.newer(than: chosen.target.id, channel: channel, platform: nil).sorted()
    platforms = ProfileTable(vocabulary).platforms
    part = ChannelPart(vocabulary, chosen.selection, channel)
  }

  var channel: Int64? { part.channel }
  func includes(_ index: Int, _ page: borrowing ShardPage) -> Bool { part.includes(index, page, at: selection.now) }

  var need: Need {
    let columns = JourneyColumns(LateHarmTally.launches)
    var need = Need(
      app: selection.app, selection.population,
      journeys: Dictionary(uniqueKeysWithValues: newer.map { ($0, columns) }), devices: part.needs)
    need.journeys[target] = columns.union(JourneyColumns([.crashed, .rolledBack]))
    need.shards = shards
    return need
  }
  var start: LateHarmTally { LateHarmTally(self) }

  /// Of many devices those of some shards, as many whoever took the release: else a part of those that crashed would be looked at no more as
  /// others take it.
  func stored(_ snapshot: borrowing Snapshot) throws -> LateHarmTally? {
    let part = try AppSize.shards(selection, snapshot)
    guard part.count < shards.count else { return nil }
    shards = part
    return sum(try snapshot.count(need) { start })
  }

  func sum(stored: LateHarmTally, of wider: LateHarmCounting) -> LateHarmTally? { stored }

  func covers(_ other: LateHarmCounting) -> Bool {
    (target, channel, days, lowered) == (other.target, other.channel, other.days, other.lowered)
      && selection == other.selection
  }
}
