import Lifecycle
import Store

extension FunnelCounting {
  /// What is asked, the same for every shard; a class, so that nobody copies all that it holds.
  final class Question {
    let names: GroupNames
    let chosen: Chosen
    let options: Funnel.Options
    let cutOff: Timestamp
    let target: Int64
    private let splitsMechanisms: Bool
    private let splitsVersions: Bool

    init(_ vocabulary: Vocabulary, _ chosen: Chosen, _ options: Funnel.Options, until cutOff: Timestamp) {
      (self.chosen, self.options, self.cutOff) = (chosen, options, cutOff)
      names = GroupNames(vocabulary)
      target = chosen.target.id
      splitsMechanisms = chosen.selection.by.contains(.mechanism)
      splitsVersions = chosen.selection.by.contains(.appVersion)
    }
  }
}

extension FunnelCounting.Question {
  /// What is read of the release and of all that count as newer somewhere.
  var milestones: [Int64: [Milestone]] {
    var milestones: [Int64: [Milestone]] = [:]
    for channel in chosen.timeline.channels {
      for platform in names.profiles.platforms {
        for release in chosen.timeline.newer(than: target, channel: channel, platform: platform) {
          milestones[release] = FunnelColumns.newer
        }
      }
    }
    milestones[target] = FunnelColumns.own
    return milestones
  }

  /// The releases that count as newer in a place; nil where the place is not asked for.
  func place(_ place: Group) -> Set<Int64>? {
    guard chosen.selection.includes(place) else { return nil }
    return chosen.timeline.newer(than: target, channel: place.channel ?? "", platform: place.platform)
  }

  func leavesOut(_ device: Int, _ devices: PageDevices) -> Bool {
    !chosen.selection.includesEmulators && devices.isEmulator(device)
  }

  func key(
    _ journey: JourneyView, _ found: FunnelJourney, _ device: Int, _ platform: Int, _ devices: PageDevices
  ) -> GroupKey {
    var key = GroupKey(channel: journey.channel, platform: platform)
    if splitsMechanisms { key.kind = Int64(journey.carrier.code) }
    if splitsVersions, let begun = found.reached(0) { key.version = devices.version(device, at: begun) }
    return key
  }

  func labels(_ key: GroupKey) -> Labels {
    let mechanism = Trigger(code: UInt8(key.kind)) ?? .unknown
    return names.labels(key, by: chosen.selection.by, kind: mechanism.rawValue)
  }
}

extension JourneyView {
  /// The mechanism that delivered the release; where none has yet, the trigger that brought it furthest.
  fileprivate var carrier: Trigger {
    let order: [Milestone] = [.ready, .verified, .downloadCompleted, .applied, .downloadStarted, .available]
    return order.lazy.map(first).first(where: \.happened)?.trigger ?? .unknown
  }
}
