import Console
import Glibc
import Lifecycle
import Statistics

/// A kind of harm that comes later than a day after the launch: of a build that runs out of memory in a day, of a server that sends something
/// else since, or of another build under the same label.
private struct LateHarm {
  var subject: Verdict.Subject
  var bad: Verdict.Condition
  var verb: (one: String, many: String)
  var path: KeyPath<LateHarmTally.Part, LateHarmTally.Course>
  var tally: LateHarmTally
}

/// What came of all devices, or of those of one platform.
private struct LatePart {
  /// nil for all; empty for devices that name none.
  var platform: String?
  var course: LateHarmTally.Course
  /// The chance of a wrong stop is shared among so many.
  var cells: Int
}

extension VerdictEvidence {
  var lateCrashes: Verdict.Reason? {
    late.flatMap {
      found(LateHarm(subject: .lateCrashes, bad: .crashing, verb: ("crashed", "crashed"), path: \.crashes, tally: $0))
    }
  }
  var lateRollbacks: Verdict.Reason? {
    late.flatMap {
      found(
        LateHarm(
          subject: .lateRollbacks, bad: .rollingBack, verb: ("was rolled back", "were rolled back"), path: \.rollbacks,
          tally: $0))
    }
  }

  /// The first day that stops it, of all devices or else of those of a platform; else a likely one.
  private func found(_ harm: LateHarm) -> Verdict.Reason? {
    let whole = LatePart(platform: nil, course: harm.tally.whole(harm.path), cells: 1)
    if let day = stoppingDay(harm, whole) { return reason(harm, whole, day, harm.bad) }
    let apart = harm.tally.platforms(harm.path).map { LatePart(platform: $0, course: $1, cells: Self.mostPlatforms) }
    let parts = apart.count > 1 ? apart : []
    let stops = parts.compactMap { part in stoppingDay(harm, part).map { (part, $0) } }
    if let (part, day) = stops.min(by: { $0.1 < $1.1 }) { return reason(harm, part, day, harm.bad) }
    if let day = likelyDay(harm, whole, of: Diagnosis.fewest, events: Self.fewestEvents) {
      return reason(harm, whole, day, .unsettled)
    }
    let likely = parts.compactMap { part in
      likelyDay(harm, part, of: Diagnosis.fewest, events: Self.fewestLate).map { day in
        (reason: reason(harm, part, day, .unsettled), all: reason(harm, whole, day, .unsettled))
      }
    }
    guard let (likeliest, all) = likely.max(by: { $0.reason.excess < $1.reason.excess }) else { return nil }
    var worst = likeliest
    worst.sentence += besides(all, worst.platform ?? "")
    return worst
  }

  /// On one platform: each day is looked at by itself, so that three on some day say nothing.
  private static let fewestLate = 5

  /// What was answered before somebody opened the rollout again is over.
  private func days(_ harm: LateHarm, _ part: LatePart) -> [Int] {
    let opened = start.reopenedAt(until: now) ?? start.publishedAt
    return part.course.days.indices.filter { harm.tally.interval($0).end > opened }
  }

  private func stoppingDay(_ harm: LateHarm, _ part: LatePart) -> Int? {
    days(harm, part).first { day in
      let (count, alpha) = (part.course.days[day], Self.alpha(harm.tally.number(day)) / Double(part.cells))
      let test = MixtureTest(limit: FailureLimit(configured: options.harmLimit), alpha: alpha)
      return count.devices >= minCell && test.evidenceAbove(count.share) >= test.threshold
    }
  }

  /// The chance of a wrong stop of one kind of harm and one limit, shared among all days that may come.
  private static func alpha(_ day: Int) -> Double {
    HarmTest.alpha * 6 / (Double.pi * Double.pi * Double((day + 1) * (day + 1)))
  }

  /// The newest that likely should stop it, until the whole days since keep the limit, of as many devices together.
  private func likelyDay(_ harm: LateHarm, _ part: LatePart, of fewest: Int, events: Int) -> Int? {
    let (all, complete) = (part.course.days, start.publishedAt + followed)
    return days(harm, part).last { day in
      guard all[day].devices >= max(fewest, minCell), all[day].affected >= events,
        all[day].share.isLikely(above: options.harmLimit)
      else { return false }
      let whole = all.indices.dropLast().filter { $0 > day && harm.tally.interval($0).end <= complete }
      let since = whole.reduce(into: AffectedDevices()) { $0.add(all[$1], times: 1) }
      return since.devices < all[day].devices || Double(since.affected) > options.harmLimit * Double(since.devices)
    }
  }

  private func reason(
    _ harm: LateHarm, _ part: LatePart, _ place: Int, _ condition: Verdict.Condition
  ) -> Verdict.Reason {
    let (day, interval) = (part.course.days[place], harm.tally.interval(place))
    let rate = day.share.wilson(level: level)
    let there = part.platform.map { " on \(named(Self.name($0)))" } ?? ""
    func verb(_ count: AffectedDevices) -> String {
      count.affected == 1 || count.devices == 1 ? harm.verb.one : harm.verb.many
    }
    var reason = Verdict.Reason(
      harm.subject, condition,
      "\(grouped(day.affected)) of \(counted(day.devices, "device"))\(there) that had launched it before \(verb(day)) for the first time, more"
        + " than a day after that, between \(interval.start.words) and \(interval.end.words): \(figure(rate))")
    (reason.value, reason.events, reason.devices) = (rate, day.affected, day.devices)
    (reason.limit, reason.limitFrom) = (options.harmLimit, options.harmLimitFrom)
    reason.platform = part.platform
    let all = part.course.all
    reason.sentence += limitWords(reason, holds: true)
    reason.sentence +=
      "; in all \(grouped(all.affected)) of \(counted(all.devices, "device"))\(there) that launched it \(verb(all)) so far"
    if harm.tally.isSample { reason.sentence += ", counted of a random part of all" }
    return reason
  }
}
