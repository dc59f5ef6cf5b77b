internal import Console
import Lifecycle
import Statistics

extension VerdictEvidence {
  /// Against the release before at the same age, each device on its own clock.
  var speed: Verdict.Reason? {
    guard !isReplaced, start.publishedAt <= now else { return nil }
    guard let last = precedent else {
      return Verdict.Reason(.speed, .healthy, "there is no earlier release on \(named(channel)) to compare with")
    }
    guard let compared, let age = compared.age, let before = age.baseline.value, before > 0, age.difference.value != nil
    else { return Verdict.Reason(.speed, .healthy, notCompared(last)) }
    if age.isSlow, let silence { return Verdict.Reason(.speed, .unsettled, Self.words(silence, beside: last)) }
    if age.isSlow, let pause = start.pause(amid: .seconds(age.seconds), until: now) {
      return Verdict.Reason(.speed, .healthy, Self.words(pause, beside: last))
    }
    guard age.isSlow, let newcomers = compared.newcomers, newcomers.matter else {
      return speed(age, beside: last, devices: compared.devices, of: "")
    }
    guard let age = newcomers.age, age.isSlow else {
      return Verdict.Reason(.speed, .healthy, Self.words(newcomers, beside: last))
    }
    return speed(
      age, beside: last, devices: newcomers.devices,
      of: ", of those that were there when it was published\(newcomers.drawn)")
  }

  private func speed(_ age: Compare.Age, beside last: String, devices: Int, of whom: String) -> Verdict.Reason {
    let (difference, before) = (age.difference.value ?? 0, age.baseline.value ?? 0)
    let at = Console.age(seconds: age.seconds)
    var reason = Verdict.Reason(
      .speed, age.isSlow ? .slow : .healthy,
      "\(Self.words(age.difference, age.relevance)): \(share(before + difference)) had updated \(at) after they could, "
        + "\(share(before)) with \(named(last)), \(pointsWords(age.difference))\(whom)")
    (reason.value, reason.devices) = (age.difference, devices)
    reason.before = .init(release: last, value: before)
    reason.sentence += hardlyRun(reason)
    return reason
  }

  /// With their share in both, and what the other devices tell.
  private static func words(_ newcomers: SpeedBefore.Newcomers, beside last: String) -> String {
    let others =
      newcomers.age.map {
        "; of the others\(newcomers.drawn): \(words($0.difference, $0.relevance)), \(pointsWords($0.difference))"
      } ?? ""
    return
      "whether it is slower than \(named(last)) cannot be told: \(share(newcomers.share)) of its devices came after its publication,"
      + " \(share(newcomers.before)) of those of \(named(last)), and their clocks start at a contact\(others)"
  }

  /// Who waited through a halt was let wait.
  private static func words(_ pause: (from: Timestamp, to: Timestamp), beside last: String) -> String {
    "whether it is slower than \(named(last)) cannot be told: its rollout stood at 0% from \(pause.from.words) to \(pause.to.words), and who"
      + " waited through that counts as waiting"
  }

  /// Who updated since counts as waiting: a stopped pipeline looks like a slow release.
  private static func words(_ silence: FleetSilence, beside last: String) -> String {
    "whether it is slower than \(named(last)) cannot be told: no device was heard of since \(silence.since.words),"
      + " \(silence.isOfADay ? "and in a day" : "when") \(counted(silence.usual, "event")) are usual, and who updated since counts as"
      + " waiting"
  }

  /// Since the publication they can be, where the wait before the first offer counts.
  private func notCompared(_ before: String) -> String {
    guard compared?.isOfOffered == true else {
      // Who was let have one of the two is no matter of hours.
      if let published = compared?.published {
        return "it cannot be compared with \(named(before)) by less than whole days: \(published.words(before))"
      }
      return "it cannot be compared with \(named(before)) yet"
    }
    return
      "on each device's own clock it cannot be compared with \(named(before)): nobody knows who was let have one of the two"
  }

