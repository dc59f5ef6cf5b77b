import Console
import Glibc
import Lifecycle
import Statistics

/// Crashes that come later than a day after the launch: of a build that runs out of memory in a day, of a server that sends something else
/// since, or of another build under the same label.
extension VerdictEvidence {
  /// The first day that stops it; else the newer of the last two that likely should.
  var lateCrashes: Verdict.Reason? {
    guard let late else { return nil }
    let opened = start.reopenedAt(until: now) ?? start.publishedAt
    let days = late.days.indices.filter { late.interval($0).end > opened && late.days[$0].devices >= minCell }
    if let day = days.first(where: { late.days[$0].isAbove(options.harmLimit, Self.alpha(late.number($0))) }) {
      return lateReason(late, day, .crashing)
    }
    let newest = days.suffix(2).filter { late.days[$0].devices >= Diagnosis.fewest }
    return newest.reversed().map { lateReason(late, $0, .unsettled) }.first(where: \.isLikelyHarm)
  }

  /// The chance of a wrong stop of one kind of harm and one limit, shared among all days that may come.
  private static func alpha(_ day: Int) -> Double {
    HarmTest.alpha * 6 / (Double.pi * Double.pi * Double((day + 1) * (day + 1)))
  }

  private func lateReason(_ late: LateCrashTally, _ place: Int, _ condition: Verdict.Condition) -> Verdict.Reason {
    let (day, interval) = (late.days[place], late.interval(place))
    let rate = day.share.wilson(level: level)
    var reason = Verdict.Reason(
      .lateCrashes, condition,
      "\(grouped(day.crashed)) of \(counted(day.devices, "device")) that had launched it before crashed for the first time, more than a day"
        + " after that, between \(interval.start.words) and \(interval.end.words): \(figure(rate))")
    (reason.value, reason.events, reason.devices) = (rate, day.crashed, day.devices)
    (reason.limit, reason.limitFrom) = (options.harmLimit, options.harmLimitFrom)
    reason.sentence += limitWords(reason, holds: true)
    if late.isSample { reason.sentence += ", counted of a random part of all" }
    return reason
  }
}

extension LateCrashTally.Day {
  fileprivate func isAbove(_ limit: Double, _ alpha: Double) -> Bool {
    let test = MixtureTest(limit: FailureLimit(configured: limit), alpha: alpha)
    return test.evidenceAbove(share) >= test.threshold
  }
}
