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

  mutating func add(
    _ found: Judgement, _ rules: RiskRules, _ stay: Stay, _ starts: [Int64], _ ends: [Int64], lastContact: Int64,
    _ journey: JourneyRow?
  ) {
    guard let ready = journey.flatMap({ rules.delivery($0, stay, until: found.updatedAt) }) else {
      if found.updatedAt != .max { withoutDelivery += 1 }
      let origin = rules.origin(eligibleAt: found.eligibleAt)
      _ = rules.timeAtRisk(
        eligibleAt: found.eligibleAt, updatedAt: found.updatedAt, found.cause, stay, starts, ends,
        lastContact: lastContact
      ) { from, to, ending, _ in delivery.add(from: from, to: to, origin: origin, ending) }
      return
    }
    let readyAt = max(ready.at.rawValue, found.eligibleAt)
    let origin = rules.origin(eligibleAt: found.eligibleAt)
    _ = rules.timeAtRisk(
      eligibleAt: found.eligibleAt, updatedAt: readyAt, Cause(ready.trigger), stay, starts, ends,
      lastContact: lastContact
    ) { from, to, ending, _ in delivery.add(from: from, to: to, origin: origin, ending) }
    delivered[ready.trigger, default: 0] += 1
    var launch = LifeTable.Builder()
    swap(&launch, &launches[ready.trigger, default: LifeTable.Builder()])
    let appliedAt = found.updatedAt == .max ? .max : max(found.updatedAt, readyAt)
    _ = rules.timeAtRisk(
      eligibleAt: readyAt, updatedAt: appliedAt, found.cause, stay, starts, ends, lastContact: lastContact
    ) { from, to, ending, _ in launch.add(from: from, to: to, origin: readyAt, ending) }
    swap(&launch, &launches[ready.trigger, default: LifeTable.Builder()])
  }

  mutating func add(_ other: Legs, times: Int) {
    delivery.add(other.delivery, times: times)
    for (trigger, launch) in other.launches {
      launches[trigger, default: LifeTable.Builder()].add(launch, times: times)
    }
    delivered.add(other.delivered, times: times)
    withoutDelivery += times * other.withoutDelivery
  }
}

extension RiskRules {
  /// When and by what the release was delivered in this stay, while it was the newest and before the device updated; nil where
  /// nobody said.
  fileprivate func delivery(_ journey: JourneyRow, _ stay: Stay, until updatedAt: Int64) -> FirstTime? {
    let delivery = journey.delivery(until: updatedAt)
    let ready = FirstTime(rawValue: delivery)
    let at = JourneyRow.at(delivery)
    guard ready.happened, at <= cutOff, stay.holds(at), at >= publishedAt - Self.tolerance.rawValue,
      at <= supersededAt
    else { return nil }
    return ready
  }
}
