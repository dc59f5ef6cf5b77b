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
  /// By channel; found once, not shard by shard.
  private let newer: [String: NewerThere]
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
    newer = Dictionary(
      uniqueKeysWithValues: timeline.channels(of: target).map { channel in
        (channel, NewerThere(than: target, timeline, channel: channel, platforms))
      })
    splitsMechanisms = chosen.selection.by.contains(.mechanism)
    splits = SliceSplits(chosen.selection.by, only: chosen.selection.only, names.profiles)
  }
}

extension StageCounting {
  /// Of the release its stages, and when devices had any that counts as newer somewhere.
  var need: Need {
    var journeys: [Int64: JourneyColumns] = [:]
    for release in newer.values.map(\.somewhere).joined() { journeys[release] = JourneyColumns(FunnelColumns.newer) }
    journeys[target] = JourneyColumns(FunnelColumns.own)
    return Need(app: chosen.selection.app, chosen.selection.population, journeys: journeys, devices: splits.needs)
  }

  /// nil where the release never came there.
  func newer(on channel: String) -> NewerThere? { newer[channel] }

  /// Whether a channel and platform, by its number, are asked for.
  func asksFor(_ channel: String, platform: Int) -> Bool {
    chosen.selection.includes(Group(channel: channel, platform: names.profiles.platforms[platform]))
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
