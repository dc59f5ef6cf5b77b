import Lifecycle
import Store

/// What is asked, the same for every shard; a class, so that nobody copies all that it holds.
final class StageCounting {
  let names: GroupNames
  let chosen: ReleaseScope
  let options: Funnel.Options
  let end: CutOff
  var cutOff: Timestamp { end.at }
  let target: Int64
  /// The releases that count as newer there, by channel and by the number of a platform, in order: found once, not shard by shard.
  private let newer: [String: [[Int64]]]
  private let splitsMechanisms: Bool
  private let splits: SliceSplits
  /// Nothing but channel and platform.
  var splitsSegmentsOnly: Bool { chosen.selection.by.allSatisfy { $0 == .channel || $0 == .platform } }

  init(
    _ vocabulary: Vocabulary, _ chosen: ReleaseScope, _ options: Funnel.Options = Funnel.Options(),
    cutOff fixed: CutOff? = nil
  ) {
    (self.chosen, self.options) = (chosen, options)
    end = fixed ?? CutOff(vocabulary, app: chosen.selection.app, now: chosen.selection.now)
    names = GroupNames(vocabulary)
    let (timeline, target, platforms) = (chosen.timeline, chosen.target.id, names.profiles.platforms)
    self.target = target
    let channels = timeline.channels(of: target)
    newer = Dictionary(
      uniqueKeysWithValues: channels.map { channel in
        (channel, platforms.map { timeline.newer(than: target, channel: channel, platform: $0).sorted() }.sharingEqual)
      })
    splitsMechanisms = chosen.selection.by.contains(.mechanism)
    splits = SliceSplits(chosen.selection.by, only: chosen.selection.only, names.profiles)
  }
}

extension StageCounting {
  /// Of the release its stages, and when devices had any that counts as newer somewhere.
  var need: Need {
    var journeys: [Int64: JourneyColumns] = [:]
    for release in newer.values.joined().joined() { journeys[release] = JourneyColumns(FunnelColumns.newer) }
    journeys[target] = JourneyColumns(FunnelColumns.own)
    return Need(app: chosen.selection.app, chosen.selection.population, journeys: journeys, devices: splits.needs)
  }

  /// Which of some releases count as newer on a segment; nil where the segment is not asked for.
  func areNewer(_ releases: [Int64], channel: String, platform: Int) -> [Bool]? {
    let segment = Group(channel: channel, platform: names.profiles.platforms[platform])
    guard chosen.selection.includes(segment) else { return nil }
    let newer = newer[channel]?[platform] ?? []
    return releases.map(newer.includes)
  }

  func isNewer(_ release: Int64, somewhereOn channel: String) -> Bool {
    newer[channel]?.contains { $0.includes(release) } ?? false
  }

  func leavesOut(_ device: Int, _ page: borrowing ShardPage) -> Bool {
    !chosen.selection.includesEmulators && page.emulators[device]
  }

  /// nil for a device that is left out.
  func key(
    _ channel: Int64, _ carrier: @autoclosure () -> Trigger, _ found: FunnelJourney, _ device: Int,
    _ page: borrowing ShardPage
  ) -> GroupKey? {
    var key = GroupKey(channel: channel, platform: Int(page.platforms[device]))
    if splitsMechanisms { key.kind = Int64(carrier().code) }
    return splits.fill(&key, at: found.reached(0) ?? cutOff, device, page) ? key : nil
  }

  /// Whether a device is asked for, as of the end of the data.
  func includes(_ device: Int, _ page: borrowing ShardPage) -> Bool {
    splits.includes(device, page, at: cutOff)
  }

  func labels(_ key: GroupKey) -> Labels {
    let mechanism = Trigger(code: UInt8(key.kind)) ?? .unknown
    return names.labels(key, by: chosen.selection.by, splits.slices, kind: mechanism.rawValue)
  }
}

extension [[Int64]] {
  /// Equal ones lie in memory once: each of thousands of releases has a list of all that came after it.
  fileprivate var sharingEqual: Self { map { list in first { $0 == list } ?? list } }
}

extension [Int64] {
  /// Of numbers in ascending order.
  fileprivate func includes(_ number: Int64) -> Bool {
    let place = firstPlace { $0 >= number }
    return place < count && self[place] == number
  }
}
