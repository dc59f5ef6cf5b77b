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
    target = chosen.target.id
    splitsMechanisms = chosen.selection.by.contains(.mechanism)
    splits = SliceSplits(chosen.selection.by, only: chosen.selection.only, names.profiles)
  }
}

extension StageCounting {
  /// Of the release its stages, and when devices had any that counts as newer somewhere.
  var need: Need {
    var journeys: [Int64: JourneyColumns] = [:]
    for channel in chosen.timeline.channels {
      for platform in names.profiles.platforms {
        for release in chosen.timeline.newer(than: target, channel: channel, platform: platform) {
          journeys[release] = JourneyColumns(FunnelColumns.newer)
        }
      }
    }
    journeys[target] = JourneyColumns(FunnelColumns.own)
    return Need(app: chosen.selection.app, chosen.selection.population, journeys: journeys, devices: splits.needs)
  }

  /// The releases that count as newer on a segment; nil where the segment is not asked for.
  func newer(_ segment: Group) -> Set<Int64>? {
    guard chosen.selection.includes(segment) else { return nil }
    return chosen.timeline.newer(than: target, channel: segment.channel ?? "", platform: segment.platform)
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
