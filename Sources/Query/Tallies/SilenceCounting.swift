import Lifecycle
import Store

/// What is asked about silences after one release on one channel, the same for every shard.
final class SilenceCounting: Counting {
  let selection: Selection
  let target: Int64
  /// nil where no device named it.
  var channel: Int64? { part.channel }
  /// One before the publication, which says what is usual; some since; and the newest.
  let cutOffs: [Timestamp]
  /// Those that came after the target.
  let newer: [Int64]
  private var shards: Range<Int>
  var isSample: Bool { shards.count < Need.allShards.count }
  private let part: ChannelPart

  /// - Parameters:
  ///   - chosen: on one channel.
  ///   - shards: how many are looked at.
  init(_ vocabulary: Vocabulary, _ chosen: ReleaseScope, _ channel: String, _ cutOffs: [Timestamp], shards: Int) {
    (selection, target, self.cutOffs, self.shards) = (chosen.selection, chosen.target.id, cutOffs, 0..<shards)
    newer = chosen.timeline.newer(than: chosen.target.id, channel: channel, platform: nil).sorted()
    part = ChannelPart(vocabulary, chosen.selection, channel)
  }

  var need: Need {
    let columns = JourneyColumns(Takings.milestones)
    var need = Need(
      app: selection.app, selection.population,
      journeys: Dictionary(uniqueKeysWithValues: ([target] + newer).map { ($0, columns) }),
      devices: part.needs.union(.runs))
    need.shards = shards
    return need
  }
  var start: SilenceTally { SilenceTally(self) }

  /// A scan of its own where it asks for more than it may cost, whichever channel the app's devices are on: where few took the release,
  /// fewer are looked at.
  func stored(_ snapshot: borrowing Snapshot) throws -> SilenceTally? {
    guard shards.count > 1 else { return nil }
    let part = try AppSize.shards(selection, snapshot)
    guard part.count < shards.count else { return nil }
    shards = part
    return sum(try snapshot.count(need) { start })
  }

  func sum(stored: SilenceTally, of wider: SilenceCounting) -> SilenceTally? { stored }

  /// However many are looked at: devices that only check are found to have updated once times are counted between the checks, and
  /// then fewer would do.
  func covers(_ other: SilenceCounting) -> Bool {
    (target, channel, cutOffs) == (other.target, other.channel, other.cutOffs) && selection == other.selection
  }

  func includes(_ index: Int, _ page: borrowing ShardPage, at cutOff: Timestamp) -> Bool {
    part.includes(index, page, at: Self.dayBefore(cutOff))
  }

  /// Who took the release by then is held against who did not.
  static func dayBefore(_ cutOff: Timestamp) -> Timestamp { cutOff - .days(1) }

  /// Whether a device that took it then is one of those that are asked about; nil where it took it long before.
  static func isTaken(at first: Int64?, _ cutOff: Timestamp) -> Bool? {
    let dayBefore = dayBefore(cutOff)
    guard let first, first <= dayBefore.rawValue else { return false }
    return first > (dayBefore - ContactHabit.recent).rawValue ? true : nil
  }
}
