import Console
import Lifecycle
import Statistics

/// Crashes that come later than a day after the launch: of a build that runs out of memory in a day, of a server that sends something else
/// since, or of another build under the same label.
extension VerdictEvidence {
  /// The chance of a wrong stop of one kind of harm and one limit, shared among the days.
  private static let lateAlpha = HarmTest.alpha / Double(LateDays.most)

  /// The first day that stops it; else the newest, where it lies above the limit.
  var lateCrashes: Verdict.Reason? {
    guard let crashes = aftermath?.crashes else { return nil }
    let opened = start.reopenedAt(until: now) ?? start.publishedAt
    let days = crashes.days.indices.filter { crashes.interval($0).start >= opened && crashes.days[$0].crashed > 0 }
    if let day = days.first(where: { crashes.days[$0].isAbove(options.harmLimit, Self.lateAlpha) }) {
      return lateReason(crashes.days[day], crashes.interval(day), .crashing)
    }
    guard let newest = days.last, crashes.interval(newest).end == now else { return nil }
    let reason = lateReason(crashes.days[newest], crashes.interval(newest), .unsettled)
    return reason.isHigh ? reason : nil
  }

  private func lateReason(
    _ day: LateCrashTally.Day, _ interval: (start: Timestamp, end: Timestamp), _ condition: Verdict.Condition
  ) -> Verdict.Reason {
    let rate = day.share.wilson(level: level)
    var reason = Verdict.Reason(
      .lateCrashes, condition,
      "\(grouped(day.crashed)) of \(counted(day.devices, "device")) that launched it more than a day before crashed for the first time between"
        + " \(interval.start.words) and \(interval.end.words): \(figure(rate))")
    (reason.value, reason.events, reason.devices) = (rate, day.crashed, day.devices)
    (reason.limit, reason.limitFrom) = (options.harmLimit, options.harmLimitFrom)
    reason.sentence += limitWords(reason, holds: true) + drawn
    return reason
  }
}

extension LateCrashTally.Day {
  fileprivate func isAbove(_ limit: Double, _ alpha: Double) -> Bool {
    let test = MixtureTest(limit: FailureLimit(configured: limit), alpha: alpha)
    return test.evidenceAbove(share) >= test.threshold
  }
}
