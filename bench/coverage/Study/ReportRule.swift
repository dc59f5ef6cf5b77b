import Statistics

/// A rule of others, which looks again and again at what devices reported: the share of failures, or the least that it surely is.
struct ReportRule: Hashable, Sendable {
  /// Steps whose reports it looks at; nil: all so far.
  var window: Int?
  /// Steps from one look to the next.
  var every: Int
  var fewest: Int
  /// Wilson's lower limit at 95 % instead of the share.
  var isCertain: Bool

  /// At which step the value is as high as the threshold for the first time; nil where it never is.
  func stop(_ rollout: SimulatedRollout, threshold: Double) -> Int? {
    first(rollout) { $0 >= threshold }
  }

  /// A threshold above this one would never have stopped it.
  func highest(_ rollout: SimulatedRollout) -> Double {
    var highest = 0.0
    _ = first(rollout) { value in
      highest = max(highest, value)
      return false
    }
    return highest
  }

  private func first(_ rollout: SimulatedRollout, where isReached: (Double) -> Bool) -> Int? {
    var (reports, failures) = (0, 0)
    for (step, now) in rollout.steps.enumerated() {
      reports += now.reports
      failures += now.failures
      if let window, step >= window {
        reports -= rollout.steps[step - window].reports
        failures -= rollout.steps[step - window].failures
      }
      guard step % every == 0, failures > 0, reports >= fewest else { continue }
      if isReached(value(failures, of: reports)) { return step }
    }
    return nil
  }

  private func value(_ failures: Int, of reports: Int) -> Double {
    guard isCertain else { return Double(failures) / Double(reports) }
    return Proportion(Int64(failures), of: Int64(reports)).wilson(level: 0.95).lo ?? 0
  }
}
