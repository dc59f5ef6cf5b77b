import Lifecycle
import Store

/// What is counted of one group's wake-ups; sums only.
struct WakeCounts: Countable {
  /// What one device has of what rates are made of.
  struct Sums {
    fileprivate(set) var wakeUps = 0
    fileprivate var (overran, overranOrUnfinished, nearBudget, timed) = (0, 0, 0, 0)
    fileprivate var (wasted, ended, underFloor, intervals) = (0, 0, 0, 0)
  }

  init() {}

  private(set) var wakeUps = 0
  private(set) var devices = 0
  private(set) var overrun = RateSums()
  private(set) var overrunOrUnfinished = RateSums()
  private(set) var nearBudget = RateSums()
  private(set) var wasted = RateSums()
  private(set) var underFloor = RateSums()
  /// Intervals between refreshes by length in seconds.
  private(set) var intervals = IntervalCounts()
  private(set) var hourStarted = [Int](repeating: 0, count: 24)
  private(set) var hourNewData = [Int](repeating: 0, count: 24)
  private(set) var surroundings = WakeUps.Surroundings(wifi: 0, cellular: 0, charging: 0, unsaid: 0)
  var pushHours = HourCounts()
  private(set) var unfinished = 0
  /// Of finished wake-ups, by code; 0 is unsaid.
  private var outcomes = [Int](repeating: 0, count: 8)

  func finished(_ outcome: Outcome?) -> Int { outcomes[Int(outcome?.code ?? 0)] }

  /// One device.
  mutating func add(_ sums: Sums) {
    devices += 1
    wakeUps += sums.wakeUps
    overrun.add(sums.overran, of: sums.wakeUps)
    overrunOrUnfinished.add(sums.overranOrUnfinished, of: sums.wakeUps)
    nearBudget.add(sums.nearBudget, of: sums.timed)
    wasted.add(sums.wasted, of: sums.ended)
    underFloor.add(sums.underFloor, of: sums.intervals)
  }

  /// - Parameter interval: since the device's last background refresh.
  mutating func count(_ wakeUp: WakeUp, _ interval: Milliseconds?) {
    let hour = wakeUp.start.hourOfDay
    hourStarted[hour] += 1
    if wakeUp.isFinished {
      outcomes[Int(wakeUp.outcome?.code ?? 0)] += 1
      if wakeUp.outcome == .newData { hourNewData[hour] += 1 }
    } else {
      unfinished += 1
    }
    if wakeUp.network.contains(.wifi) { surroundings.wifi += 1 }
    if wakeUp.network.contains(.cellular) { surroundings.cellular += 1 }
    if wakeUp.network.contains(.charging) { surroundings.charging += 1 }
    if !wakeUp.network.contains(.said) { surroundings.unsaid += 1 }
    if let interval { intervals.count(interval) }
  }

  var isEmpty: Bool { wakeUps == 0 && pushHours.isEmpty }

  mutating func add(_ other: Self, times: Int) {
    wakeUps += times * other.wakeUps
    devices += times * other.devices
    unfinished += times * other.unfinished
    for code in outcomes.indices { outcomes[code] += times * other.outcomes[code] }
    overrun.add(other.overrun, times: times)
    overrunOrUnfinished.add(other.overrunOrUnfinished, times: times)
    nearBudget.add(other.nearBudget, times: times)
    wasted.add(other.wasted, times: times)
    underFloor.add(other.underFloor, times: times)
    intervals.add(other.intervals, times: times)
    for hour in hourStarted.indices {
      hourStarted[hour] += times * other.hourStarted[hour]
      hourNewData[hour] += times * other.hourNewData[hour]
    }
    surroundings.wifi += times * other.surroundings.wifi
    surroundings.cellular += times * other.surroundings.cellular
    surroundings.charging += times * other.surroundings.charging
    surroundings.unsaid += times * other.surroundings.unsaid
    pushHours.add(other.pushHours, times: times)
  }
}

extension WakeCounts.Sums {
  /// - Parameter interval: since the device's last background refresh.
  mutating func add(_ wakeUp: WakeUp, _ interval: Milliseconds?) {
    wakeUps += 1
    if wakeUp.overran { overran += 1 }
    if wakeUp.overran || !wakeUp.isFinished { overranOrUnfinished += 1 }
    if wakeUp.duration != nil { timed += 1 }
    if wakeUp.isNearBudget { nearBudget += 1 }
    if wakeUp.isFinished, let outcome = wakeUp.outcome {
      ended += 1
      if outcome == .noData { wasted += 1 }
    }
    guard let interval else { return }
    intervals += 1
    if interval < WakeUps.floor { underFloor += 1 }
  }
}

