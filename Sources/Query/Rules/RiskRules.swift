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
  /// Where the estimand ends the chance to update with the next release; else `.max`.
  let supersededAt: Int64
  let window: Int64
  let estimand: Estimand
  let censor: CensorRule
  let isFromOwnStart: Bool
  let eligibility: Eligibility
  let supersession: Timestamp?
  private let includesEmulators: Bool
  private let attribution: Attribution
  /// By the code of a trigger.
  private let causes: [Cause]
  /// By the number of a release: whether it counts as newer.
  private let newer: [Bool]
  /// Nothing spoke of a newer release before this one was published.
  private let areNewerLate: Bool

  init?(_ selection: Selection, _ cutOff: Timestamp, _ timeline: Timeline, _ target: Int64, _ segment: Group) {
    guard let channel = segment.channel,
      let start = timeline.start(target, channel: channel, platform: segment.platform)
    else { return nil }
    (self.target, self.start, self.cutOff) = (target, start, cutOff.rawValue)
    publishedAt = start.publishedAt.rawValue
    supersession = timeline.supersededAt(target, channel: channel, platform: segment.platform)
    supersededAt = selection.estimand == .speed ? supersession?.rawValue ?? .max : .max
    window = selection.reachWindow.rawValue
    (estimand, censor, attribution) = (selection.estimand, selection.censor, selection.attribution)
    isFromOwnStart = selection.clock == .own
    includesEmulators = selection.includesEmulators
    eligibility = Eligibility(start)
    causes = (0..<8).map { Cause(FirstTime(rawValue: $0).trigger) }
    let newer = timeline.newer(than: target, channel: channel, platform: segment.platform)
    self.newer = (0...(newer.max() ?? 0)).map(newer.contains)
    areNewerLate = timeline.releases.allSatisfy { record in
      !newer.contains(record.id)
        || record.sightings.allSatisfy { $0.channel != channel || $0.firstAt >= start.publishedAt }
    }
  }

  /// Clocks may be wrong by so much.
  static let tolerance = Milliseconds.minutes(5)

  var isStaged: Bool { eligibility.isStaged }
  /// Whether journeys on newer releases have a bearing.
  var looksAtNewer: Bool { estimand != .speed }

  @inline(__always)
  func isNewer(_ release: Int64) -> Bool { release > 0 && release < Int64(newer.count) && newer[Int(release)] }

  @inline(__always)
  private func isSuccessor(_ release: Int64) -> Bool { release == target || isNewer(release) }

  /// Where the device's clock starts.
  @inline(__always)
  func origin(eligibleAt: Int64) -> Int64 { isFromOwnStart ? eligibleAt : publishedAt }

  @inline(__always)
  func mechanism(_ journey: JourneyRow) -> Cause {
    let first = journey.credited(attribution)
    return first == .max ? .unknown : causes[Int(first & 7)]
  }

  /// When the chance to update ended for reasons that lie outside the device's silence.
  @inline(__always)
  func limit(_ stay: Stay) -> (at: Int64, reason: Censoring) {
    var limit = (at: cutOff, reason: Censoring.cutOff)
    if stay.end < limit.at { limit = (stay.end, .switched) }
    if supersededAt < limit.at { limit = (supersededAt, .superseded) }
    return limit
  }
}

// MARK: judgements

extension RiskRules {
  typealias Update = (at: Int64, cause: Cause)

  /// Whether a stay has to do with the release at all: it ended before it could, or began after the cutoff.
  @inline(__always)
  func concerns(_ stay: Stay) -> Bool { stay.end > publishedAt && stay.start <= cutOff }

