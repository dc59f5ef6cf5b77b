import Lifecycle
import Query
import Statistics

/// A rollout as the verdict sees it: what was known at every look.
struct SimulatedLooks {
  static let grid = LookGrid(from: SimulatedRollout.instant(0))
  private(set) var attempts = AttemptHarm()
  private(set) var crashes = (harm: Harm(), looks: HarmLooks())
  private(set) var rollbacks = (harm: Harm(), looks: HarmLooks())
  private(set) var launched = 0

  mutating func add(_ attempt: SimulatedRollout.Attempt) {
    let (end, grid) = (SimulatedRollout.instant(SimulatedRollout.hours), Self.grid)
    let start = SimulatedRollout.instant(attempt.start)
    let launch = attempt.launch.map(SimulatedRollout.instant)
    guard start <= end else { return }
    let failure = attempt.failure.map { SimulatedRollout.instant($0.hour) }.flatMap { $0 <= end ? $0 : nil }
    attempts.watch(
      start: start, launch: launch,
      failure: failure.map { ($0, attempt.failure?.isRollback ?? false, $0) }, end, Failures.Options(), grid)
    guard let launch, launch <= end else { return }
    launched += 1
    let age = end - launch
    func until(_ instant: Timestamp?) -> Milliseconds? {
      instant.flatMap { $0 <= end && $0 - launch < .days(1) ? $0 - launch : nil }
    }
    let back = attempt.failure?.isRollback == true ? until(failure) : nil
    let crash = until(attempt.crash.map(SimulatedRollout.instant))
    rollbacks.harm.add(back, watchedFor: age)
    rollbacks.looks.add(grid, from: launch, back.map { .happened($0) })
    crashes.harm.add(crash, watchedFor: min(age, back ?? age))
    crashes.looks.add(grid, from: launch, crash.map { .happened($0) } ?? back.map { .left($0) })
  }
}

extension SimulatedRollout {
  /// Five past releases of 3,000 devices, all watched to the end: 2 % of first attempts failed, half of them rolled back, and
  /// 0.5 % of launches crashed.
  private static let past = releases(broken: nil)
  private static let watched = CountedLooks(SimulatedLooks.grid, until: instant(hours))

  static func releases(broken: Double?) -> [SimulatedLooks] {
    (0..<5).map { release in
      var random = Generator(state: UInt64(release))
      return SimulatedRollout(
        devices: 3000, failing: PauseRuleStudy.usual, broken: broken, crashing: 0.005, opened: 0, &random
      ).looks
    }
  }

  static func instant(_ hour: Double) -> Timestamp { Timestamp(rawValue: Int64(hour * 3_600_000)) }

  /// The step of the first hour's look from an instant on.
  private static func step(_ instant: Timestamp) -> Int? {
    let look = Int((instant.rawValue + 299_999) / 300_000) - 1
    let step = max(look + stepsPerHour - 1, 0) / stepsPerHour * stepsPerHour
    return step < Int(hours) * stepsPerHour ? step : nil
  }

  /// Where the verdict, asked every hour, says stop for first attempts.
  func stopOfAttempts(_ limit: FailureLimit, past: [SimulatedLooks] = past) -> Int? {
    let watched = AttemptTest.Watched(own: looks.attempts, past: past.map(\.attempts), looks: Self.watched)
    return AttemptTest(watched, limit: limit, alpha: 0.05).reachedAt.flatMap(Self.step)
  }

  /// Where it does for anything.
  func stopOfVerdict(_ limit: FailureLimit) -> Int? {
    [stopOfAttempts(limit), stop(\.crashes), stop(\.rollbacks)].compactMap(\.self).min()
  }

  private func stop(_ kind: KeyPath<SimulatedLooks, (harm: Harm, looks: HarmLooks)>) -> Int? {
    guard let watched = Self.watched else { return nil }
    let past = Self.past.map { (harm: $0[keyPath: kind].harm, launches: LaunchCounts(launched: $0.launched)) }
    let (harm, own) = looks[keyPath: kind]
    let test = HarmTest(
      harm, looks.launched, past: past, limit: Verdict.Options().harmLimit, level: 0.95, looks: (own, watched))
    return test.reachedAt.flatMap(Self.step)
  }
}
