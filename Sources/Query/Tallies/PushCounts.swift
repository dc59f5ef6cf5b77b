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
  /// A silent push's wake-up downloaded its release afterwards.
  var isBrought: Bool
  /// Where another cutoff is to be put in later, of one that is not mature: in what state it will be once it is.
  var last: PushState?
  /// Of a lost one: the app was woken by a background refresh afterwards, so it was neither force-quit nor off.
  var ranAfterwards: Bool

  var isCredited: Bool {
    if case .credited = outcome { return true }
    return false
  }
}

/// What is counted of one group's pushes; sums only.
struct PushCounts: Countable {
  /// How many pushes a device had had in the day before, in classes.
  static let throttleClasses = [0...0, 1...1, 2...2, 3...5, 6...Int.max]

  var sent = 0
  var rejected = 0
  var orphans = 0
  var devices = 0
  /// Devices to which a silent push's wake-up brought the release of one of their pushes, and those of them that reported no arrival
  /// of any.
  var brought = 0
  var unreceived = 0
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
  /// Where another cutoff is to be put in later: since when pushes wait for their arrival, and for the update.
  private(set) var waiting: (arrival: [Int64], update: [Int64])?

  init(keepsWaiting: Bool = false) { if keepsWaiting { waiting = ([], []) } }

  /// The pushes of one device.
  ///
  /// - Parameter judged: in order of sending.
  mutating func add(_ judged: [JudgedPush], until cutOff: Timestamp) {
    devices += 1
    sent += judged.count
    if judged.contains(where: { $0.isBrought }) {
      brought += 1
      if judged.allSatisfy({ $0.push.receipt == nil }) { unreceived += 1 }
    }
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
    add(Self.rates(judged), times: 1)
  }

  private mutating func count(_ one: JudgedPush, until cutOff: Timestamp) {
    states[one.state] += 1
    if let arrival = one.push.arrival { arrivals[arrival] += 1 }
    addLatency(one, until: cutOff)
    if one.isMature { count(mature: one.state, sent: one.push.sent, ranAfterwards: one.ranAfterwards) }
  }

  private mutating func count(mature state: PushState, sent: Timestamp, ranAfterwards: Bool) {
    mature[state] += 1
    if state == .lost, ranAfterwards { lostThoughRefreshed += 1 }
    let hour = sent.hourOfWeek
    hourMature[hour] += 1
    if state == .delivered { hourDelivered[hour] += 1 }
  }

  /// Of one device, the mature among the accepted.
  static func rates(_ judged: [JudgedPush]) -> DevicePushRates {
    var rates = DevicePushRates()
    for one in judged where one.isMature && !one.push.isRejected {
      rates.add(
        one.state, row: throttleClass(one.push.before), isNamed: one.push.isNamed, isCredited: one.isCredited)
    }
    return rates
  }

  /// Of one device.
  ///
  /// - Parameter times: 1 to put in, -1 to take out.
  mutating func add(_ rates: DevicePushRates, times: Int) {
    func add(_ count: Int, of total: Int, _ sums: inout RateSums) {
      if times > 0 { return sums.add(count, of: total) }
      var one = RateSums()
      one.add(count, of: total)
      sums.subtract(one)
    }
    add(rates.delivered, of: rates.total, &delivered)
    add(rates.coalesced, of: rates.total, &coalesced)
    add(rates.unreached, of: rates.total, &unreached)
    add(rates.lost, of: rates.total - rates.coalesced - rates.unreached, &lost)
    add(rates.credits, of: rates.named, &credit)
    for row in throttle.indices { add(rates.arrived[row], of: rates.of[row], &throttle[row]) }
  }

  static func throttleClass(_ before: Int) -> Int { before < 3 ? before : before < 6 ? 3 : 4 }

  private mutating func addLatency(_ one: JudgedPush, until cutOff: Timestamp) {
    let replacedAt = one.state == .coalesced ? one.push.replacedAt : nil
    addArrival(one.push, replacedAt: replacedAt, until: cutOff)
    if one.push.isNamed { addUpdate(one, replacedAt: replacedAt, until: cutOff) }
  }

