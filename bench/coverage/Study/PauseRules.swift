import Statistics

/// What stops a rollout: Uptake's rule for first attempts, and rules of others, each looked at as often as it is in use.
///
/// All are given the same limit, the one that past releases set, so that they differ in the rule alone.
public enum PauseRule: String, CaseIterable, Sendable {
  /// The verdict's: attempts an hour old, an hour's look, a level that holds at all looks together.
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

  /// At which of the steps of five minutes it stops; nil where it never does.
  func stop(_ rollout: SimulatedRollout, limit: FailureLimit) -> Int? {
    switch self {
    case .uptake: sequential(rollout, limit)
    case .wilson: recent(rollout, limit, fewest: 1)
    case .wilsonOf100: recent(rollout, limit, fewest: 100)
    case .share: overall(rollout, limit, fewest: 20)
    case .shareOf100: overall(rollout, limit, fewest: 100)
    }
  }

  private func sequential(_ rollout: SimulatedRollout, _ limit: FailureLimit) -> Int? {
    let test = MixtureTest(limit: limit)
    var (attempts, failed) = (0, 0)
    for step in rollout.steps.indices {
      attempts += rollout.steps[step].grown
      failed += rollout.steps[step].grownFailures
      guard step % SimulatedRollout.stepsPerHour == 0, attempts > 0 else { continue }
      if test.decision(after: Proportion(Int64(failed), of: Int64(attempts))) == .stop { return step }
    }
    return nil
  }

  private func recent(_ rollout: SimulatedRollout, _ limit: FailureLimit, fewest: Int) -> Int? {
    var (reports, failures) = (0, 0)
    for step in rollout.steps.indices {
      reports += rollout.steps[step].reports
      failures += rollout.steps[step].failures
      if step >= SimulatedRollout.stepsPerHour {
        reports -= rollout.steps[step - SimulatedRollout.stepsPerHour].reports
        failures -= rollout.steps[step - SimulatedRollout.stepsPerHour].failures
      }
      guard failures > 0, reports >= fewest else { continue }
      let lowest = Proportion(Int64(failures), of: Int64(reports)).wilson(level: 0.95).lo ?? 0
      if lowest >= limit.rate { return step }
    }
    return nil
  }

  private func overall(_ rollout: SimulatedRollout, _ limit: FailureLimit, fewest: Int) -> Int? {
    var (reports, failures) = (0, 0)
    for step in rollout.steps.indices {
      reports += rollout.steps[step].reports
      failures += rollout.steps[step].failures
      guard step % SimulatedRollout.stepsPerHour == 0, reports >= fewest else { continue }
      if Double(failures) > limit.rate * Double(reports) { return step }
    }
    return nil
  }
}
