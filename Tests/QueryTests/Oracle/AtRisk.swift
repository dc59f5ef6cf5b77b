import Lifecycle
import Statistics
@testable import Store

@testable import Query

/// What a device contributes to the life table of a release in one spell.
struct AtRisk {
  var intervals: [Interval] = []
  var exclusion: Exclusion?
  var remarks: Set<Remark> = []
  /// When the device became eligible.
  var eligibleAt: Timestamp
  /// When and by what it updated, if it did.
  var update: (at: Timestamp, cause: Cause)?
}

/// The rules by which one device's spell becomes time at risk. All inputs are given; nothing is read.
struct AtRiskRules {
  let selection: Selection
  let cutOff: Timestamp
  let target: Int64
  let start: Timeline.Start
  let supersededAt: Timestamp?
  /// The rollout lets nobody have it from then on.
  var haltedAt: Timestamp? {
    let steps = start.rollout
    guard steps.contains(where: { $0.percent > 0 }), steps.last?.percent == 0 else { return nil }
    let closed = steps.reversed().prefix { $0.percent == 0 }
    return closed.last.map { max($0.at, start.publishedAt) }
  }
  /// Of those that count for the estimand, the first.
  var ended: (at: Timestamp, reason: Censoring)? {
    guard selection.estimand == .speed else { return nil }
    let ends: [(at: Timestamp?, reason: Censoring)] = [(supersededAt, .superseded), (haltedAt, .halted)]
    return ends.compactMap { end in end.at.map { (at: $0, reason: end.reason) } }.min { $0.at < $1.at }
  }
  let newer: Set<Int64>

  /// What the device did on the target and on newer releases, in the spell's channel.
  struct Evidence {
    var history: DeviceHistory
    var spell: Spell
    var journey: JourneyView?
    var newerJourneys: [JourneyView]
  }

  /// nil where the spell has nothing to do with the release: it ended before it could.
  func judge(_ evidence: Evidence) -> AtRisk? {
    let spell = evidence.spell
    if let end = spell.end, end <= start.publishedAt { return nil }
    if spell.start > cutOff { return nil }
    var found = AtRisk(eligibleAt: max(start.publishedAt, spell.start))
    if evidence.history.isEmulator, !selection.includesEmulators { return found.excluded(.emulator) }
    let launch = evidence.journey.flatMap { Launch($0, evidence) }
    if let applied = launch?.applied {
      if applied < start.publishedAt - DeviceHistory.tolerance { return found.excluded(.skewExcluded) }
      if applied == evidence.history.firstContact { return found.excluded(.firstSeenAtUpdate) }
    }
    if launch?.isApplied != true, isBornOn(evidence) || launch.map({ cameWithIt($0, spell) }) ?? false {
      return found.excluded(.bornOn)
    }
    let ran = launch?.at(since: start.publishedAt)
    guard let eligibleAt = eligibility(evidence, ran, &found) else { return found.excluded(.notEligible) }
    if let ran, ran < eligibleAt, ran >= start.publishedAt { return found.excluded(.beforeEligibility) }
    found.eligibleAt = max(found.eligibleAt, eligibleAt)
    if found.eligibleAt >= limit(spell).at { return found.excluded(.notEligible) }
    found.update = ending(evidence, launch, &found)
    if let early = newerBefore(evidence, found) { return found.excluded(early) }
    found.intervals = intervals(evidence, found)
    return found.intervals.isEmpty ? found.excluded(.neverReachable) : found
  }

  /// A device that never updated while anybody looked: it ran the release before it was out, or as it was first seen.
  private func cameWithIt(_ launch: Launch, _ spell: Spell) -> Bool {
    guard let claimed = launch.claimed else { return false }
    if claimed < start.publishedAt { return launch.applied == nil }
    return claimed == spell.start
  }

  private func isBornOn(_ evidence: Evidence) -> Bool {
    let from = max(start.publishedAt, evidence.spell.start)
    guard let first = evidence.history.firstClaim(in: evidence.spell, from: from) else { return false }
    return first.claim == .running && (first.release == target || newer.contains(first.release))
  }

  /// When the rollout let this device have the release; nil: not yet, or nobody can know.
  private func eligibility(_ evidence: Evidence, _ ran: Timestamp?, _ found: inout AtRisk) -> Timestamp? {
    guard start.isStaged else { return start.publishedAt }
    if let bucket = evidence.journey?.bucket ?? evidence.history.bucket { return start.eligibleAt(bucket: bucket) }
    if selection.clock == .releaseAge { return start.publishedAt }
    found.remarks.insert(.fromFirstOffer)
    return [evidence.journey?.firstOffer, ran, start.completeAt].compactMap { $0 }.min()
  }
}

extension AtRisk {
  func excluded(_ reason: Exclusion) -> AtRisk {
    var copy = self
    copy.exclusion = reason
    copy.intervals = []
    copy.update = nil
    copy.remarks.subtract([.skewClamped, .impliedByCheck])
    return copy
  }
}

extension AtRiskRules {
  init?(_ selection: Selection, _ cutOff: Timestamp, _ timeline: Timeline, _ target: Int64, _ place: Group) {
    guard let channel = place.channel, let start = timeline.start(target, channel: channel, platform: place.platform)
    else { return nil }
    self.init(
      selection: selection, cutOff: cutOff, target: target, start: start,
      supersededAt: timeline.supersededAt(target, channel: channel, platform: place.platform),
      newer: timeline.newer(than: target, channel: channel, platform: place.platform))
  }
}
