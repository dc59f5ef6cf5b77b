import Lifecycle
import Statistics
@testable import Store

@testable import Query

/// When a device first ran a release in a spell, by what it said.
struct Launch {
  var applied: Timestamp?
  /// The first check, wake-up or confirmation that names it as running.
  var claimed: Timestamp?

  /// nil where the device said nothing of it.
  init?(_ journey: JourneyView, _ spell: Spell, until cutOff: Timestamp) {
    func known(_ milestones: [Milestone]) -> Timestamp? {
      let first = milestones.map(journey.first).filter(\.happened).map(\.at).min()
      return first.flatMap { $0 <= cutOff && spell.holds($0) ? $0 : nil }
    }
    (applied, claimed) = (known([.applied]), known([.confirmed, .running]))
    if applied == nil, claimed == nil { return nil }
  }

  /// A claim right before `applied` is of the same launch.
  var isApplied: Bool {
    guard let applied else { return false }
    return claimed.map { $0 >= applied - DeviceHistory.tolerance } ?? true
  }

  /// A claim before the instant is as good as none.
  func at(since instant: Timestamp) -> Timestamp? {
    if isApplied { return applied }
    return claimed.flatMap { $0 >= instant ? $0 : nil } ?? applied
  }
}

extension AtRiskRules {
  typealias Update = (at: Timestamp, cause: Cause)

  /// When and by what cause the device's time at risk ended in an event; nil where it is censored.
  func ending(_ evidence: Evidence, _ launch: Launch?, _ found: inout AtRisk) -> Update? {
    let own = launch.flatMap { ownUpdate($0, evidence.journey, &found) }
    let other = firstNewer(evidence).flatMap { $0.at >= found.eligibleAt ? $0 : nil }
    switch selection.estimand {
    case .speed: return own
    case .patched: return earlier(own, other)
    case .asHappened: return earlier(own, other.map { (at: $0.at, cause: .newerRelease) })
    }
  }

  /// Where newer releases count, who ran one before it was eligible for this one is not at risk of either.
  func newerBefore(_ evidence: Evidence, _ found: AtRisk) -> Exclusion? {
    guard selection.estimand != .speed, let newer = firstNewer(evidence)?.at, newer < found.eligibleAt else {
      return nil
    }
    if newer >= start.publishedAt { return .beforeEligibility }
    return found.update == nil ? .bornOn : nil
  }

  private func ownUpdate(_ launch: Launch, _ journey: JourneyView?, _ found: inout AtRisk) -> Update? {
    guard let at = launch.at(since: start.publishedAt) else { return nil }
    if at < start.publishedAt { found.remarks.insert(.skewClamped) }
    if at != launch.applied { found.remarks.insert(.impliedByCheck) }
    if selection.estimand == .speed, let supersededAt, at > supersededAt { return nil }
    return (max(at, start.publishedAt), mechanism(journey, isSeen: at == launch.applied))
  }

  private func firstNewer(_ evidence: Evidence) -> Update? {
    evidence.newerJourneys.compactMap { journey -> Update? in
      guard let launch = Launch(journey, evidence.spell, until: cutOff),
        let at = launch.isApplied ? launch.applied : launch.claimed
      else { return nil }
      return (at, mechanism(journey, isSeen: at == launch.applied))
    }.min { ($0.at, $0.cause) < ($1.at, $1.cause) }
  }

  private func earlier(_ one: Update?, _ other: Update?) -> Update? {
    guard let one else { return other }
    guard let other else { return one }
    return other.at < one.at ? other : one
  }

  /// Where nobody saw it applied, only what delivered it says how it came.
  private func mechanism(_ journey: JourneyView?, isSeen: Bool) -> Cause {
    guard let journey else { return .unknown }
    let isDelivered = [.ready, .verified, .downloadCompleted].contains { journey.first($0).happened }
    return isSeen || isDelivered ? Cause(journey.mechanism(selection.attribution)) : .unknown
  }
}
