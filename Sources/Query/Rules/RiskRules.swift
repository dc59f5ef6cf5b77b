import Lifecycle
import Statistics
import Store

/// The rules by which one device's stay becomes time at risk of updating to a release, on one channel and platform.
///
/// Plain numbers, nothing is read and nothing allocated. A class, so that going over devices does not count references to
/// all that it holds. Tests/QueryTests/Oracle says the same with an object for each device.
final class RiskRules {
  let target: Int64
  let start: Timeline.Start
  let publishedAt: Int64
  let cutOff: Int64
  /// Where the estimand ends the chance to update with the next release, or with a halt of the rollout; else `.max`.
  let endedAt: Int64
  private let endedBy: Censoring
  let window: Int64
  let estimand: Estimand
  let censor: CensorRule
  let isFromOwnStart: Bool
  let eligibility: Eligibility
  let supersession: Timestamp?
  private let includesEmulators: Bool
  private let leavesOutNewcomers: Bool
  private let attribution: Attribution
  /// By the code of a trigger.
  private let causes: [Cause]
  /// By the number of a release: whether it counts as newer.
  private let newer: [Bool]
  /// Nothing spoke of a newer release before this one was published.
  let areNewerLate: Bool

  init?(_ selection: Selection, _ cutOff: Timestamp, _ timeline: Timeline, _ target: Int64, _ segment: Group) {
    guard let channel = segment.channel,
      let start = timeline.start(target, channel: channel, platform: segment.platform)
    else { return nil }
    (self.target, self.start, self.cutOff) = (target, start, cutOff.rawValue)
    publishedAt = start.publishedAt.rawValue
    let after = timeline.after(target, channel: channel, platform: segment.platform)
    supersession = after.supersededAt
    let halt = start.haltedAt.map { $0.rawValue } ?? .max
    let next = supersession?.rawValue ?? .max
    endedAt = selection.estimand == .speed ? min(halt, next) : .max
    endedBy = halt < next ? .halted : .superseded
    window = selection.reachWindow.rawValue
    (estimand, censor, attribution) = (selection.estimand, selection.censor, selection.attribution)
    isFromOwnStart = selection.clock == .own
    (includesEmulators, leavesOutNewcomers) = (selection.includesEmulators, selection.leavesOutNewcomers)
    eligibility = Eligibility(start)
    causes = (0..<8).map { Cause(FirstTime(rawValue: $0).trigger) }
    var isNewer = [Bool](repeating: false, count: Int(after.newer.max() ?? 0) + 1)
    for release in after.newer { isNewer[Int(release)] = true }
    newer = isNewer
    areNewerLate = after.heard.map { $0 >= start.publishedAt } ?? true
  }

  /// Clocks may be wrong by so much.
  static let tolerance = HeardSpan.tolerance

  var isStaged: Bool { eligibility.isStaged }
  /// When the chance to update ended, whatever the estimand makes of it.
  var end: Timestamp? { [supersession, start.haltedAt].compactMap(\.self).min() }
  /// For how many seconds anybody there can be watched.
  var followed: Int64 { (max(0, min(cutOff, endedAt) - publishedAt) + 999) / 1000 }
  /// Whether a halt or a successor ended the chance to update.
  var isOver: Bool { endedAt < cutOff }
  /// Whether some devices were not let have the release before the chance to update ended.
  var isIncomplete: Bool { isStaged && eligibility.completeAt > min(cutOff, endedAt) }
  /// Whether journeys on newer releases have a bearing.
  var looksAtNewer: Bool { estimand != .speed }

  @inline(__always)
  func isNewer(_ release: Int64) -> Bool { release > 0 && release < Int64(newer.count) && newer[Int(release)] }

  /// In order of number.
  var newerReleases: [Int64] { newer.indices.filter { newer[$0] }.map(Int64.init) }

  @inline(__always)
  private func isSuccessor(_ release: Int64) -> Bool { release == target || isNewer(release) }

  /// Where the device's clock starts.
  @inline(__always)
  func origin(eligibleAt: Int64) -> Int64 { isFromOwnStart ? eligibleAt : publishedAt }

  /// When the chance to update ended for reasons that lie outside the device's silence.
  @inline(__always)
  func limit(_ stay: Stay) -> (at: Int64, reason: Censoring) {
    var limit = (at: cutOff, reason: Censoring.cutOff)
    if stay.end < limit.at { limit = (stay.end, .switched) }
    if endedAt < limit.at { limit = (endedAt, endedBy) }
    return limit
  }
}

