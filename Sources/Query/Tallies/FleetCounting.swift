import Lifecycle
import Store

/// What a diagnosis asks of all devices, the same for every shard.
final class FleetCounting: Counting {
  /// The newest release of a channel, for the platforms that it was published to.
  struct Target {
    var release: Int64
    var channel: String
    var label: String
    /// When it came to a platform, by the number of it; nil where it did not.
    var publishedAt: [Timestamp?]
    var start: Timeline.Start
    var eligibility: Eligibility
    /// It, and what counts as newer.
    var current: Set<Int64>
    /// Those that a device goes back to.
    var older: Set<Int64>
    /// Of these, from the store: a device that is known to have run others before the release, and never one, has not gone back to it.
    var builds: Set<Int64>
  }

  /// Devices that were heard of within so long are looked at.
  static let active = Milliseconds.days(7)
  /// Devices that are known for so long should have refreshed.
  static let settled = Milliseconds.days(3)
  /// So long a device may take to update.
  static let patience = Milliseconds.hours(72)
  /// And for so long it must have been heard of since it could.
  static let heard = Milliseconds.hours(24)

  /// Who was heard of in so many of the last hours is held against who was in the same hours a day before.
  static let hours = Milliseconds.hours(4)

  let extent: FleetScope
  let names: GroupNames
  let end: CutOff
  let targets: [Target]
  let systems, clients: DeviceColumn
  private let slices: DeviceSlices
  private let shards: Range<Int>
  /// Events were received on days after the present: what they say lies ahead of it on clocks that are right.
  let isPast: Bool
  var cutOff: Timestamp { end.at }

  /// - Parameter shards: that are looked at.
  init(_ vocabulary: Vocabulary, _ extent: FleetScope, shards: Range<Int> = Need.allShards) {
    (self.extent, self.shards) = (extent, shards)
    names = GroupNames(vocabulary)
    end = CutOff(vocabulary, app: extent.app, now: extent.now)
    let today = extent.now.seconds / 86_400
    isPast = vocabulary.lags.contains { $0.app == extent.app && $0.day > today }
    slices = DeviceSlices(names.profiles, by: [], only: extent.only)
    (systems, clients) = (names.profiles.column(.osVersion), names.profiles.column(.sdkVersion))
    let (timeline, names) = (Timeline(vocabulary, app: extent.app), names)
    let looked = LookedChannels(vocabulary, timeline, about: extent.release).channels
    let channels = extent.channels.isEmpty ? looked : Set(extent.channels).sorted()
    targets = channels.compactMap { Self.target($0, timeline, extent, names) }
  }

  private static func target(
    _ channel: String, _ timeline: Timeline, _ extent: FleetScope, _ names: GroupNames
  ) -> Target? {
    let named = extent.release.flatMap(timeline.record)
    guard let record = named ?? timeline.newest(on: channel, at: extent.now),
      let start = timeline.start(record.id, channel: channel, platform: nil)
    else { return nil }
    let platforms = names.profiles.platforms
    let older = timeline.older(than: record.id, channel: channel)
    return Target(
      release: record.id, channel: channel, label: record.label.rawValue,
      publishedAt: platforms.map { timeline.start(record.id, channel: channel, platform: $0)?.publishedAt },
      start: start,
      eligibility: Eligibility(start),
      current: timeline.newer(than: record.id, channel: channel, platform: nil).union([record.id]),
      older: older, builds: older.intersection(timeline.storeBuilds))
  }

  /// - Parameter channel: where the device is, or was.
  func includes(_ page: borrowing ShardPage, _ index: Int, _ channel: Int64) -> Bool {
    extent.includes(
      channel: names.vocabulary.name(channel),
      platform: names.profiles.platforms[Int(page.platforms[index])])
      && slices.number(page.devices, index, at: cutOff.rawValue) >= 0
  }

  var need: Need {
    let columns = JourneyColumns([.downloadStarted, .downloadCompleted, .verified, .ready, .applied, .rolledBack])
    var need = Need(
      app: extent.app, extent.population,
      journeys: Dictionary(targets.map { ($0.release, columns) }) { first, _ in first },
      devices: .buckets, wakes: .init(from: extent.earliestFact, until: cutOff))
    need.shards = shards
    return need
  }
  var start: FleetTally { FleetTally(self) }
}
