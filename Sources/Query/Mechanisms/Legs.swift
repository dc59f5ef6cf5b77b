import Lifecycle
import Statistics
import Store

/// The two legs of an update: until something delivered the release, and from then until the user applied it.
struct Legs {
  /// Mechanisms compete for the first leg; everybody who is at risk of updating is in it.
  private(set) var delivery = LifeTable.Builder()
  /// The second leg by what delivered, each device from when it was ready.
  private(set) var launches: [Trigger: LifeTable.Builder] = [:]
  private(set) var delivered: [Trigger: Int] = [:]
  /// Updates of which nobody reported the delivery: they have no second leg.
  private(set) var withoutDelivery = 0

  mutating func add(_ judgement: Judgement) {
    guard judgement.found.exclusion == nil else { return }
    let ready = judgement.delivery
    for interval in judgement.intervals(untilDelivered: ready) {
      delivery.add(entry: interval.entry, exit: interval.exit, ending: interval.ending)
    }
    guard let ready else {
      if judgement.found.update != nil { withoutDelivery += 1 }
      return
    }
    delivered[ready.trigger, default: 0] += 1
    for interval in judgement.intervals(afterDelivery: ready) {
      launches[ready.trigger, default: LifeTable.Builder()]
        .add(entry: interval.entry, exit: interval.exit, ending: interval.ending)
    }
  }

  mutating func add(_ other: Legs) {
    delivery.add(other.delivery)
    for (trigger, launch) in other.launches { launches[trigger, default: LifeTable.Builder()].add(launch) }
    delivered.merge(other.delivered, uniquingKeysWith: +)
    withoutDelivery += other.withoutDelivery
  }
}

extension Judgement {
  /// When and by what the release was delivered in this spell, while it was the newest; nil where nobody said.
  fileprivate var delivery: FirstTime? {
    guard let journey = evidence.journey,
      let ready = [Milestone.ready, .verified, .downloadCompleted].lazy.map(journey.first).first(where: \.happened),
      ready.at <= rules.cutOff, evidence.spell.holds(ready.at),
      ready.at >= rules.start.publishedAt - DeviceHistory.tolerance
    else { return nil }
    if rules.selection.estimand == .speed, let superseded = rules.supersededAt, ready.at >= superseded { return nil }
    return ready
  }

  fileprivate func intervals(untilDelivered ready: FirstTime?) -> [Interval] {
    var first = found
    if let ready { first.update = (max(ready.at, found.eligibleAt), Cause(ready.trigger)) }
    return rules.intervals(evidence, first)
  }

  /// On a clock of its own, which starts at the delivery.
  fileprivate func intervals(afterDelivery ready: FirstTime) -> [Interval] {
    var second = found
    second.eligibleAt = max(ready.at, found.eligibleAt)
    if let update = found.update { second.update = (max(update.at, second.eligibleAt), update.cause) }
    var selection = rules.selection
    selection.clock = .own
    let own = AtRiskRules(
      selection: selection, cutOff: rules.cutOff, target: rules.target, start: rules.start,
      supersededAt: rules.supersededAt, newer: rules.newer)
    return own.intervals(evidence, second)
  }
}