  /// What the interval permits to say; one without 0 in it is a difference, however small.
  static func words(_ difference: Estimate, _ relevance: Relevance) -> String {
    guard let value = difference.value, let lo = difference.lo, let hi = difference.hi else { return "not comparable" }
    switch relevance {
    case .relevant: return value > 0 ? "faster than before" : "slower than before"
    case .equivalent: return "as fast as before"
    case .undecided:
      let little = abs(value) <= Verdict.slowMargin ? "a little " : ""
      return lo > 0 ? "\(little)faster than before" : hi < 0 ? "\(little)slower than before" : "no clear difference"
    }
  }

  var objective: Verdict.Reason? {
    guard let objective = options.objective, !isReplaced, start.publishedAt <= now else { return nil }
    let goal = "\(share(objective.share)) within \(Console.age(seconds: objective.within.rawValue / 1000))"
    if let halt = haltedAt, halt < min(now, start.publishedAt + objective.within) {
      return Verdict.Reason(.objective, .healthy, "the objective was \(goal): the rollout was halted before")
    }
    let since = lastPlatform?.publishedAt ?? start.publishedAt
    guard let age, age.share.value != nil, start.publishedAt + followed >= since + objective.within else {
      let last = lastPlatform.map { ", when it is that old on \(named($0.name)), too" } ?? ""
      return Verdict.Reason(
        .objective, .healthy, "the objective is \(goal): known from \((since + objective.within).words) on\(last)")
    }
    if age.share.reason == .clockFromOffer {
      return Verdict.Reason(
        .objective, .healthy, "the objective is \(goal): not known, as nobody knows who was let have it")
    }
    let (lo, hi) = (age.share.lo ?? 0, age.share.hi ?? 1)
    let isLow = hi < objective.share
    let halt = isLow && silence == nil ? haltWords(objective, since + objective.within) : nil
    let isMissed = isLow && silence == nil && !(halt?.explains ?? false)
    let unknown = silence.map { "not known, as no device was heard of since \($0.since.words)" }
    let low = isMissed ? "missed" : unknown ?? "not reached, as one's own halt may explain"
    let word = isLow ? low : lo >= objective.share ? "reached" : "not decided yet"
    var reason = Verdict.Reason(
      .objective, isMissed ? .belowObjective : .healthy, "the objective of \(goal) is \(word): \(figure(age.share))")
    (reason.value, reason.events, reason.devices) = (age.share, age.events, age.observed.devices)
    (reason.limit, reason.limitFrom) = (objective.share, .configured)
    reason.sentence += halt?.words ?? ""
    return reason
  }

  /// Of a rollout that stood at 0 % amid the objective's time for a tenth of it or more: who waited through that counts as waiting. It
  /// explains what is missed unless that is missed with the time given back, too.
  private func haltWords(
    _ objective: Verdict.Objective, _ end: Timestamp
  ) -> (explains: Bool, words: String)? {
    guard let pause = start.pause(amid: objective.within, until: now), let later = ageWithPauses else { return nil }
    let length = Milliseconds(rawValue: later.seconds * 1000 - objective.within.rawValue)
    let isKnown = start.publishedAt + followed >= end + length && later.share.value != nil
    let explains = !isKnown || (later.share.hi ?? 1) >= objective.share
    let given = isKnown ? "; with the \(lengthWords(length)) of the halt given back it is \(figure(later.share))" : ""
    return (
      explains,
      "; the rollout stood at 0% from \(pause.from.words) to \(pause.to.words), and who waited through that counts as waiting"
        + given
    )
  }

  // MARK: what comes next

  /// When the answer may be another one.
  func lookAgain(_ reasons: [Verdict.Reason]) -> Timestamp? {
    switch reasons[0].condition {
    case .replaced, .crashing, .rollingBack, .failing: nil
    case .halted: opening?.at
    case .fallingSilent: now + .hours(1)
    case .scheduled: start.publishedAt
    // Crashes and rollbacks count until now, whatever the others wait for.
    case .unsettled where reasons[0].subject == .publication && isPublishedAgain: min(knownAgain, now + .hours(1))
    case .unsettled: isHigh(reasons) ? nextLook : min(settling ?? now + .hours(1), now + .hours(1))
    case .stale, .noLimit: now + .hours(1)
    case .undone, .belowObjective, .slow: now + (followed < .days(3) ? .hours(1) : .hours(6))
    case .healthy: nextStep ?? now + (followed < .days(3) ? .hours(1) : .days(1))
    }
  }

