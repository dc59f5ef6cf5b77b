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
    let isSlow = age.isSlow
    if age.isSlower, let silence {
      return Verdict.Reason(.speed, isSlow ? .unsettled : .healthy, Self.words(silence, beside: last))
    }
    if age.isSlower, let pause = start.pause(amid: .seconds(age.seconds), until: now) {
      return Verdict.Reason(.speed, .healthy, Self.words(pause, beside: last))
    }
    if age.isFaster, let pause = pauseBefore(age) {
      return Verdict.Reason(.speed, .healthy, Self.words(pause, before: last))
    }
    guard age.isSlower, let newcomers = compared.newcomers, newcomers.matter else {
      return speed(age, beside: last, devices: compared.devices, of: "", isSlow: isSlow)
    }
    guard let age = newcomers.age, isSlow ? age.isSlow : age.isSlower else {
      return Verdict.Reason(.speed, .healthy, Self.words(newcomers, beside: last))
    }
    return speed(
      age, beside: last, devices: newcomers.devices,
      of: ", of those that were there when it was published\(newcomers.drawn)", isSlow: isSlow)
  }

  /// Through which devices waited for the release before.
  private func pauseBefore(_ age: Compare.Age) -> Timeline.Start.Pause? {
    precedentStart?.pause(amid: .seconds(age.seconds), until: now)
  }

  private func speed(
    _ age: Compare.Age, beside last: String, devices: Int, of whom: String, isSlow: Bool
  ) -> Verdict.Reason {
    let (difference, before) = (age.difference.value ?? 0, age.baseline.value ?? 0)
    let at = Console.age(seconds: age.seconds)
    var reason = Verdict.Reason(
      .speed, isSlow ? .slow : .healthy,
      "\(Self.words(age.difference, age.relevance)): \(share(before + difference)) had updated \(at) after they could, "
        + "\(share(before)) with \(named(last)), \(pointsWords(age.difference))\(whom)")
    (reason.value, reason.devices) = (age.difference, devices)
    reason.before = .init(release: last, value: before)
    reason.sentence += hardlyRun(reason)
    if age.isSlower || age.isFaster, let days = compared?.days {
      reason.sentence += "; \(days.words(last)): part of the difference may be the day"
    }
    if let pause = pauseBefore(age) { reason.sentence += "; the rollout of \(named(last)) \(Self.words(pause))" }
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
  private static func words(_ pause: Timeline.Start.Pause, beside last: String) -> String {
    "whether it is slower than \(named(last)) cannot be told: its rollout \(words(pause))"
  }

  /// Likewise with the release before.
  private static func words(_ pause: Timeline.Start.Pause, before last: String) -> String {
    "whether it is faster than \(named(last)) cannot be told: the rollout of \(named(last)) \(words(pause))"
  }

  private static func words(_ pause: Timeline.Start.Pause) -> String {
    "stood at 0% from \(pause.from.words) to \(pause.to.words), and who waited through that counts as waiting"
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
    if age?.share.reason == .partsNotFollowed, start.publishedAt + followed >= since + objective.within {
      return Verdict.Reason(
        .objective, .healthy, "the objective is \(goal): not known of all, as not every platform was followed so long")
    }
    guard let age, age.share.value != nil, start.publishedAt + followed >= since + objective.within else {
      let last = lastPlatform.map { ", when it is that old on \(named($0.name)), too" } ?? ""
      return Verdict.Reason(
        .objective, .healthy, "the objective is \(goal): known from \((since + objective.within).words) on\(last)")
    }
    if age.share.reason == .clockFromOffer {
      return Verdict.Reason(
        .objective, .healthy, "the objective is \(goal): not known, as nobody knows who was let have it")
    }
    let reached = age.limitedShare
    let (lo, hi) = (reached.lo ?? 0, reached.hi ?? 1)
    let isLow = hi < objective.share && !age.isOfFew
    let halt = isLow && silence == nil ? haltWords(objective, since + objective.within) : nil
    let isMissed = isLow && silence == nil && !(halt?.explains ?? false)
    let unknown = silence.map { "not known, as no device was heard of since \($0.since.words)" }
    let low = isMissed ? "missed" : unknown ?? "not reached, as one's own halt may explain"
    let word = isLow ? low : lo >= objective.share ? "reached" : "not decided yet"
    var reason = Verdict.Reason(
      .objective, isMissed ? .belowObjective : .healthy, "the objective of \(goal) is \(word): \(figure(reached))")
    (reason.value, reason.events, reason.devices) = (reached, age.events, age.observed.devices)
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
    let explains = !isKnown || (later.limitedShare.hi ?? 1) >= objective.share
    let given =
      isKnown
      ? "; with the \(lengthWords(length)) of the halt given back it is \(figure(later.limitedShare))" : ""
    return (
      explains,
      "; the rollout stood at 0% from \(pause.from.words) to \(pause.to.words), and who waited through that counts as waiting"
        + given
    )
  }
}

extension Adoption.Age {
  /// Whether few devices that were followed so long stand for many that were not: their limits are those of earlier ages, and too close.
  fileprivate var isOfFew: Bool { isUnstable && 2 * atRisk < observed.devices - events }
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
