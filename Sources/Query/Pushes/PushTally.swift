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
struct PushTally {
  /// How many pushes a device had had in the day before, in classes.
  static let throttleClasses = [0...0, 1...1, 2...2, 3...5, 6...Int.max]

  var sent = 0
  var rejected = 0
  var orphans = 0
  var devices = 0
  var states: [PushState: Int] = [:]
  var mature: [PushState: Int] = [:]
  var arrivals: [PushArrival: Int] = [:]
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
  var deviceHours: [Int: Int] = [:]
  var latency = LifeTable.Builder()
  var untilApplied = LifeTable.Builder()

  /// The pushes of one device.
  mutating func add(_ judged: [JudgedPush], until cutOff: Timestamp) {
    devices += 1
    sent += judged.count
    let accepted = judged.filter { !$0.push.isRejected }
    rejected += judged.count - accepted.count
    for one in accepted { count(one, until: cutOff) }
    addRates(accepted.filter(\.isMature))
    let hours = Dictionary(grouping: accepted) { $0.push.sent.seconds / 3600 }
    for pushes in hours.values { deviceHours[pushes.count, default: 0] += 1 }
  }

  private mutating func count(_ one: JudgedPush, until cutOff: Timestamp) {
    states[one.state, default: 0] += 1
    if let arrival = one.push.arrival { arrivals[arrival, default: 0] += 1 }
    addLatency(one, until: cutOff)
    guard one.isMature else { return }
    mature[one.state, default: 0] += 1
    if one.state == .lost, one.ranAfterwards { lostThoughRefreshed += 1 }
    let hour = one.push.sent.hourOfWeek
    hourMature[hour] += 1
    if one.state == .delivered { hourDelivered[hour] += 1 }
  }

  private mutating func addRates(_ mature: [JudgedPush]) {
    func number(_ state: PushState) -> Int { mature.count { $0.state == state } }
    delivered.add(number(.delivered), of: mature.count)
    coalesced.add(number(.coalesced), of: mature.count)
    unreached.add(number(.unreached), of: mature.count)
    lost.add(number(.lost), of: mature.count - number(.coalesced) - number(.unreached))
    credit.add(mature.count { if case .credited = $0.outcome { true } else { false } }, of: mature.count)
    for (index, numbers) in Self.throttleClasses.enumerated() {
      let own = mature.filter { numbers.contains($0.push.before) }
      throttle[index].add(own.count { $0.state == .delivered }, of: own.count)
    }
  }

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

extension Timestamp {
  /// 0 is Monday from 00 to 01 UTC; 1970 began on a Thursday.
  var hourOfWeek: Int {
    let hours = ((seconds >= 0 ? seconds / 3600 : (seconds - 3599) / 3600) + 72) % 168
    return Int(hours < 0 ? hours + 168 : hours)
  }
  /// UTC.
  var hourOfDay: Int { hourOfWeek % 24 }
}