  /// Whether something lies above its limit: the next look may find that it does for certain.
  private func isHigh(_ reasons: [Verdict.Reason]) -> Bool {
    let rule = attempts?.stopRule
    let isFailing = rule.map { Double($0.watchedFailures) > $0.limit * Double($0.watched) } ?? false
    return isFailing || reasons.contains { $0.condition == .unsettled && $0.isHigh }
  }

  private var nextLook: Timestamp {
    let grid = LookGrid(from: start.publishedAt)
    return grid.last(until: now).map { grid.instant(of: $0 + 1) } ?? now + LookGrid.step
  }

  /// How far the data are complete behind the present.
  var lag: Milliseconds {
    max(.seconds(0), Milliseconds(rawValue: (now - start.publishedAt).rawValue - followed.rawValue))
  }

  private var nextStep: Timestamp? { start.rollout.map(\.at).filter { $0 > now }.min() }

  /// The step that ends a halt by itself: one that was planned, or a first one by a clock that is ahead.
  var opening: RolloutStep? { start.rollout.filter { $0.at > now && $0.percent > 0 }.min { $0.at < $1.at } }

  /// When enough launches will be a day old, if no other device launches it; nil where they are, or there are too few.
  private var settling: Timestamp? { launches.settling(Verdict.fewestDevices).map { now + $0 + lag } }

  func wouldChange(_ first: Verdict.Reason) -> String {
    switch first.condition {
    case .replaced: "nothing: a newer release took its place"
    case .scheduled: "its publication"
    case .crashing, .rollingBack, .failing: mendedOrOverruled(first)
    case .fallingSilent: "devices that took it and speak again, or a newer release that mends it"
    case .undone: "devices that run it again, or a newer release"
    case .halted:
      opening.map { "its step to \(share($0.percent / 100)) at \($0.at.words)" } ?? "a rollout step above 0%"
    case .stale: newest == nil ? "a first event" : "events that arrive again"
    case .noLimit: "a limit given with --limit, or an earlier release with attempts to set one"
    case .unsettled where first.subject == .speed: "events that arrive again"
    case .unsettled where first.subject == .publication && isPublishedAgain:
      "a day from then in which few devices crash: at \(knownAgain.words)"
    case .unsettled where isGivenToNobody, .slow where isGivenToNobody: "a first device that tries to get it"
    case .unsettled: moreDevices(first)
    case .belowObjective: "a higher share, or another objective"
    case .slow where isHardlyRun(first): "devices that say that they run it"
    case .slow: "adoption within \(decimal(Verdict.slowMargin * 100, 0)) points of the release before"
    case .healthy:
      "first attempts, crashes or rollbacks above their limits; or no device heard of for \(lengthWords(Verdict.stalest))"
    }
  }

  /// What past releases set for crashes and rollbacks stands beside `--harm-limit`: no option lifts it. A release that is opened again has
  /// new looks, over all of its devices: where the newest figures lie above the limit the first of them stops it again.
  private func mendedOrOverruled(_ first: Verdict.Reason) -> String {
    let isLifted = first.condition == .failing || first.limitFrom != .history
    let option = first.condition == .failing ? "--limit" : "--harm-limit"
    let higher = isLifted ? "with \(option) above \(share(first.limit ?? 0)), or " : ""
    let opening = percent == 0 ? "by opening it again" : "by setting the rollout to 0% and opening it again"
    return "a newer release that mends it; or you do: \(higher)\(opening),"
      + " once its newest figures alone would not stop it" + countedOn
  }

  /// Who mends a build and gives it out under the same label finds what the old one did in its figures.
  private var countedOn: String {
    start.reopenedAt(until: now).map {
      "; it was opened again at \($0.words), and what devices did with it before counts on: what is mended needs a label of its own"
    } ?? ""
  }

