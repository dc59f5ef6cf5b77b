internal import Console
import Lifecycle
import Statistics

extension VerdictEvidence {
  /// Weightiest first: what leaves nothing to decide, then stop, wait, go on; among equals what lies above its limit. Harm that is
  /// likely comes before a limit that is missing and before slowness that is certain. Never empty.
  var reasons: [Verdict.Reason] {
    let attempts = firstAttempts
    let found = [
      data, lastPlatformYoung, publishedAgain(attempts), attempts, rollbacks, crashes, lateCrashes,
      lateRollbacks, silenceAfter, running, speed, objective,
    ].compactMap(\.self)
    let all = [publication(isStopped: found.contains { $0.decision == .stop })].compactMap(\.self) + found
    let ordered = all.enumerated().map { (order: ($1.weight, $1.isHigh ? 0 : 1, $0), reason: $1) }
    return ordered.sorted { $0.order < $1.order }.map(\.reason)
  }

  /// What more devices may have than a newer one is to be stopped where it harms, and never to go on: widening it would give those the old
  /// one that are to get the new one.
  private func publication(isStopped: Bool) -> Verdict.Reason? {
    if start.publishedAt > now {
      return Verdict.Reason(.publication, .scheduled, "it will be published at \(start.publishedAt.words)")
    }
    if isBeforeUnregistered {
      return Verdict.Reason(
        .publication, isStopped ? .healthy : .replaced,
        "of a release that nobody registered fewer than \(SpokenTimes.fewest) devices on \(named(channel)) took it since: a build of"
          + " developers replaces nothing")
    }
    guard !isReplaced else {
      let isGiven = isRest && (isStopped || percent.map { $0 >= 100 } ?? true)
      let rest = "a newer release came to \(named(channel)), and not for all: \(others) still get this one"
      return isRest
        ? Verdict.Reason(.publication, isGiven ? .healthy : .replaced, rest)
        : Verdict.Reason(.publication, .replaced, "a newer release took its place on \(named(channel))")
    }
    guard percent == 0 else { return nil }
    if let opening {
      return Verdict.Reason(
        .publication, .halted,
        "the rollout stands at 0% until its step to \(share(opening.percent / 100)) at \(opening.at.words): before, no other device is offered it"
      )
    }
    return Verdict.Reason(
      .publication, .halted,
      "the rollout stands at 0%: no other device is offered it; those that have downloaded it may still start it")
  }

  private var others: String {
    guard let percent, percent < 100 else { return "the others" }
    return "others, up to \(stepWords(percent)),"
  }

  private var data: Verdict.Reason? {
    guard !isReplaced || isRest || isBeforeUnregistered else { return nil }
    guard let newest else { return Verdict.Reason(.data, .stale, Verdict.noDevice) }
    let silence = now - newest
    guard silence > Verdict.stalest else { return nil }
    return Verdict.Reason(
      .data, .stale,
      "no device was heard of for \(lengthWords(silence)), since \(newest.words): what happened since is not known")
  }

  /// What is known of the platforms that had it before says nothing of one that got it lately.
  private var lastPlatformYoung: Verdict.Reason? {
    guard !isReplaced, let last = lastPlatform, last.publishedAt <= now, now - last.publishedAt < .days(3) else {
      return nil
    }
    let own =
      apart.first { ($0.platform.isEmpty ? Group.unnamed : $0.platform) == last.name }?.launches ?? LaunchCounts()
    let settled = own.launched - own.young.reduce(0, +)
    guard settled < Verdict.fewestDevices else { return nil }
    return Verdict.Reason(
      .publication, .unsettled,
      "\(named(last.name)) got it \(lengthWords(now - last.publishedAt)) ago: \(settled < minCell ? "fewer than \(minCell) devices" : counted(settled, "device")) launched it there a day ago,"
        + " below \(Verdict.fewestDevices) nothing is called healthy")
  }

  // MARK: harm

  private var firstAttempts: Verdict.Reason {
    guard let row = attempts, row.attempts > 0 || row.watchedRate != nil else {
      return isGivenToNobody ? givenToNobody : Verdict.Reason(.firstAttempts, .unsettled, noAttempts)
    }
    let rule = row.stopRule
    var reason = Verdict.Reason(.firstAttempts, condition(row), "")
    if let rate = row.watchedRate {
      (reason.value, reason.events, reason.devices) = (rate, rule.watchedFailures, rule.watched)
    } else {
      (reason.value, reason.events, reason.devices) = (row.rate, row.failed, row.attempts)
    }
    reason.sentence =
      "\(grouped(reason.events ?? 0)) of \(counted(reason.devices ?? 0, "first attempt")) \(failedWords(row)): \(figure(reason.value ?? row.rate))"
    if let past = row.previous, past.attempts >= minCell, let rate = past.rate.value {
      reason.before = .init(release: past.release, value: rate)
    }
    if rule.limitFrom != .floor {
      (reason.limit, reason.limitFrom) = (rule.limit, rule.limitFrom == .configured ? .configured : .history)
    }
    reason.reachedAt = rule.reachedAt
    reason.sentence += limitWords(reason, holds: rule.holds, rule.reached) + permittedWords(row, reason)
    reason.sentence += mostly(row, reason) + tail(row, reason.condition) + afterHalt
    if reason.limitFrom == .history, reason.decision != .stop { reason.sentence += widened }
    return likelier(reason)
  }

  private func failedWords(_ row: Failures) -> String {
    guard row.watchedRate != nil else { return "failed" }
    guard row.attempts == 0, row.stopRule.decision != .stop else { return "so far failed" }
    return "failed so far, none an hour old\(lag < .minutes(5) || areAttemptsUntilNow ? "" : " at the cutoff")"
  }

