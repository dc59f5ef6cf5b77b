import Lifecycle
import Store

/// What is asked about devices that took one release on one channel, the same for every shard.
final class AftermathCounting: Counting {
  let selection: Selection
  let target: Int64
  /// nil where no device named it.
  let channel: Int64?
  let cutOff: Timestamp
  /// Whether anybody can have been silent for long enough.
  let asksSilence: Bool
  /// In which first crashes are counted.
  let days: LateDays
  /// Who took the release by then is held against who did not.
  var dayBefore: Timestamp { cutOff - .days(1) }
  /// Those that came after the target.
  let newer: [Int64]
  private var shards: Range<Int>
  var isSample: Bool { shards.count < Need.allShards.count }
  private let slices: DeviceSlices
  /// By the number of a platform.
  private let platforms: [Bool]

  /// - Parameters:
  ///   - chosen: on one channel.
  ///   - shards: how many are looked at.
  init(
    _ vocabulary: Vocabulary, _ chosen: ReleaseScope, _ channel: String, _ cutOff: Timestamp, _ days: LateDays,
    asksSilence: Bool, shards: Int
  ) {
    let profiles = ProfileTable(vocabulary)
    (self.days, self.asksSilence) = (days, asksSilence)
    (selection, target, self.cutOff, self.shards) = (chosen.selection, chosen.target.id, cutOff, 0..<shards)
    newer = chosen.timeline.newer(than: chosen.target.id, channel: channel, platform: nil).sorted()
    self.channel = vocabulary.names.first { $0.value == channel }?.key
    slices = DeviceSlices(profiles, by: [], only: chosen.selection.only)
    platforms = profiles.platforms.map { chosen.selection.includes(Group(channel: channel, platform: $0)) }
  }

  var need: Need {
    let columns = JourneyColumns(Takings.milestones)
    var need = Need(
      app: selection.app, selection.population,
      journeys: Dictionary(uniqueKeysWithValues: newer.map { ($0, columns) }),
      devices: asksSilence ? slices.needs.union(.runs) : slices.needs)
    need.journeys[target] = columns.union(JourneyColumns([.crashed]))
    need.shards = shards
    return need
  }
  var start: AftermathTally { AftermathTally(self) }

  /// A scan of its own where it asks for more than it may cost, whichever channel the app's devices are on: where few took the release,
  /// fewer are looked at.
  func stored(_ snapshot: borrowing Snapshot) throws -> AftermathTally? {
    guard shards.count > 1 else { return nil }
    let part = try AppSize.shards(selection, snapshot)
    guard part.count < shards.count else { return nil }
    shards = part
    return sum(try snapshot.count(need) { start })
  }

  func sum(stored: AftermathTally, of wider: AftermathCounting) -> AftermathTally? { stored }

  /// However many are looked at: devices that only check are found to have updated once times are counted between the checks, and
  /// then fewer would do.
  func covers(_ other: AftermathCounting) -> Bool {
    (target, channel, cutOff) == (other.target, other.channel, other.cutOff) && selection == other.selection
      && days == other.days && (asksSilence || !other.asksSilence)
  }

  func includes(_ index: Int, _ page: borrowing ShardPage) -> Bool {
    page.devices.channels[index] == channel && platforms[Int(page.platforms[index])]
      && (selection.includesEmulators || !page.emulators[index])
      && slices.number(page.devices, index, at: dayBefore.rawValue) >= 0
  }

  /// Whether a device that took it then is one of those that are asked about; nil where it took it long before.
  func isTaken(at first: Int64?) -> Bool? {
    guard let first, first <= dayBefore.rawValue else { return false }
    return first > (dayBefore - ContactHabit.recent).rawValue ? true : nil
  }
}