  /// The interval holds for who looks once; a verdict is asked again and again, and is to be wrong once at most.
  private func moreLooks(_ first: Verdict.Reason) -> String {
    guard let lo = first.value?.lo, let limit = first.limit, lo > limit else {
      return "more devices: so far nobody can tell for certain on which side of its limit that lies"
    }
    return
      "more devices: for one look that is above its limit, and not yet for certain by the stricter rule of a verdict that looks"
      + " every five minutes; who need not wait for it halts now"
  }

  /// A small fleet can wait for them forever, and so can a small share of a large one.
  private func moreDevices(_ first: Verdict.Reason) -> String {
    if awaitsLooks(first) { return moreLooks(first) }
    let needed = "\(Verdict.fewestDevices) that launched it a day ago, with harm below the limits"
    guard allowed < Verdict.fewestDevices else { return "more devices: \(needed)" }
    let few =
      fleet < Verdict.fewestDevices
      ? "\(counted(fleet, "device")) \(fleet == 1 ? "is" : "are") known on \(named(channel))"
      : "at \(share(widest / 100)) some \(grouped(allowed)) of \(counted(fleet, "device")) may have it"
    return
      "first attempts that settle below their limit for certain; it cannot have the \(needed): \(few). Decide by what is counted,"
      + " or give a limit of failures that so few can hold with --limit\(leastLimit(allowed))"
  }

  /// What is high already waits for no number of devices.
  private func awaitsLooks(_ first: Verdict.Reason) -> Bool {
    let isHighNow = (first.value?.lo ?? 0) > first.limit ?? .infinity
    return first.isHigh && (launches.launched >= Verdict.fewestDevices || isHighNow)
  }

  /// Up to which percentage it is let, as far as is announced.
  private var widest: Double {
    ([percent ?? 100] + start.rollout.filter { $0.at > now }.map(\.percent)).max() ?? 100
  }

  /// How many devices may have it then.
  private var allowed: Int { max(Int((Double(fleet) * widest / 100).rounded()), launches.launched) }

  /// Whether these are too few for a verdict: for 200 launches, and for a rate that is below the limit in force for certain.
  func isTooSmall(_ first: Verdict.Reason) -> Bool {
    guard first.condition == .unsettled, first.subject != .speed, !isGivenToNobody, !awaitsLooks(first),
      !(first.subject == .publication && isPublishedAgain), allowed < Verdict.fewestDevices
    else { return false }
    guard let rule = attempts?.stopRule, rule.canWiden, let least = leastPercent(allowed) else { return true }
    return rule.limit * 100 < Double(least)
  }

  /// In whole percents, if no more devices fail than have: the rule for a rate that is low holds at all looks together, so it asks for more
  /// than an interval shows.
  private func leastPercent(_ devices: Int) -> Int? {
    let none = Proportion(Int64(min(failedSoFar, devices)), of: Int64(devices))
    return (1...99).first { percent in
      let test = MixtureTest(
        limit: .init(configured: Double(percent) / 100), alpha: attempts?.stopRule.alpha ?? Failures.Options().alpha)
      return test.evidenceBelow(none) >= test.threshold
    }
  }

  private func leastLimit(_ devices: Int) -> String {
    let failed = failedSoFar
    let few =
      failed == 0 ? "none of \(grouped(devices)) fails" : "no more than \(grouped(failed)) of \(grouped(devices)) fail"
    return leastPercent(devices).map { ": \($0)% or more while \(few)" } ?? ""
  }

  private var failedSoFar: Int { attempts.map { max($0.failed, $0.stopRule.watchedFailures) } ?? 0 }
}

extension SpeedBefore.Newcomers {
  /// Shares closer than the margin cannot make a release that is as fast look slow.
  fileprivate var matter: Bool { abs(share - before) > Verdict.slowMargin }
  /// Where all are looked at, that goes without saying.
  fileprivate var drawn: String { isSample ? ", counted of a random part of all" : "" }
}

/// `−2.3 pp (−4.0 to −0.6)`.
private func pointsWords(_ difference: Estimate) -> String {
  guard let value = difference.value else { return "not known" }
  guard let lo = difference.lo, let hi = difference.hi else { return points(value) }
  let words = Cell.points(value, .init(lo, hi)).words(.unicode)
  return words.value + " " + words.interval
}
