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
  init?(_ journey: JourneyView, _ evidence: AtRiskRules.Evidence) {
    let (spell, history) = (evidence.spell, evidence.history)
    let told = history.launches(journey.release, spell)
    let ever = (applied: journey.time(.applied), confirmed: journey.time(.confirmed), running: journey.time(.running))
    guard [ever.applied, ever.confirmed, ever.running].contains(where: { $0.map { $0 < spell.start } ?? false }) else {
      (applied, claimed) = (spell.own(ever.applied), spell.own([ever.confirmed, ever.running].compactMap { $0 }.min()))
      if applied == nil, claimed == nil { return nil }
      return
    }
    // What lies in an earlier spell is made good by contacts, which do not tell `applied` from `confirmed`.
    let isAgain = ever.applied.map { $0 < spell.start } ?? false
    let again: (applied: Timestamp?, confirmed: Timestamp?)
    if isAgain {
      again = (told.applied == ever.confirmed ? nil : told.applied, nil)
    } else {
      again = (nil, told.applied == ever.applied ? nil : told.applied)
    }
    func first(_ time: Timestamp?, _ again: Timestamp?) -> Timestamp? {
      time.map { $0 < spell.start } ?? false ? again : spell.own(time)
    }
    applied = told.isCertain ? first(ever.applied, again.applied) : isAgain ? nil : spell.own(ever.applied)
    let confirmed = told.isCertain ? first(ever.confirmed, again.confirmed) : told.applied
    claimed = [confirmed, first(ever.running, told.running)].compactMap { $0 }.min()
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
    let own = launch.flatMap { ownUpdate($0, evidence, &found) }
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

  private func ownUpdate(_ launch: Launch, _ evidence: Evidence, _ found: inout AtRisk) -> Update? {
    guard let at = launch.at(since: start.publishedAt) else { return nil }
    if at < start.publishedAt { found.remarks.insert(.skewClamped) }
    if at != launch.applied { found.remarks.insert(.impliedByCheck) }
    if let ended, at > ended.at { return nil }
    return (max(at, start.publishedAt), mechanism(evidence.journey, evidence.spell, at, isSeen: at == launch.applied))
  }

  private func firstNewer(_ evidence: Evidence) -> Update? {
    evidence.newerJourneys.compactMap { journey -> Update? in
      guard let launch = Launch(journey, evidence),
        let at = launch.isApplied ? launch.applied : launch.claimed
      else { return nil }
      return (at, mechanism(journey, evidence.spell, at, isSeen: at == launch.applied))
    }.min { ($0.at, $0.cause) < ($1.at, $1.cause) }
  }

  private func earlier(_ one: Update?, _ other: Update?) -> Update? {
    guard let one else { return other }
    guard let other else { return one }
    return other.at < one.at ? other : one
  }

  /// Where nobody saw it applied, only what delivered it says how it came, where that is asked for; of an update after a return
  /// only what lies in its own spell.
  private func mechanism(_ journey: JourneyView?, _ spell: Spell, _ at: Timestamp, isSeen: Bool) -> Cause {
    guard let journey else { return .unknown }
    let deliveries = spell.deliveries(journey, until: at)
    guard isSeen || selection.attribution == .delivered && !deliveries.isEmpty else { return .unknown }
    if selection.attribution == .delivered, let first = deliveries.first { return Cause(first.trigger) }
    let applied = journey.first(.applied)
    return applied.happened && !spell.isAgain(journey, applied) ? Cause(applied.trigger) : .unknown
  }
}

extension Spell {
  /// Signs that the release was delivered before it ran, the best first; after a return only those in this spell.
  func deliveries(_ journey: JourneyView, until ranAt: Timestamp?) -> [FirstTime] {
    [.ready, .verified, .downloadCompleted].map(journey.first).filter { first in
      first.happened && !isAgain(journey, first) && ranAt.map { first.at <= $0 } ?? true
    }
  }

  /// Whether a time belongs to an earlier spell, in which the device ran the release as well.
  func isAgain(_ journey: JourneyView, _ first: FirstTime) -> Bool {
    first.at < start && [.applied, .confirmed, .running].contains { journey.time($0).map { $0 < start } ?? false }
  }
}
