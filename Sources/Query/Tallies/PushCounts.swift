import Lifecycle
import Statistics

extension Cause {
  /// Of a push's life table: it arrived, or a newer push took its place.
  static let arrived: Cause = 1
  static let replaced: Cause = 2
  /// Of the way to the update: credited to the push, applied by other means, replaced by a newer push.
  static let credited: Cause = 1
  static let appliedOtherwise: Cause = 2
  static let replacedBeforeApply: Cause = 3
}

/// One push with everything that was found out about it.
struct JudgedPush {
  var push: SentPush
  var state: PushState
  var isMature: Bool
  var outcome: PushOutcome
  /// Of a lost one: the app was woken by a background refresh afterwards, so it was neither force-quit nor off.
  var ranAfterwards: Bool
}

/// What is counted of one group's pushes; sums only.
struct PushCounts: Countable {
  /// How many pushes a device had had in the day before, in classes.
  static let throttleClasses = [0...0, 1...1, 2...2, 3...5, 6...Int.max]

  var sent = 0
  var rejected = 0
  var orphans = 0
  var devices = 0
  var states = WordCounts<PushState>()
  var mature = WordCounts<PushState>()
  var arrivals = WordCounts<PushArrival>()
  var lostThoughRefreshed = 0
  var delivered = RateSums()
  var coalesced = RateSums()
  var unreached = RateSums()
  var lost = RateSums()
  var credit = RateSums()
  var throttle = [RateSums](repeating: RateSums(), count: throttleClasses.count)
  /// Monday 00 to 01 UTC first.
  var hourMature = [Int](repeating: 0, count: 168)
  var hourDelivered = [Int](repeating: 0, count: 168)
  /// Hours of a device with so many pushes.
  var deviceHours = HourCounts()
  var latency = LifeTable.Builder()
  var untilApplied = LifeTable.Builder()

  /// The pushes of one device.
  ///
  /// - Parameter judged: in order of sending.
  mutating func add(_ judged: [JudgedPush], until cutOff: Timestamp) {
    devices += 1
    sent += judged.count
    var (hour, pushes) = (Int64.min, 0)
    for one in judged {
      if one.push.isRejected {
        rejected += 1
        continue
      }
      count(one, until: cutOff)
      let own = one.push.sent.seconds / 3600
      if own != hour, pushes > 0 {
        deviceHours.count(pushes)
        pushes = 0
      }
      (hour, pushes) = (own, pushes + 1)
    }
    if pushes > 0 { deviceHours.count(pushes) }
    addRates(judged)
  }

  private mutating func count(_ one: JudgedPush, until cutOff: Timestamp) {
    states[one.state] += 1
    if let arrival = one.push.arrival { arrivals[arrival] += 1 }
    addLatency(one, until: cutOff)
    guard one.isMature else { return }
    mature[one.state] += 1
    if one.state == .lost, one.ranAfterwards { lostThoughRefreshed += 1 }
    let hour = one.push.sent.hourOfWeek
    hourMature[hour] += 1
    if one.state == .delivered { hourDelivered[hour] += 1 }
  }

  /// Of one device, the mature among the accepted.
  private mutating func addRates(_ judged: [JudgedPush]) {
    var (total, credits) = (0, 0)
    var (coalesced, unreached, lost, delivered) = (0, 0, 0, 0)
    var arrived: InlineArray<5, Int> = .init(repeating: 0)
    var of: InlineArray<5, Int> = .init(repeating: 0)
    for one in judged where one.isMature && !one.push.isRejected {
      total += 1
      if case .credited = one.outcome { credits += 1 }
      let row = Self.throttleClass(one.push.before)
      of[row] += 1
      switch one.state {
      case .delivered:
        delivered += 1
        arrived[row] += 1
      case .coalesced: coalesced += 1
      case .unreached: unreached += 1
      case .lost: lost += 1
      case .late, .pending: break
      }
    }
    self.delivered.add(delivered, of: total)
    self.coalesced.add(coalesced, of: total)
    self.unreached.add(unreached, of: total)
    self.lost.add(lost, of: total - coalesced - unreached)
    credit.add(credits, of: total)
    for row in throttle.indices { throttle[row].add(arrived[row], of: of[row]) }
  }

  private static func throttleClass(_ before: Int) -> Int { before < 3 ? before : before < 6 ? 3 : 4 }

  private mutating func addLatency(_ one: JudgedPush, until cutOff: Timestamp) {
    let push = one.push
    func add(_ builder: inout LifeTable.Builder, _ end: Timestamp, _ ending: Ending) {
      let interval = Interval(from: push.sent, to: end, origin: push.sent, ending: ending)
      builder.add(entry: interval.entry, exit: interval.exit, ending: ending)
    }
    let replacedAt = one.state == .coalesced ? push.replacedAt : nil
    if let receipt = push.receipt {
      add(&latency, receipt, .event(.arrived))
    } else if let replacedAt {
      add(&latency, replacedAt, .event(.replaced))
    } else {
      add(&latency, cutOff, .censored(.cutOff))
    }
    switch one.outcome {
    case .credited(let applied): add(&untilApplied, applied, .event(.credited))
    case .appliedOtherwise(let applied) where replacedAt.map({ applied < $0 }) ?? true:
      add(&untilApplied, applied, .event(.appliedOtherwise))
    case .appliedOtherwise, .notApplied:
      if let replacedAt {
        add(&untilApplied, replacedAt, .event(.replacedBeforeApply))
      } else {
        add(&untilApplied, cutOff, .censored(.cutOff))
      }
    }
  }
}

extension PushCounts {
  var isEmpty: Bool { sent == 0 && orphans == 0 }

  mutating func add(_ other: Self, times: Int) {
    sent += times * other.sent
    rejected += times * other.rejected
    orphans += times * other.orphans
    devices += times * other.devices
    states.add(other.states, times: times)
    mature.add(other.mature, times: times)
    arrivals.add(other.arrivals, times: times)
    lostThoughRefreshed += times * other.lostThoughRefreshed
    delivered.add(other.delivered, times: times)
    coalesced.add(other.coalesced, times: times)
    unreached.add(other.unreached, times: times)
    lost.add(other.lost, times: times)
    credit.add(other.credit, times: times)
    for row in throttle.indices { throttle[row].add(other.throttle[row], times: times) }
    for hour in hourMature.indices {
      hourMature[hour] += times * other.hourMature[hour]
      hourDelivered[hour] += times * other.hourDelivered[hour]
    }
    deviceHours.add(other.deviceHours, times: times)
    latency.add(other.latency, times: times)
    untilApplied.add(other.untilApplied, times: times)
  }
}

extension Timestamp {
  /// 0 is Monday from 00 to 01 UTC; 1970 began on a Thursday.
  var hourOfWeek: Int {
    let (whole, rest) = rawValue.quotientAndRemainder(dividingBy: 3_600_000)
    let hours = ((rest < 0 ? whole - 1 : whole) + 72) % 168
    return Int(hours < 0 ? hours + 168 : hours)
  }
  /// UTC.
  var hourOfDay: Int { hourOfWeek % 24 }
}