// MARK: in a summary

extension WakeCounts.Sums {
  static let storedCount = 9
  /// The order is frozen, files that hold them are in the world.
  var stored: [Int64] {
    [wakeUps, overran, overranOrUnfinished, nearBudget, timed, wasted, ended, underFloor, intervals].map(Int64.init)
  }

  /// - Parameter stored: as many as `stored` gives.
  init(stored: some Collection<Int64>) {
    let numbers = stored.map { Int($0) }
    (wakeUps, overran, overranOrUnfinished, nearBudget) = (numbers[0], numbers[1], numbers[2], numbers[3])
    (timed, wasted, ended, underFloor, intervals) = (numbers[4], numbers[5], numbers[6], numbers[7], numbers[8])
  }
}

extension WakeCounts {
  private var rates: [RateSums] { [overrun, overrunOrUnfinished, nearBudget, wasted, underFloor] }

  /// Without lists, whose lengths vary. The order is frozen, files that hold them are in the world.
  var stored: [Int64] {
    let around = [surroundings.wifi, surroundings.cellular, surroundings.charging, surroundings.unsaid]
    return ([wakeUps, devices, unfinished] + around + outcomes + hourStarted + hourNewData).map(Int64.init)
      + rates.flatMap(\.stored)
  }

  /// nil where they are not as many as `stored` gives.
  init?(stored: [Int64], _ intervals: IntervalCounts, _ pushHours: HourCounts) {
    let counts = 7 + outcomes.count + 48
    guard stored.count == counts + 5 * RateSums.storedCount else { return nil }
    let rates = stride(from: counts, to: stored.count, by: RateSums.storedCount).compactMap {
      RateSums(stored: stored[$0...].prefix(RateSums.storedCount))
    }
    guard rates.count == 5 else { return nil }
    let numbers = stored.prefix(counts).map { Int($0) }
    (wakeUps, devices, unfinished) = (numbers[0], numbers[1], numbers[2])
    surroundings = .init(wifi: numbers[3], cellular: numbers[4], charging: numbers[5], unsaid: numbers[6])
    outcomes = Array(numbers[7..<(counts - 48)])
    (hourStarted, hourNewData) = (Array(numbers[(counts - 48)..<(counts - 24)]), Array(numbers.suffix(24)))
    (overrun, overrunOrUnfinished, nearBudget, wasted, underFloor) = (rates[0], rates[1], rates[2], rates[3], rates[4])
    (self.intervals, self.pushHours) = (intervals, pushHours)
  }
}

extension WakeUps {
  init(_ group: Labels, _ tally: WakeCounts, level: Double, _ options: Options) {
    self.group = group
    wakeUps = tally.wakeUps
    devices = tally.devices
    let words = [Outcome.newData, .noData, .failed, .expired].map { ($0.rawValue, tally.finished($0)) }
    outcomes = Dictionary(
      uniqueKeysWithValues: words + [("unsaid", tally.finished(nil)), ("unfinished", tally.unfinished)])
    finished = tally.wakeUps - tally.unfinished
    // Of wake-ups none of which reports its end nobody knows whether they were killed.
    let (least, most) = finished == 0 ? (RateSums(), RateSums()) : (tally.overrun, tally.overrunOrUnfinished)
    overrun = Overrun(
      atLeast: least.rate(level: level), atMost: most.rate(level: level),
      nearBudget: tally.nearBudget.rate(level: level))
    wasted = tally.wasted.rate(level: level)
    refreshIntervals = Intervals(
      tally.intervals, options.quantiles, underFloor: tally.underFloor.rate(level: level))
    hourOfDay = HourOfDay(started: tally.hourStarted, newData: tally.hourNewData)
    surroundings = tally.surroundings
    let trigger = group.parts[Grouping.trigger.rawValue]
    let isAboutPushes = trigger == nil || trigger == Trigger.silentPush.rawValue
    pushHours = isAboutPushes ? Push.DeviceHours(tally.pushHours.byPushes) : nil
  }
}