// MARK: judgements

extension RiskRules {
  struct Update: Comparable {
    var at: Int64
    var cause: Cause
    var isSeen: Bool

    @inline(__always)
    static func < (one: Self, other: Self) -> Bool { (one.at, one.cause) < (other.at, other.cause) }
  }

  /// Whether a stay has to do with the release at all: it ended before it could, or began after the cutoff.
  @inline(__always)
  func concerns(_ stay: Stay) -> Bool { stay.end > publishedAt && stay.start <= cutOff }

  /// - Parameters:
  ///   - journey: on the release, in the stay's channel.
  ///   - isBornOn: whether the device's first word after the publication came from this release or a newer one; has no
  ///     bearing where `applied` is the first that is known of it running the release.
  @inline(__always)
  func judge(_ device: DeviceRow, _ stay: Stay, _ journey: JourneyRow?, isBornOn: Bool) -> Judgement {
    var found = Judgement(eligibleAt: max(publishedAt, stay.start))
    if device.isEmulator, !includesEmulators { return found.excluded(.emulator) }
    let evidence = journey.map { self.evidence($0, stay) } ?? RunEvidence.none
    if evidence.applied != .max {
      if evidence.applied < publishedAt - Self.tolerance.rawValue { return found.excluded(.skewExcluded) }
      if evidence.applied == device.firstContact { return found.excluded(.firstSeenAtUpdate) }
    }
    if isBornOn && !evidence.isApplied || ranBefore(stay, evidence) { return found.excluded(.bornOn) }
    let ranAt = evidence.at(since: publishedAt)
    let eligibleAt = eligibleAt(device, journey, ranAt, &found)
    if eligibleAt == .max { return found.excluded(.notEligible) }
    if ranAt < eligibleAt, ranAt >= publishedAt { return found.excluded(.beforeEligibility) }
    found.eligibleAt = max(found.eligibleAt, eligibleAt)
    if found.eligibleAt >= limit(stay).at { return found.excluded(.notEligible) }
    let isNewcomer = stay.start > publishedAt && found.eligibleAt == stay.start
    if leavesOutNewcomers, isNewcomer { return found.excluded(.notEligible) }
    if let journey { setUpdate(journey, evidence, &found) }
    return found
  }

  /// What a stay has of a device running a release.
  @inline(__always)
  func evidence(_ journey: JourneyRow, _ stay: Stay) -> RunEvidence {
    func known(_ at: Int64) -> Int64 { at <= cutOff && stay.holds(at) ? at : .max }
    return RunEvidence(applied: known(JourneyRow.at(journey.applied)), claimed: known(journey.claimedAt))
  }

  /// Whether it ran the release before it was published there, or from its first contact in the channel on; both without
  /// an update since that anybody saw.
  @inline(__always)
  private func ranBefore(_ stay: Stay, _ evidence: RunEvidence) -> Bool {
    guard evidence.claimed != .max, !evidence.isApplied else { return false }
    return evidence.claimed < publishedAt ? evidence.applied == .max : evidence.claimed == stay.start
  }

  /// When the rollout let this device have the release; `.max`: not yet, or nobody can know.
  @inline(__always)
  private func eligibleAt(
    _ device: DeviceRow, _ journey: JourneyRow?, _ ranAt: Int64, _ found: inout Judgement
  ) -> Int64 {
    guard eligibility.isStaged else { return publishedAt }
    if let bucket = journey?.bucket ?? device.bucket { return eligibility.at(bucket: bucket) }
    if !isFromOwnStart { return publishedAt }
    found.isFromFirstOffer = true
    return min(journey?.offeredAt ?? .max, ranAt, eligibility.completeAt)
  }

  /// Takes in when the device first ran a newer release, which counts as this one does: before it was eligible nobody let it.
  @inline(__always)
  func note(newer: Update, _ found: inout Judgement) {
    if newer.at < publishedAt {
      if found.updatedAt == .max { found = found.excluded(.bornOn) }
    } else if newer.at < found.eligibleAt {
      found = found.excluded(.beforeEligibility)
    } else if newer.at < found.updatedAt {
      (found.updatedAt, found.isSeen) = (newer.at, newer.isSeen)
      found.cause = estimand == .asHappened ? .newerRelease : newer.cause
    }
  }

