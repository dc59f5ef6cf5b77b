/// A scenario that comes with the program.
public struct BuiltInScenario: Sendable {
  public let name: String
  public let text: String

  public static let all: [BuiltInScenario] = ordinary + [noFault] + faults

  /// Rollouts as they happen; verdicts on each of them are recorded.
  public static let ordinary: [BuiltInScenario] =
    [
      demo, quietWeek, criticalFix, stalledRollout, badRelease, pushThrottling,
    ] + judgedRollouts

  /// Of which the verdict on the second release is the point.
  public static let judgedRollouts: [BuiltInScenario] = [healthy, healthyButSlow, stalls, crashesOn, rollsBackLate]
}
