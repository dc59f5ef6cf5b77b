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
struct StageCounts: Countable {
  static let count = FunnelJourney.stages.count
  var devices = 0
  var reached = [Int](repeating: 0, count: count)
  var seen = [Int](repeating: 0, count: count)
  /// Per stage: devices that entered it long enough ago, and those of them that got to the next.
  var entered = [Int](repeating: 0, count: count)
  var passed = [Int](repeating: 0, count: count)
  var recovered = [Int](repeating: 0, count: count)
  var latency = [LifeTable.Builder](repeating: LifeTable.Builder(), count: count)

  /// - Parameter cutOff: nil: all entries are old enough, and of steps that nothing ended no time is counted.
  mutating func add(_ journey: FunnelJourney, maturity: Milliseconds, until cutOff: Timestamp?) {
    devices += 1
    for stage in 0..<Self.count {
      guard let entry = journey.reached(stage) else { break }
      reached[stage] += 1
      if journey.saw(stage) { seen[stage] += 1 }
      guard stage + 1 < Self.count else { break }
      if cutOff.map({ $0 - entry >= maturity }) ?? true {
        entered[stage] += 1
        if journey.reached(stage + 1) != nil { passed[stage] += 1 }
      }
      if let step = journey.step(after: stage) { addLatency(step, stage, until: cutOff) }
    }
  }

  private mutating func addLatency(
    _ step: (entry: Timestamp, end: Timestamp?, ending: FunnelJourney.Ending?, recovered: Bool), _ stage: Int,
    until cutOff: Timestamp?
  ) {
    guard let end = step.end ?? cutOff else { return }
    if step.recovered { recovered[stage] += 1 }
    let ending: Ending =
      switch step.ending {
      case .next: .event(.nextStage)
      case .failed: .event(.failure)
      case .newerRelease: .event(.movedOn)
      case nil: .censored(.cutOff)
      }
    let interval = Interval(from: step.entry, to: end, origin: step.entry, ending: ending)
    latency[stage].add(entry: interval.entry, exit: interval.exit, ending: ending)
  }

  var isEmpty: Bool { devices == 0 }

  mutating func add(_ other: Self, times: Int) {
    devices += times * other.devices
    for stage in 0..<Self.count {
      reached[stage] += times * other.reached[stage]
      seen[stage] += times * other.seen[stage]
      entered[stage] += times * other.entered[stage]
      passed[stage] += times * other.passed[stage]
      recovered[stage] += times * other.recovered[stage]
      latency[stage].add(other.latency[stage], times: times)
    }
  }
}

/// Sorts the journeys of shard after shard into the groups asked for.
struct StageTally: GroupTally {
  var newest: NewestContact
  var counts = GroupCounts { StageCounts() }
  private let question: StageCounting

  /// Without `confirmed` where no device of the whole answer reported it.
  var stages: [Milestone] {
    let anyConfirmed = counts.list.contains { $0.seen[StageCounts.count - 1] > 0 }
    return anyConfirmed ? FunnelJourney.stages : FunnelJourney.stages.dropLast()
  }

  init(_ question: StageCounting) {
    self.question = question
    newest = NewestContact(until: question.cutOff)
    if question.chosen.selection.by.isEmpty { _ = counts.index(of: Labels()) }
  }

  mutating func count(_ page: borrowing ShardPage) throws {
    try newest.note(page)
    for journeys in page.journeys where journeys.release == question.target { count(journeys, page) }
  }

  private mutating func count(_ journeys: Snapshot.Journeys, _ page: borrowing ShardPage) {
    var join = SortedJoin(page.devices.devices)
    let (columns, cutOff) = (FunnelColumns(journeys.shard), question.cutOff.rawValue)
    var later = question.later(journeys, page)
    for (journey, hash) in journeys.shard.devices.enumerated() {
      guard let device = join.index(of: hash), !question.leavesOut(device, page),
        let newerAt = later.first(hash, platform: Int(page.platforms[device]))
      else { continue }
      guard let found = FunnelJourney(columns, journey, newerAt: newerAt, until: cutOff) else { continue }
      let key = question.key(journeys.channel, columns.carrier(journey, until: cutOff), found, device, page)
      guard let key, let group = counts.index(of: key, { question.labels(key) }) else { continue }
      counts.list[group].add(found, maturity: question.options.maturity, until: question.cutOff)
    }
  }
}

/// When the devices of a shard first had a release that counts as newer where they are.
struct LaterReleases {
  fileprivate var journeys: [NewerJourneys]
  /// By the number of a platform which of the journeys are on a newer release there; nil where it is not asked for.
  fileprivate let newer: [[Bool]?]
  fileprivate let cutOff: Int64

  /// `.max` for never, nil where the platform is not asked for. Devices must be asked for in ascending order.
  mutating func first(_ device: UInt64, platform: Int) -> Int64? {
    guard let newer = newer[platform] else { return nil }
    var first = Int64.max
    for other in journeys.indices where newer[other] {
      first = min(first, journeys[other].first(device, until: cutOff))
    }
    return first
  }
}

extension StageCounting {
  func later(_ own: Snapshot.Journeys, _ page: borrowing ShardPage) -> LaterReleases {
    let channel = names.vocabulary.name(own.channel)
    let newer = newer(on: channel)
    let others = page.journeys.filter { $0.channel == own.channel && newer?.somewhere.includes($0.release) ?? false }
    return LaterReleases(
      journeys: others.map(NewerJourneys.init),
      newer: names.profiles.platforms.indices.map { platform in
        guard asksFor(channel, platform: platform) else { return nil }
        return others.map { newer?.byPlatform[platform].includes($0.release) ?? false }
      },
      cutOff: cutOff.rawValue)
  }
}
