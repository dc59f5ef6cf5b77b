import Lifecycle
import Store

/// What is counted of one group's wake-ups; sums only.
struct WakeTally {
  var wakeUps = 0
  var devices = 0
  var outcomes: [String: Int] = [:]
  var overrun = RateSums()
  var overrunOrUnfinished = RateSums()
  var nearBudget = RateSums()
  var wasted = RateSums()
  var underFloor = RateSums()
  /// Intervals between refreshes by length in seconds.
  var intervals: [Int64: Int] = [:]
  var hourStarted = [Int](repeating: 0, count: 24)
  var hourNewData = [Int](repeating: 0, count: 24)
  var surroundings = WakeUps.Surroundings(wifi: 0, cellular: 0, charging: 0, unsaid: 0)
  var pushHours: [Int: Int] = [:]

  /// The wake-ups of one device, and what lay between its refreshes.
  mutating func add(_ wakeUps: [WakeUp], _ refreshIntervals: [Milliseconds]) {
    devices += 1
    self.wakeUps += wakeUps.count
    for wakeUp in wakeUps { count(wakeUp) }
    let overran = wakeUps.count(where: \.overran)
    overrun.add(overran, of: wakeUps.count)
    overrunOrUnfinished.add(wakeUps.count { $0.overran || !$0.isFinished }, of: wakeUps.count)
    nearBudget.add(wakeUps.count(where: \.isNearBudget), of: wakeUps.count { $0.duration != nil })
    wasted.add(
      wakeUps.count { $0.isFinished && $0.outcome == .noData }, of: wakeUps.count { $0.isFinished && $0.outcome != nil }
    )
    underFloor.add(refreshIntervals.count { $0 < WakeUps.floor }, of: refreshIntervals.count)
    for interval in refreshIntervals { intervals[Self.rounded(interval), default: 0] += 1 }
  }

  private mutating func count(_ wakeUp: WakeUp) {
    outcomes[wakeUp.isFinished ? wakeUp.outcome?.rawValue ?? "unsaid" : "unfinished", default: 0] += 1
    hourStarted[wakeUp.start.hourOfDay] += 1
    if wakeUp.isFinished, wakeUp.outcome == .newData { hourNewData[wakeUp.start.hourOfDay] += 1 }
    if wakeUp.network.contains(.wifi) { surroundings.wifi += 1 }
    if wakeUp.network.contains(.cellular) { surroundings.cellular += 1 }
    if wakeUp.network.contains(.charging) { surroundings.charging += 1 }
    if !wakeUp.network.contains(.said) { surroundings.unsaid += 1 }
  }

  private static func rounded(_ interval: Milliseconds) -> Int64 {
    let seconds = interval.rawValue / 1000
    return seconds > 3600 ? seconds / 60 * 60 : seconds
  }
}

extension WakeUps {
  init(_ group: Labels, _ tally: WakeTally, level: Double, _ options: Options) {
    self.group = group
    wakeUps = tally.wakeUps
    devices = tally.devices
    let words = [Outcome.newData, .noData, .failed, .expired].map(\.rawValue) + ["unsaid", "unfinished"]
    outcomes = Dictionary(uniqueKeysWithValues: words.map { ($0, tally.outcomes[$0] ?? 0) })
    finished = tally.wakeUps - (tally.outcomes["unfinished"] ?? 0)
    overrun = Overrun(
      atLeast: tally.overrun.rate(level: level), atMost: tally.overrunOrUnfinished.rate(level: level),
      nearBudget: tally.nearBudget.rate(level: level))
    wasted = tally.wasted.rate(level: level)
    refreshIntervals = Intervals(
      tally.intervals, options.quantiles, underFloor: tally.underFloor.rate(level: level))
    hourOfDay = HourOfDay(started: tally.hourStarted, newData: tally.hourNewData)
    surroundings = tally.surroundings
    let trigger = group.parts[Grouping.trigger.rawValue]
    pushHours = trigger == nil || trigger == Trigger.silentPush.rawValue ? Push.DeviceHours(tally.pushHours) : nil
  }
}

extension WakeUps.Intervals {
  init(_ counts: [Int64: Int], _ shares: [Double], underFloor: Rate) {
    let lengths = counts.keys.sorted()
    count = counts.values.reduce(0, +)
    devices = underFloor.devices
    quantiles = shares.map { WakeUps.Quantile(p: $0, seconds: Self.quantile($0, lengths, counts)) }
    floorSeconds = WakeUps.floor.rawValue / 1000
    self.underFloor = underFloor
  }

  /// The shortest length that a share `p` of all does not exceed.
  private static func quantile(_ p: Double, _ lengths: [Int64], _ counts: [Int64: Int]) -> Int64? {
    let total = counts.values.reduce(0, +)
    var seen = 0
    return lengths.first { length in
      seen += counts[length] ?? 0
      return Double(seen) >= p * Double(total) - 1e-9
    }
  }
}