  /// Where events arrive late, launches are known before any attempt counts.
  private var noAttempts: String {
    if lag < .minutes(5) || areAttemptsUntilNow { return "no device has tried to get it long enough ago to tell" }
    return "no first attempt was an hour old at the cutoff, \((now - lag).words)"
  }

  /// Failures come sooner than what becomes of the others: a rate that looks low may be too high for its time.
  private func permittedWords(_ row: Failures, _ reason: Verdict.Reason) -> String {
    let rule = row.stopRule
    guard rule.decision == .stop, rule.holds, let permitted = rule.permitted, (reason.value?.value ?? 0) <= rule.limit
    else {
      return ""
    }
    return ", which permits \(decimal(permitted, 1)) in the time that these were watched"
  }

  /// What half of the failed or more say was the reason: a server that answers with errors is mended elsewhere than a release.
  private func mostly(_ row: Failures, _ reason: Verdict.Reason) -> String {
    let isSoFar = row.watchedRate != nil
    let (reasons, failed) = isSoFar ? (row.reasonsSoFar, row.stopRule.watchedFailures) : (row.reasons, row.failed)
    guard reason.decision == .stop, let most = reasons.first, most.devices * 2 >= failed else { return "" }
    let share = most.devices < failed ? "mostly" : "all"
    return "; \(share): \(named(most.reason)) (\(grouped(most.devices)) of \(grouped(failed)))"
  }

  private func condition(_ row: Failures) -> Verdict.Condition {
    switch row.stopRule.decision {
    case .stop: return .failing
    case .widen: return .healthy
    case .goOn, nil: break
    }
    if !row.stopRule.canWiden, row.exceedsLeastLimit { return .noLimit }
    return row.isLowSoFar ? .healthy : .unsettled
  }

  private func tail(_ row: Failures, _ condition: Verdict.Condition) -> String {
    switch condition {
    case .noLimit:
      let past =
        row.stopRule.pastAttempts == 0 ? "no attempts to set a limit by" : "too few attempts to call a release safe by"
      return "; past releases have \(past): set one with --limit"
    case .unsettled where row.stopRule.settled < Verdict.fewestDevices:
      return "; healthy takes \(Verdict.fewestDevices) attempts that have settled, a day after the launch or broken:"
        + " \(grouped(row.stopRule.settled)) of them so far\(row.stopRule.canWiden ? ", or certainty sooner" : "")"
    case .unsettled: return "; more devices will tell on which side of the limit it is"
    case .healthy where row.stopRule.decision == .widen: return ", below it for certain"
    case .replaced, .scheduled, .crashing, .rollingBack, .failing, .fallingSilent, .undone, .halted, .stale,
      .belowObjective, .slow, .healthy:
      return ""
    }
  }

  func limitWords(_ reason: Verdict.Reason, holds: Bool, _ reached: StopEvidence? = nil) -> String {
    guard let limit = reason.limit else { return "" }
    let origin = reason.limitFrom == .history ? " that past releases set" : ""
    guard reason.decision == .stop else { return ", limit \(share(limit))\(origin)" }
    let isAbove = (reason.value?.value ?? 0) > limit
    guard let reachedAt = reason.reachedAt, let reached, !holds else {
      return isAbove ? ", above the limit of \(share(limit))\(origin)" : ", with a limit of \(share(limit))\(origin)"
    }
    let found = reached.words(limit, named: "it", by: reachedAt)
    return ", limit \(share(limit))\(origin): \(found), which newer figures do not take back"
  }
}

extension Verdict.Reason {
  init(_ subject: Verdict.Subject, _ condition: Verdict.Condition, _ sentence: String) {
    self.init(
      subject: subject, condition: condition, decision: condition.decision, value: nil, events: nil, devices: nil,
      limit: nil, limitFrom: nil, before: nil, reachedAt: nil, platform: nil, mostlyOn: nil, sentence: sentence)
  }

  /// Whether it lies above its limit, for certain or not.
  public var isHigh: Bool {
    subject.isHarm && (value?.value ?? 0) > limit ?? .infinity
  }

  var hasHarm: Bool { subject.isHarm && (events ?? 0) > 0 }

  /// Whether it lies above its limit with four chances in five or more, at one look; a stop takes more. Or whether devices fell silent, and
  /// no others are left to tell whether that is its doing.
  public var isLikelyHarm: Bool {
    if subject == .silence { return condition == .unsettled }
    guard isHigh, let events, let devices, let limit else { return false }
    return Proportion(Int64(events), of: Int64(devices)).isLikely(above: limit)
  }

  /// Least first.
  fileprivate var weight: Int {
    let isBeforeDoubt = condition == .unsettled && isLikelyHarm
    let rank = Verdict.Condition.allCases.firstIndex(of: isBeforeDoubt ? .noLimit : condition) ?? 0
    return 2 * rank - (isBeforeDoubt ? 1 : 0)
  }
}

extension Proportion {
  /// With four chances in five, at one look.
  func isLikely(above limit: Double) -> Bool { (wilson(level: 0.6).lo ?? 0) > limit }
}

/// `12.4% (11.4–13.5)`.
func figure(_ estimate: Estimate) -> String {
  guard let value = estimate.value else { return "not known" }
  guard let lo = estimate.lo, let hi = estimate.hi else { return share(value) }
  return "\(share(value)) (\(decimal(lo * 100, 1))–\(decimal(hi * 100, 1)))"
}

/// A name as sentences have it: in one line, and not so long that nothing else is read.
func named(_ name: String) -> String { truncated(harmless(name), to: 40) }

/// `1 device`, `1,622 devices`.
func counted(_ count: Int, _ noun: String) -> String { "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")" }

func lengthWords(_ length: Milliseconds) -> String { Console.duration(seconds: Double(length.rawValue) / 1000) }
