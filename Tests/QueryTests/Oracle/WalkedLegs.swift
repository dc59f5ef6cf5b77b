import Lifecycle
import Statistics
@testable import Store

@testable import Query

/// The two legs of updates, as the walk over objects finds them.
struct WalkedLegs {
  private(set) var delivery: [(entry: Tick, exit: Tick, ending: Ending)] = []
  private(set) var launches: [Trigger: [(entry: Tick, exit: Tick, ending: Ending)]] = [:]
  private(set) var delivered: [Trigger: Int] = [:]
  private(set) var withoutDelivery = 0

  mutating func add(_ judgement: SpellJudgement) {
    guard judgement.found.exclusion == nil else { return }
    let ready = judgement.delivery
    delivery += judgement.intervals(untilDelivered: ready).map { ($0.entry, $0.exit, $0.ending) }
    guard let ready else {
      if judgement.found.update != nil { withoutDelivery += 1 }
      return
    }
    delivered[ready.trigger, default: 0] += 1
    launches[ready.trigger, default: []] += judgement.intervals(afterDelivery: ready).map {
      ($0.entry, $0.exit, $0.ending)
    }
  }

  var words: [String] {
    Self.words(
      LifeTable(intervals: delivery), launches.mapValues { LifeTable(intervals: $0) }, delivered, withoutDelivery)
  }

  static func words(_ legs: Legs) -> [String] {
    words(legs.delivery.build(), legs.launches.mapValues { $0.build() }, legs.delivered, legs.withoutDelivery)
  }

  private static func words(
    _ delivery: LifeTable, _ launches: [Trigger: LifeTable], _ delivered: [Trigger: Int], _ without: Int
  ) -> [String] {
    ["\(without) \(delivery.runs)"] + delivered.map { "\($0.key) \($0.value)" }.sorted()
      + launches.filter { !$0.value.isEmpty }.map { "\($0.key) \($0.value.runs)" }.sorted()
  }
}

extension SpellJudgement {
  /// When and by what the release was delivered in this spell, while it was the newest; nil where nobody said, or it failed
  /// before it was ready.
  fileprivate var delivery: FirstTime? {
    guard let journey = evidence.journey,
      let ready = evidence.spell.deliveries(journey, until: found.update?.at).first,
      ready == journey.first(.ready) || !hasFailed(journey, since: ready.at),
      ready.at <= rules.cutOff, evidence.spell.holds(ready.at),
      ready.at >= rules.start.publishedAt - DeviceHistory.tolerance
    else { return nil }
    if let ended = rules.ended, ready.at > ended.at { return nil }
    return ready
  }

  private func hasFailed(_ journey: JourneyView, since instant: Timestamp) -> Bool {
    guard let failed = journey.time(.failed), failed >= instant else { return false }
    return found.update.map { failed < $0.at } ?? true
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