  /// - Parameters:
  ///   - journey: on the release, in the stay's channel.
  ///   - isBornOn: whether the device's first word after the publication came from this release or a newer one; has no
  ///     bearing where it applied the release.
  @inline(__always)
  func judge(_ device: DeviceRow, _ stay: Stay, _ journey: JourneyRow?, isBornOn: Bool) -> Judgement {
    var found = Judgement(eligibleAt: max(publishedAt, stay.start))
    if device.isEmulator, !includesEmulators { return found.excluded(.emulator) }
    let applied = journey.map { appliedAt($0, stay) } ?? .max
    if applied != .max {
      if applied < publishedAt - Self.tolerance.rawValue { return found.excluded(.skewExcluded) }
      if applied == device.firstContact { return found.excluded(.firstSeenAtUpdate) }
    } else if isBornOn {
      return found.excluded(.bornOn)
    }
    let eligibleAt = eligibleAt(device, journey, applied, &found)
    if eligibleAt == .max { return found.excluded(.notEligible) }
    if applied < eligibleAt, applied >= publishedAt { return found.excluded(.beforeEligibility) }
    found.eligibleAt = max(found.eligibleAt, eligibleAt)
    if found.eligibleAt >= limit(stay).at { return found.excluded(.notEligible) }
    if let journey { setUpdate(stay, journey, applied, &found) }
    return found
  }

  /// `.max` where the device did not apply the release in the stay.
  @inline(__always)
  func appliedAt(_ journey: JourneyRow, _ stay: Stay) -> Int64 {
    let at = JourneyRow.at(journey.applied)
    return at <= cutOff && stay.holds(at) ? at : .max
  }

  /// When the rollout let this device have the release; `.max`: not yet, or nobody can know.
  @inline(__always)
  private func eligibleAt(
    _ device: DeviceRow, _ journey: JourneyRow?, _ applied: Int64, _ found: inout Judgement
  ) -> Int64 {
    guard eligibility.isStaged else { return publishedAt }
    if let bucket = journey?.bucket ?? device.bucket { return eligibility.at(bucket: bucket) }
    if !isFromOwnStart { return publishedAt }
    found.isFromFirstOffer = true
    let offer = journey?.offeredAt ?? .max
    return min(offer != .max ? offer : applied, eligibility.completeAt)
  }

  /// Takes in the device's first update to a newer release, not before it became eligible for this one.
  func note(newer: Update, _ found: inout Judgement) {
    guard newer.at < found.updatedAt else { return }
    found.updatedAt = newer.at
    found.cause = estimand == .asHappened ? .newerRelease : newer.cause
  }

  /// When and by what cause the device's time at risk ended in an event.
  @inline(__always)
  private func setUpdate(_ stay: Stay, _ journey: JourneyRow, _ applied: Int64, _ found: inout Judgement) {
    var (updated, cause) = (Int64.max, Cause.unknown)
    if applied != .max {
      updated = max(applied, publishedAt)
      found.isClamped = applied < publishedAt
      cause = mechanism(journey)
    } else if !journey.isApplied, case let seen = journey.claimedAt, seen <= cutOff, seen >= found.eligibleAt,
      stay.holds(seen)
    {
      // It runs the release though nobody saw it applied: it updated no later than it first said so.
      updated = seen
      found.isImplied = true
      cause = journey.isDelivered ? mechanism(journey) : .unknown
    }
    if updated < supersededAt { (found.updatedAt, found.cause) = (updated, cause) }
  }

  /// A newer release that the device applied, not before it became eligible for this one.
  @inline(__always)
  func newerUpdate(_ journey: JourneyRow, _ stay: Stay, eligibleAt: Int64) -> Update? {
    let applied = appliedAt(journey, stay)
    return applied != .max && applied >= eligibleAt ? (applied, mechanism(journey)) : nil
  }
}

// MARK: born on

extension RiskRules {
  /// Whether the device's first word after the publication was that it runs this release or a newer one, which it had not
  /// applied; by its outline. nil where that tells too little. False where it has no bearing.
  @inline(__always)
  func isBornOn(_ devices: DeviceOutlines, _ index: Int, _ stay: Stay, _ journey: JourneyRow?) -> Bool? {
    if let journey, appliedAt(journey, stay) != .max { return false }
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
      if best.map({ candidate < $0 }) ?? true { best = candidate }
    }
    return best.map { $0.claim == .running && isSuccessor($0.release) } ?? false
  }
}
