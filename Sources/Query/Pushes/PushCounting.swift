import Lifecycle
import Store

/// Sorts the pushes of device after device into the groups asked for.
struct PushCounting {
  private(set) var groups: [Labels: PushTally]
  private let vocabulary: Vocabulary
  private let extent: Extent
  private let options: Push.Options
  private let cutOff: Timestamp
  private let labels: [Int64: ReleaseLabel]

  init(_ vocabulary: Vocabulary, _ extent: Extent, _ options: Push.Options, until cutOff: Timestamp) {
    self.vocabulary = vocabulary
    self.extent = extent
    self.options = options
    self.cutOff = cutOff
    labels = Dictionary(uniqueKeysWithValues: vocabulary.releases.map { ($0.id, $0.label) })
    groups = options.by.isEmpty ? [Labels(): PushTally()] : [:]
  }

  mutating func add(_ device: WakeDevice) {
    if device.isEmulator, !extent.includesEmulators { return }
    guard device.facts.contains(where: { $0.stage == .pushSent || $0.trigger == .silentPush }) else { return }
    let wakeUps = WakeUp.wakeUps(device.facts, of: .silentPush)
    let match = PushMatch(device.facts, wakeUps) { push in
      [labels[push.release]?.rawValue ?? "", vocabulary.name(push.channel), vocabulary.name(push.platform)]
    }
    let refreshes = device.facts.filter { $0.trigger == .bgRefresh }.map(\.at)
    let outcomes = match.outcomes(device.journeys, until: cutOff)
    var judged: [Labels: [JudgedPush]] = [:]
    for (push, outcome) in zip(match.pushes, outcomes) where includes(push, device) {
      let state = push.state(device, horizon: options.horizon, until: cutOff)
      let refresh = refreshes.firstPlace { $0 > push.sent }
      let ran = refresh < refreshes.count && refreshes[refresh] <= push.sent + options.horizon
      judged[group(push, device), default: []].append(
        JudgedPush(
          push: push, state: state, isMature: push.isMature(options.horizon, until: cutOff), outcome: outcome,
          ranAfterwards: state == .lost && ran))
    }
    for (labels, pushes) in judged { groups[labels, default: PushTally()].add(pushes, until: cutOff) }
    addOrphans(match, device)
  }

  private func includes(_ push: SentPush, _ device: WakeDevice) -> Bool {
    extent.includes(push.sent)
      && extent.includes(channel: vocabulary.name(push.channel), platform: platform(push, device))
      && (extent.release.map { labels[push.release] == $0 } ?? true)
  }

  private func platform(_ push: SentPush, _ device: WakeDevice) -> String? {
    device.platform(said: push.platform == 0 ? nil : vocabulary.name(push.platform))
  }

  private mutating func addOrphans(_ match: PushMatch, _ device: WakeDevice) {
    guard extent.release == nil else { return }
    for orphan in match.orphans {
      let channel = vocabulary.name(orphan.channel)
      guard extent.includes(orphan.at), extent.includes(channel: channel, platform: device.platform()) else { continue }
      let group = group(channel: channel, platform: device.platform(), release: nil, orphan.at, device)
      groups[group, default: PushTally()].orphans += 1
    }
  }

  private func group(_ push: SentPush, _ device: WakeDevice) -> Labels {
    options.by.isEmpty
      ? Labels()
      : group(
        channel: vocabulary.name(push.channel), platform: platform(push, device), release: labels[push.release],
        push.sent, device)
  }

  private func group(
    channel: String, platform: String?, release: ReleaseLabel?, _ at: Timestamp, _ device: WakeDevice
  ) -> Labels {
    var parts: [String: String] = [:]
    for grouping in options.by {
      let part: String? =
        switch grouping {
        case .channel: channel
        case .platform: platform
        case .release: release?.rawValue
        case .appVersion: device.profiles?.property(\.appVersion, at: at)
        }
      parts[grouping.rawValue] = part ?? Group.unnamed
    }
    return Labels(parts)
  }
}
