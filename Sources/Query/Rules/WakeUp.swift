import Lifecycle
import Store

/// One execution in the background, put together from what was said of it.
struct WakeUp: Equatable {
  var trigger: Trigger
  var start: Timestamp
  var channel: Int64
  /// 0 is none.
  var push: UInt64 = 0
  var outcome: Outcome?
  var duration: Milliseconds?
  /// Its end was reported. Without that it was likely killed.
  var isFinished = false
  var network: Network = []
  fileprivate var hasBegun = false

  /// What the system allows.
  static let budget = Milliseconds.seconds(30)
  static let nearBudget = Milliseconds.seconds(25)
  /// What is said so soon after the start belongs to the same wake-up.
  static let longest = Milliseconds.minutes(1)
  /// An end that gives no duration belongs to a start at most so long before it.
  static let longestOverrun = Milliseconds.minutes(10)

  var overran: Bool { outcome == .expired || duration.map { $0 > Self.budget } ?? false }
  /// What has just begun may still be running.
  func isOver(at cutOff: Timestamp) -> Bool { Self.isOver(start, at: cutOff) }
  static func isOver(_ start: Timestamp, at cutOff: Timestamp) -> Bool { cutOff - start >= longest }
  var isNearBudget: Bool { duration.map { $0 > Self.nearBudget } ?? false }
}

extension WakeUp {
  /// Finds the wake-ups of one device, in order of start.
  ///
  /// - Parameters:
  ///   - facts: in order of time.
  ///   - only: those of one trigger; nil for all.
  ///   - found: what it held before is forgotten.
  static func collect(_ facts: [WakeFact], of only: Trigger? = nil, into found: inout [WakeUp]) {
    found.removeAll(keepingCapacity: true)
    var last: InlineArray<8, Int> = .init(repeating: -1)
    let (stages, only) = (WakeFact.stagesOfWakeUps, only.map { Int($0.code) })
    for fact in facts where stages[fact.triggerCode] >> UInt32(fact.stageCode) & 1 == 1 {
      let slot = fact.triggerCode
      if let only, slot != only { continue }
      if last[slot] >= 0, found[last[slot]].takes(fact) {
        found[last[slot]].add(fact)
      } else {
        last[slot] = found.count
        found.append(WakeUp(fact))
      }
    }
    func isBefore(_ one: WakeUp, _ other: WakeUp) -> Bool {
      (one.start, one.trigger.code) < (other.start, other.trigger.code)
    }
    if !found.isAscending(by: isBefore) { found.sort(by: isBefore) }
  }

  /// As it was found before; what else belongs to it is not known any more.
  init(
    _ trigger: Trigger, _ start: Timestamp, isFinished: Bool, _ outcome: Outcome?, _ duration: Milliseconds?,
    _ network: Network
  ) {
    (self.trigger, self.start, channel) = (trigger, start, 0)
    (self.isFinished, self.outcome, self.duration, self.network) = (isFinished, outcome, duration, network)
  }

  private init(_ fact: WakeFact) {
    trigger = fact.trigger
    channel = fact.channel
    start = fact.stage == .wakeFinished ? fact.at - (fact.duration ?? .seconds(0)) : fact.at
    add(fact)
  }

  private func takes(_ fact: WakeFact) -> Bool {
    guard fact.push == 0 || push == 0 || fact.push == push else { return false }
    let age = fact.at - start
    guard fact.stage == .wakeFinished else { return age <= Self.longest && !(fact.stage == .wakeStarted && hasBegun) }
    guard let duration = fact.duration else { return !isFinished && age <= Self.longestOverrun }
    return !isFinished && abs((age.rawValue - duration.rawValue)) <= Self.longest.rawValue
  }

  private mutating func add(_ fact: WakeFact) {
    if fact.stage == .wakeStarted { hasBegun = true }
    if push == 0 { push = fact.push }
    network.formUnion(fact.network)
    guard fact.stage == .wakeFinished || fact.duration != nil, !isFinished else { return }
    isFinished = true
    outcome = fact.outcome
    duration = fact.duration
  }
}

extension WakeFact {
  /// By the code of a trigger, the stages that speak of work in the background, a bit for each code. A check of unknown
  /// trigger may be anything, a wake-up is one.
  fileprivate static let stagesOfWakeUps: InlineArray<8, UInt32> = {
    var stages: InlineArray<8, UInt32> = .init(repeating: 0)
    for code in stages.indices {
      for stage in Stage.allCases where says(stage, Trigger(code: UInt8(code)) ?? .unknown) {
        stages[code] |= 1 << UInt32(stage.code)
      }
    }
    return stages
  }()

  private static func says(_ stage: Stage, _ trigger: Trigger) -> Bool {
    switch (stage, trigger) {
    case (.pushSent, _), (_, .foreground): false
    case (.wakeStarted, _), (.wakeFinished, _): true
    case (_, .silentPush): true
    case (.check, .bgRefresh), (.check, .location): true
    default: false
    }
  }
}
