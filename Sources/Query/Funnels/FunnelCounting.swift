import Lifecycle
import Statistics
import Store

extension Cause {
  /// Of a step of the funnel.
  static let nextStage: Cause = 1
  static let failure: Cause = 2
  static let movedOn: Cause = 3
}

/// What is counted of one group's journeys.
struct FunnelTally {
  static let count = FunnelJourney.stages.count
  var devices = 0
  var reached = [Int](repeating: 0, count: count)
  var seen = [Int](repeating: 0, count: count)
  /// Per stage: devices that entered it long enough ago, and those of them that got to the next.
  var entered = [Int](repeating: 0, count: count)
  var passed = [Int](repeating: 0, count: count)
  var recovered = [Int](repeating: 0, count: count)
  var latency = [LifeTable.Builder](repeating: LifeTable.Builder(), count: count)

  mutating func add(_ journey: FunnelJourney, maturity: Milliseconds, until cutOff: Timestamp) {
    devices += 1
    for stage in 0..<Self.count {
      guard let entry = journey.reached(stage) else { break }
      reached[stage] += 1
      if journey.saw(stage) { seen[stage] += 1 }
      guard stage + 1 < Self.count else { break }
      if cutOff - entry >= maturity {
        entered[stage] += 1
        if journey.reached(stage + 1) != nil { passed[stage] += 1 }
      }
      if let step = journey.step(after: stage) { addLatency(step, stage, until: cutOff) }
    }
  }

  private mutating func addLatency(
    _ step: (entry: Timestamp, end: Timestamp?, ending: FunnelJourney.Ending?, recovered: Bool), _ stage: Int,
    until cutOff: Timestamp
  ) {
    if step.recovered { recovered[stage] += 1 }
    let ending: Ending =
      switch step.ending {
      case .next: .event(.nextStage)
      case .failed: .event(.failure)
      case .newerRelease: .event(.movedOn)
      case nil: .censored(.cutOff)
      }
    let interval = Interval(from: step.entry, to: step.end ?? cutOff, origin: step.entry, ending: ending)
    latency[stage].add(entry: interval.entry, exit: interval.exit, ending: ending)
  }
}

/// Sorts the journeys of device after device into the groups asked for.
struct FunnelCounting {
  private(set) var groups: [Labels: FunnelTally]
  /// The release and all that count as newer somewhere.
  let releases: Set<Int64>
  private var anyConfirmed = false
  private var newerByPlace: [Group: Set<Int64>] = [:]
  private let vocabulary: Vocabulary
  private let chosen: Chosen
  private let options: Funnel.Options
  private let cutOff: Timestamp

  init(_ vocabulary: Vocabulary, _ chosen: Chosen, _ options: Funnel.Options, until cutOff: Timestamp) {
    self.vocabulary = vocabulary
    self.chosen = chosen
    self.options = options
    self.cutOff = cutOff
    let platforms: [String?] = [nil] + Set(vocabulary.profiles.values.map(\.platform))
    releases = chosen.timeline.channels.reduce(into: [chosen.target.id]) { found, channel in
      for platform in platforms {
        found.formUnion(chosen.timeline.newer(than: chosen.target.id, channel: channel, platform: platform))
      }
    }
    groups = chosen.selection.by.isEmpty ? [Labels(): FunnelTally()] : [:]
  }

  /// Without `confirmed` where no device of the whole answer reported it.
  var stages: [Milestone] { anyConfirmed ? FunnelJourney.stages : FunnelJourney.stages.dropLast() }

  mutating func add(_ view: DeviceView) {
    if view.history.isEmulator, !chosen.selection.includesEmulators { return }
    let platform = view.history.platform
    for journey in view.journeys where journey.release == chosen.target.id {
      let channel = vocabulary.name(journey.channel)
      guard chosen.selection.includes(Group(channel: channel, platform: platform)) else { continue }
      let newer = newer(Group(channel: channel, platform: platform))
      let later = view.journeys.filter { newer.contains($0.release) && $0.channel == journey.channel }
      guard let found = FunnelJourney(journey, newer: later, until: cutOff) else { continue }
      if found.isConfirmed { anyConfirmed = true }
      let group = group(channel, platform, journey, found, view)
      groups[group, default: FunnelTally()].add(found, maturity: options.maturity, until: cutOff)
    }
  }

  private mutating func newer(_ place: Group) -> Set<Int64> {
    if let known = newerByPlace[place] { return known }
    let newer = chosen.timeline.newer(
      than: chosen.target.id, channel: place.channel ?? "", platform: place.platform)
    newerByPlace[place] = newer
    return newer
  }

  private func group(
    _ channel: String, _ platform: String?, _ journey: JourneyView, _ found: FunnelJourney, _ view: DeviceView
  ) -> Labels {
    var parts: [String: String] = [:]
    for grouping in chosen.selection.by {
      let part: String? =
        switch grouping {
        case .channel: channel
        case .platform: platform
        case .mechanism: journey.carrier.rawValue
        case .appVersion: found.reached(0).flatMap { view.history.property(\.appVersion, at: $0) }
        }
      parts[grouping.rawValue] = part ?? Group.unnamed
    }
    return Labels(parts)
  }
}

extension JourneyView {
  /// The mechanism that delivered the release; where none has yet, the trigger that brought it furthest.
  fileprivate var carrier: Trigger {
    let order: [Milestone] = [.ready, .verified, .downloadCompleted, .applied, .downloadStarted, .available]
    return order.lazy.map(first).first(where: \.happened)?.trigger ?? .unknown
  }
}
