import Lifecycle
import Store

/// Sorts the wake-ups of device after device into the groups asked for.
struct WakeCounting {
  private(set) var groups: [Labels: WakeTally]
  private let vocabulary: Vocabulary
  private let extent: Extent
  private let options: WakeUps.Options
  private let cutOff: Timestamp

  init(_ vocabulary: Vocabulary, _ extent: Extent, _ options: WakeUps.Options, until cutOff: Timestamp) {
    self.vocabulary = vocabulary
    self.extent = extent
    self.options = options
    self.cutOff = cutOff
    groups = options.by.isEmpty ? [Labels(): WakeTally()] : [:]
  }

  mutating func add(_ device: WakeDevice) {
    if device.isEmulator, !extent.includesEmulators { return }
    let platform = device.platform()
    var found: [Labels: (wakeUps: [WakeUp], intervals: [Milliseconds])] = [:]
    var refreshedAt: Timestamp?
    for wakeUp in WakeUp.wakeUps(device.facts) {
      let before = refreshedAt
      if wakeUp.trigger == .bgRefresh { refreshedAt = wakeUp.start }
      // What has just begun may still be running.
      guard extent.includes(wakeUp.start), cutOff - wakeUp.start >= WakeUp.longest,
        extent.includes(channel: vocabulary.name(wakeUp.channel), platform: platform)
      else { continue }
      let group = group(wakeUp.trigger, wakeUp.channel, platform, wakeUp.start, device)
      found[group, default: ([], [])].wakeUps.append(wakeUp)
      if wakeUp.trigger == .bgRefresh, let before {
        found[group, default: ([], [])].intervals.append(wakeUp.start - before)
      }
    }
    for (group, own) in found { groups[group, default: WakeTally()].add(own.wakeUps, own.intervals) }
    addPushHours(device)
  }

  private mutating func addPushHours(_ device: WakeDevice) {
    var hours: [Labels: [Int64: Int]] = [:]
    for fact in device.facts where fact.stage == .pushSent && fact.outcome != .rejected && extent.includes(fact.at) {
      let platform = device.platform(said: fact.platform == 0 ? nil : vocabulary.name(fact.platform))
      guard extent.includes(channel: vocabulary.name(fact.channel), platform: platform) else { continue }
      hours[group(.silentPush, fact.channel, platform, fact.at, device), default: [:]][
        fact.at.seconds / 3600, default: 0] += 1
    }
    for (group, counts) in hours {
      for count in counts.values { groups[group, default: WakeTally()].pushHours[count, default: 0] += 1 }
    }
  }

  private func group(
    _ trigger: Trigger, _ channel: Int64, _ platform: String?, _ at: Timestamp, _ device: WakeDevice
  ) -> Labels {
    var parts: [String: String] = [:]
    for grouping in options.by {
      let part: String? =
        switch grouping {
        case .trigger: trigger.rawValue
        case .channel: vocabulary.name(channel)
        case .platform: platform
        case .appVersion: device.profiles?.property(\.appVersion, at: at)
        }
      parts[grouping.rawValue] = part ?? Group.unnamed
    }
    return Labels(parts)
  }
}