  private mutating func addArrival(_ push: SentPush, replacedAt: Timestamp?, until cutOff: Timestamp) {
    if let receipt = push.receipt {
      latency.add(push, until: receipt, .event(.arrived))
    } else if let replacedAt {
      latency.add(push, until: replacedAt, .event(.replaced))
    } else if waiting != nil {
      latency.add(entry: 0)
      waiting?.arrival.append(push.sent.rawValue)
    } else {
      latency.add(push, until: cutOff, .censored(.cutOff))
    }
  }

  private mutating func addUpdate(_ one: JudgedPush, replacedAt: Timestamp?, until cutOff: Timestamp) {
    let push = one.push
    switch one.outcome {
    case .credited(let applied): untilApplied.add(push, until: applied, .event(.credited))
    case .appliedOtherwise(let applied) where replacedAt.map({ applied < $0 }) ?? true:
      untilApplied.add(push, until: applied, .event(.appliedOtherwise))
    case .appliedOtherwise, .notApplied:
      if let replacedAt {
        untilApplied.add(push, until: replacedAt, .event(.replacedBeforeApply))
      } else if waiting != nil {
        untilApplied.add(entry: 0)
        waiting?.update.append(push.sent.rawValue)
      } else {
        untilApplied.add(push, until: cutOff, .censored(.cutOff))
      }
    }
  }
}

extension LifeTable.Builder {
  fileprivate mutating func add(_ push: SentPush, until end: Timestamp, _ ending: Ending) {
    let interval = Interval(from: push.sent, to: end, origin: push.sent, ending: ending)
    add(entry: interval.entry, exit: interval.exit, ending: ending)
  }
}

extension PushCounts {
  var isEmpty: Bool { sent == 0 && orphans == 0 }
  /// Signs that a push arrived, those of pushes that nobody reported as sent among them. Receipts are optional: without any
  /// nobody knows what was lost.
  var receipts: Int { states[.delivered] + states[.late] + orphans }
  /// Whether devices have releases by pushes of which none says that it arrived: then clients do not report it.
  var areReceiptsMissing: Bool { receipts == 0 && unreceived > 0 }
  /// Whether a tenth or more of the devices that pushes brought a release report no arrival: the pushes to clients like theirs are
  /// among the lost, however many came. Where ids do not match, arrivals are reported all the same.
  var areReceiptsPartlyMissing: Bool { unreceived > 0 && unreceived * 10 >= brought && orphans < unreceived }

  mutating func add(_ other: Self, times: Int) {
    sent += times * other.sent
    rejected += times * other.rejected
    orphans += times * other.orphans
    devices += times * other.devices
    brought += times * other.brought
    unreceived += times * other.unreceived
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
    guard let more = other.waiting else { return }
    waiting = waiting ?? ([], [])
    waiting?.arrival.add(bag: more.arrival, times: times)
    waiting?.update.add(bag: more.update, times: times)
  }
}

// MARK: at a cutoff

extension PushCounts {
  /// A push was not mature, and is now.
  mutating func mature(_ last: PushState, sent: Timestamp, ranAfterwards: Bool) {
    if last == .lost || last == .unreached {
      states[.pending] -= 1
      states[last] += 1
    }
    count(mature: last, sent: sent, ranAfterwards: ranAfterwards)
  }

  /// Ends the wait of pushes that still wait.
  mutating func end(at cutOff: Timestamp, arrival: [Int64], update: [Int64]) {
    func end(_ waits: [Int64], _ builder: inout LifeTable.Builder) {
      for sent in waits {
        builder.add(exit: max(1, (cutOff - Timestamp(rawValue: sent)).secondsRoundedUp), .censored(.cutOff))
      }
    }
    end(arrival, &latency)
    end(update, &untilApplied)
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
