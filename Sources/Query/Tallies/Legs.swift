import Lifecycle
import Statistics
import Store

/// The two legs of an update: until something delivered the release, and from then until the user applied it.
struct Legs: Mergeable {
  /// Mechanisms compete for the first leg; everybody who is at risk of updating is in it.
  private(set) var delivery = LifeTable.Builder()
  /// The second leg by what delivered, each device from when it was ready.
  private(set) var launches: [Trigger: LifeTable.Builder] = [:]
  private(set) var delivered: [Trigger: Int] = [:]
  /// Updates of which nobody reported the delivery: they have no second leg.
  private(set) var withoutDelivery = 0
  /// Where another cutoff is to be put in later: who was delivered and has not applied it.
  private(set) var waiting: [Waiting]?

  /// A device that waits at the cutoff to apply what was delivered.
  struct Waiting: Comparable {
    /// As in the tables of risk, where it waits as well.
    var origin: Int64
    var readyAt: Int64
    /// When it counts as silent, if it is not heard of again.
    var silentAt: Int64
    var trigger: Trigger

    static func < (one: Self, other: Self) -> Bool {
      (one.origin, one.readyAt, one.silentAt, one.trigger.code)
        < (other.origin, other.readyAt, other.silentAt, other.trigger.code)
    }
  }

  /// - Parameter keepsWaiting: as of `RiskCounter`, whose devices are those of the first leg.
  init(keepsWaiting: Bool = false) { if keepsWaiting { waiting = [] } }

  /// As they were counted before.
  init(delivery: LifeTable.Builder, withoutDelivery: Int) {
    (self.delivery, self.withoutDelivery) = (delivery, withoutDelivery)
  }

  mutating func add(_ trigger: Trigger, delivered count: Int, _ launch: LifeTable.Builder) {
    delivered[trigger, default: 0] += count
    launches[trigger, default: LifeTable.Builder()].add(launch)
  }

  mutating func add(
    _ found: Judgement, _ rules: RiskRules, _ stay: Stay, _ starts: [Int64], _ ends: [Int64], lastContact: Int64,
    _ journey: JourneyRow?
  ) {
    let ready = journey.flatMap { rules.delivery($0, stay, until: found.updatedAt) }
    let (endedAt, cause) =
      ready.map { (max($0.at.rawValue, found.eligibleAt), Cause($0.trigger)) } ?? (found.updatedAt, found.cause)
    let origin = rules.origin(eligibleAt: found.eligibleAt)
    _ = rules.timeAtRisk(
      eligibleAt: found.eligibleAt, updatedAt: endedAt, cause, stay, starts, ends, lastContact: lastContact
    ) { from, to, ending, _ in addDelivery(from, to, origin, ending) }
    guard let ready else {
      if found.updatedAt != .max { withoutDelivery += 1 }
      return
    }
    delivered[ready.trigger, default: 0] += 1
    let readyAt = endedAt
    var launch = LifeTable.Builder()
    swap(&launch, &launches[ready.trigger, default: LifeTable.Builder()])
    let appliedAt = found.updatedAt == .max ? .max : max(found.updatedAt, readyAt)
    _ = rules.timeAtRisk(
      eligibleAt: readyAt, updatedAt: appliedAt, found.cause, stay, starts, ends, lastContact: lastContact
    ) { from, to, ending, silentAt in
      if waiting != nil, ending == .censored(.cutOff) {
        launch.add(entry: Milliseconds(rawValue: from - readyAt).secondsRoundedDown)
        waiting?.append(Waiting(origin: origin, readyAt: readyAt, silentAt: silentAt, trigger: ready.trigger))
      } else {
        launch.add(from: from, to: to, origin: readyAt, ending)
      }
    }
    swap(&launch, &launches[ready.trigger, default: LifeTable.Builder()])
  }

  /// Who waits for the delivery waits in the tables of risk as well: there it is kept until when.
  @inline(__always)
  private mutating func addDelivery(_ from: Int64, _ to: Int64, _ origin: Int64, _ ending: Ending) {
    if waiting != nil, ending == .censored(.cutOff) {
      delivery.add(entry: Milliseconds(rawValue: from - origin).secondsRoundedDown)
    } else {
      delivery.add(from: from, to: to, origin: origin, ending)
    }
  }

  mutating func add(_ other: Legs, times: Int) {
    delivery.add(other.delivery, times: times)
    if let more = other.waiting { waiting = waiting ?? []; waiting?.add(bag: more, times: times) }
    for (trigger, launch) in other.launches {
      launches[trigger, default: LifeTable.Builder()].add(launch, times: times)
    }
    delivered.add(other.delivered, times: times)
    withoutDelivery += times * other.withoutDelivery
  }
}

extension RiskRules {
  /// When and by what the release was delivered in this stay, while it was the newest and before the device updated; nil where
  /// nobody said, or it failed before it was ready.
  fileprivate func delivery(_ journey: JourneyRow, _ stay: Stay, until updatedAt: Int64) -> FirstTime? {
    let delivery = journey.readiness(until: updatedAt)
    let ready = FirstTime(rawValue: delivery)
    let at = JourneyRow.at(delivery)
    guard ready.happened, at <= cutOff, stay.holds(at), at >= publishedAt - Self.tolerance.rawValue,
      at <= endedAt
    else { return nil }
    return ready
  }
}
