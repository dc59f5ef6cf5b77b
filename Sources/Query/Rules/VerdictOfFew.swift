import Console
import Lifecycle
import Statistics

/// What is told of devices that are too few, or too few yet.
extension VerdictEvidence {
  /// The interval holds for who looks once; a verdict is asked again and again, and is to be wrong once at most.
  private func moreLooks(_ first: Verdict.Reason) -> String {
    guard let lo = first.value?.lo, let limit = first.limit, lo > limit else {
      return "more devices: so far nobody can tell for certain on which side of its limit that lies"
    }
    let there = first.platform.map { $0.isEmpty ? "" : " it on \(named($0))" } ?? ""
    return
      "more devices: for one look that is above its limit, and not yet for certain by the stricter rule of a verdict that looks"
      + " every five minutes; who need not wait for it halts\(there) now"
  }

  /// A small fleet can wait for them forever, and so can a small share of a large one.
  func moreDevices(_ first: Verdict.Reason) -> String {
    if awaitsLooks(first) { return moreLooks(first) }
    let needed = "\(Verdict.fewestDevices) that launched it a day ago, with harm below the limits"
    guard allowed < Verdict.fewestDevices, !isFleetYoung else { return "more devices: \(needed)" }
    let few =
      fleet < Verdict.fewestDevices
      ? "\(counted(fleet, "device")) \(fleet == 1 ? "is" : "are") known on \(named(channel))\(fleetEnd)"
      : "at \(share(widest / 100)) some \(grouped(allowed)) of \(counted(fleet, "device")) may have it"
    let way =
      canHold(allowed)
      ? "or wait until all attempts have settled: the limit in force is one that so few can hold"
      : "or give a limit of failures that so few can hold with --limit\(leastLimit(allowed))"
    return
      "first attempts that settle below their limit for certain; it cannot have the \(needed): \(few). Decide by what is counted,"
      + " \(way)"
  }

  /// Where the first device was heard of less than a day ago the others may still come.
  private var isFleetYoung: Bool { firstHeard.map { now - $0 < .days(1) } ?? false }

  /// Who was first heard of since is not counted.
  private var fleetEnd: String {
    lag < .minutes(5) || fleet == launches.launched ? "" : " by \((now - lag).words)"
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
    guard first.condition == .unsettled, first.subject != .speed, first.subject != .silence, !isGivenToNobody,
      !awaitsLooks(first),
      !(first.subject == .publication && isPublishedAgain), !isFleetYoung, allowed < Verdict.fewestDevices
    else { return false }
    return !canHold(allowed)
  }

  /// Whether a rate can be below the limit in force for certain.
  private func canHold(_ devices: Int) -> Bool {
    guard let rule = attempts?.stopRule, rule.canWiden, let least = leastPercent(devices) else { return false }
    return rule.limit * 100 >= Double(least)
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