  /// When and by what cause the device's time at risk ended in an event. At one instant an update comes before what ends the
  /// chance of one.
  @inline(__always)
  private func setUpdate(_ journey: JourneyRow, _ evidence: RunEvidence, _ found: inout Judgement) {
    let at = evidence.at(since: publishedAt)
    guard at != .max else { return }
    found.isClamped = at < publishedAt
    found.isImplied = at != evidence.applied
    guard at <= endedAt else { return }
    (found.updatedAt, found.cause) = (max(at, publishedAt), cause(journey, at, evidence))
    found.isSeen = isSeen(journey, at, evidence)
  }

  /// Of an update that nobody saw applied only what delivered it tells the mechanism: an `applied` that came later was another
  /// launch, and what was delivered later was fetched again.
  @inline(__always)
  private func cause(_ journey: JourneyRow, _ at: Int64, _ evidence: RunEvidence) -> Cause {
    let delivery = attribution == .delivered ? journey.delivery(until: at) : .max
    if delivery != .max { return causes[Int(delivery & 7)] }
    return at == evidence.applied && journey.isApplied ? causes[Int(journey.applied & 7)] : .unknown
  }

  /// `confirmed` is said at the launch itself, as `applied` is.
  @inline(__always)
  private func isSeen(_ journey: JourneyRow, _ at: Int64, _ evidence: RunEvidence) -> Bool {
    at == evidence.applied || at == journey.confirmedAt
  }

  /// When the device first ran a newer release.
  @inline(__always)
  func newerUpdate(_ journey: JourneyRow, _ stay: Stay) -> Update? {
    let evidence = self.evidence(journey, stay)
    let at = evidence.first
    if at == .max { return nil }
    return Update(at: at, cause: cause(journey, at, evidence), isSeen: isSeen(journey, at, evidence))
  }
}

/// What a device said of running a release in a stay; `.max` for nothing.
struct RunEvidence {
  var applied: Int64
  /// The first check or confirmation that named it as running.
  var claimed: Int64

  static let none = RunEvidence(applied: .max, claimed: .max)

  /// Whether `applied` is the first of it: what is said within the clocks' tolerance before belongs to the same launch.
  @inline(__always)
  var isApplied: Bool { applied != .max && (claimed == .max || claimed >= applied - RiskRules.tolerance.rawValue) }

  @inline(__always)
  var first: Int64 { isApplied ? applied : claimed }

  /// When it first ran the release, apart from claims before an instant.
  @inline(__always)
  func at(since instant: Int64) -> Int64 { isApplied || claimed < instant ? applied : claimed }
}

// MARK: born on

extension RiskRules {
  /// Whether the device's first word after the publication was that it runs this release or a newer one, which it had not
  /// applied; by its outline. nil where that tells too little. False where it has no bearing.
  @inline(__always)
  func isBornOn(_ devices: DeviceOutlines, _ index: Int, _ stay: Stay, _ journey: JourneyRow?) -> Bool? {
    if let journey, evidence(journey, stay).isApplied { return false }
    let birth = devices.births[index]
    if birth == DeviceOutlines.unclear { return nil }
    if isSuccessor(birth) {
      let bornAt = devices.birthTimes[index]
      if bornAt > cutOff { return false }
      return bornAt >= max(publishedAt, stay.start) ? true : nil
    }
    // What it ran otherwise it had applied before it said so; if that was after the publication, that word came first.
    if stay.start < publishedAt {
      if !areNewerLate { return nil }
      if let journey, journey.confirmedAt < publishedAt { return nil }
    }
    return false
  }

  /// The same by its contact runs. A run that spans the publication has a contact less than a day after it, which counts as
  /// the publication itself.
  func isBornOn(_ runs: RunColumns, _ device: Int, _ stay: Stay) -> Bool {
    let from = max(publishedAt, stay.start)
    var best: (at: Int64, claim: Claim, release: Int64)?
    for run in runs.range(device) where runs.starts[run] <= cutOff {
      let said = runs.kind(run)
      guard said.claim != .silent, said.channel == stay.channel, min(runs.ends[run], cutOff) >= from else { continue }
      let at = max(runs.starts[run], from)
      guard stay.holds(at) || at == from else { continue }
      let candidate = (at: at, claim: said.claim, release: said.release)
      guard let known = best else {
        best = candidate
        continue
      }
      let isBefore =
        (at, said.claim) == (known.at, known.claim)
        ? runs.order.release(said.release, precedes: known.release) : (at, said.claim) < (known.at, known.claim)
      if isBefore { best = candidate }
    }
    return best.map { $0.claim == .running && isSuccessor($0.release) } ?? false
  }
}
