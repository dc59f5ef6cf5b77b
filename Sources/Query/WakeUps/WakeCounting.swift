import Lifecycle
import Store

/// Sorts the wake-ups of device after device into the groups asked for.
struct WakeCounting {
  private var places: [Labels: Int] = [:]
  private var tallies: [WakeTally] = []
  private let vocabulary: Vocabulary
  private let extent: Extent
  private let options: WakeUps.Options
  private let cutOff: Timestamp

  init(_ vocabulary: Vocabulary, _ extent: Extent, _ options: WakeUps.Options, until cutOff: Timestamp) {
    self.vocabulary = vocabulary
    self.extent = extent
    self.options = options
    self.cutOff = cutOff
    if options.by.isEmpty { _ = place(of: Labels()) }
  }

  var groups: [(key: Labels, value: WakeTally)] { places.map { (key: $0.key, value: tallies[$0.value]) } }

  private mutating func place(of group: Labels) -> Int {
    if let known = places[group] { return known }
    places[group] = tallies.count
    tallies.append(WakeTally())
    return tallies.count - 1
  }

  /// The wake-ups of one device in one group.
  private struct Share {
    var place: Int
    var trigger: Trigger
    var channel: Int64
    var wakeUps: [WakeUp] = []
    var intervals: [Milliseconds] = []
  }

  mutating func add(_ device: WakeDevice) {
    if device.isEmulator, !extent.includesEmulators { return }
    let platform = device.platform()
    var shares: [Share] = []
    var refreshedAt: Timestamp?
    for wakeUp in WakeUp.wakeUps(device.facts) {
      let before = refreshedAt
      if wakeUp.trigger == .bgRefresh { refreshedAt = wakeUp.start }
      // What has just begun may still be running.
      guard extent.includes(wakeUp.start), cutOff - wakeUp.start >= WakeUp.longest,
        let index = share(of: wakeUp, platform, device, &shares)
      else { continue }
      shares[index].wakeUps.append(wakeUp)
      if wakeUp.trigger == .bgRefresh, let before { shares[index].intervals.append(wakeUp.start - before) }
    }
    for share in Self.united(shares) { tallies[share.place].add(share.wakeUps, share.intervals) }
    addPushHours(device)
  }

  /// nil where the wake-up is not asked for. A device has few shares: they are searched one by one.
  private mutating func share(
    of wakeUp: WakeUp, _ platform: String?, _ device: WakeDevice, _ shares: inout [Share]
  ) -> Int? {
    let isSteady = !options.by.contains(.appVersion)
    if isSteady,
      let known = shares.firstIndex(where: { $0.trigger == wakeUp.trigger && $0.channel == wakeUp.channel })
    {
      return known
    }
    guard extent.includes(channel: vocabulary.name(wakeUp.channel), platform: platform) else { return nil }
    let place = place(of: group(wakeUp.trigger, wakeUp.channel, platform, wakeUp.start, device))
    if !isSteady, let known = shares.firstIndex(where: { $0.place == place }) { return known }
    shares.append(Share(place: place, trigger: wakeUp.trigger, channel: wakeUp.channel))
    return shares.count - 1
  }

  /// One share for each group, since limits rest on counting a device once.
  private static func united(_ shares: [Share]) -> [Share] {
    shares.reduce(into: []) { united, share in
      if let known = united.firstIndex(where: { $0.place == share.place }) {
        united[known].wakeUps += share.wakeUps
        united[known].intervals += share.intervals
      } else {
        united.append(share)
      }
    }
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
      let place = place(of: group)
      for count in counts.values { tallies[place].pushHours[count, default: 0] += 1 }
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
