import Lifecycle
import Statistics
@testable import Store

@testable import Query

extension AtRiskRules {
  /// When and by what cause the device's time at risk ended in an event; nil where it is censored.
  func ending(_ evidence: Evidence, _ applied: FirstTime?, _ found: inout AtRisk) -> (at: Timestamp, cause: Cause)? {
    var own = applied.map { (at: $0.at, cause: mechanism(evidence.journey)) }
    if let early = own, early.at < start.publishedAt {
      own?.at = start.publishedAt
      found.remarks.insert(.skewClamped)
    }
    if own == nil, let implied = impliedUpdate(evidence, found.eligibleAt) {
      own = implied
      found.remarks.insert(.impliedByCheck)
    }
    let other = evidence.newerJourneys.compactMap { newerUpdate($0, evidence.spell, found.eligibleAt) }
      .min { ($0.at, $0.cause) < ($1.at, $1.cause) }
    switch selection.estimand {
    case .speed: return own.flatMap { own in supersededAt.map { own.at < $0 } ?? true ? own : nil }
    case .patched: return earlier(own, other)
    case .asHappened: return earlier(own, other.map { (at: $0.at, cause: .newerRelease) })
    }
  }

  private typealias Update = (at: Timestamp, cause: Cause)

  private func earlier(_ one: Update?, _ other: Update?) -> Update? {
    guard let one else { return other }
    guard let other else { return one }
    return other.at < one.at ? other : one
  }

  private func mechanism(_ journey: JourneyView?) -> Cause {
    journey.map { Cause($0.mechanism(selection.attribution)) } ?? .unknown
  }

  /// The device runs the release though nobody saw it applied: then it updated no later than it first said so.
  private func impliedUpdate(_ evidence: Evidence, _ eligibleAt: Timestamp) -> Update? {
    guard let journey = evidence.journey, !journey.first(.applied).happened else { return nil }
    let seen = [journey.first(.confirmed), journey.first(.running)].filter(\.happened).map(\.at).min()
    guard let seen, seen <= cutOff, seen >= eligibleAt, evidence.spell.holds(seen) else { return nil }
    let delivered = [.ready, .verified, .downloadCompleted].contains { journey.first($0).happened }
    return (seen, delivered ? mechanism(journey) : .unknown)
  }

  private func newerUpdate(_ journey: JourneyView, _ spell: Spell, _ eligibleAt: Timestamp) -> Update? {
    let applied = journey.first(.applied)
    guard applied.happened, applied.at <= cutOff, applied.at >= eligibleAt, spell.holds(applied.at) else { return nil }
    return (applied.at, mechanism(journey))
  }
}
