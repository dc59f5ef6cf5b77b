import Statistics

/// What stops a rollout: Uptake's rule for first attempts, and rules of others, each looked at as often as it is in use.
///
/// All are given the same limit, the one that past releases set, so that they differ in the rule alone.
public enum PauseRule: String, CaseIterable, Sendable {
  /// The verdict's for first attempts, asked every hour: by exposure, at a level that holds at all looks together.
  case uptake = "Uptake, every hour"
  /// `evaluateAutoPausePolicy` and `wilsonLowerBoundBps` of Cap-go/capgo at 4bc7d83f8,
  /// supabase/functions/_backend/utils/rollout.ts: of installs and failures reported within the window, 60 minutes where nothing
  /// is set, Wilson's lower limit at 95 % reaches the threshold. The migration 20260708000000_prod_baseline.sql looks every five
  /// minutes, and has no least number of attempts.
  case wilson = "Capgo: Wilson’s lower limit of the last hour, every 5 minutes"
  /// The same with the least number of attempts that its settings permit to be asked for.
  case wilsonOf100 = "the same, from 100 reports within the hour"
  /// As in a dashboard's alert: the share of all reports so far.
  case share = "share of reports above the limit, from 20 on, every hour"
  case shareOf100 = "the same, from 100 on"

  /// nil: looks at attempts, not at reports.
  var ofReports: ReportRule? {
    let hour = SimulatedRollout.stepsPerHour
    return switch self {
    case .uptake: nil
    case .wilson: ReportRule(window: hour, every: 1, fewest: 1, isCertain: true)
    case .wilsonOf100: ReportRule(window: hour, every: 1, fewest: 100, isCertain: true)
    case .share: ReportRule(every: hour, fewest: 20, isCertain: false)
    case .shareOf100: ReportRule(every: hour, fewest: 100, isCertain: false)
    }
  }

  /// At which of the steps of five minutes it stops; nil where it never does.
  func stop(_ rollout: SimulatedRollout, limit: FailureLimit) -> Int? {
    if let ofReports { ofReports.stop(rollout, threshold: limit.rate) } else { rollout.stopOfAttempts(limit) }
  }
}

extension SimulatedRollout {
  /// With a higher limit the verdict would never have said stop for first attempts; to a hundredth of a point.
  var highestLimitOfAttempts: Double {
    var (stops, never) = (0.0001, 0.5)
    while never - stops > 0.0001 {
      let middle = (stops + never) / 2
      if stopOfAttempts(FailureLimit(configured: middle)) == nil { never = middle } else { stops = middle }
    }
    return never
  }
}
