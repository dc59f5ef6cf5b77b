import Lifecycle
import Query
import Statistics

extension SimulatedRollout {
  /// Five past releases of 3,000 launches, all a day old, 15 of which crashed: 0.5 %.
  private static let past: [(harm: Harm, launches: LaunchCounts)] = (0..<5).map { release in
    var random = Generator(state: UInt64(release))
    var harm = Harm()
    for launch in 0..<3000 {
      let age = launch < 15 ? milliseconds(exponential(untilCrash, &random)) : nil
      harm.add(age, watchedFor: .days(1))
    }
    return (harm, LaunchCounts(launched: 3000))
  }

  private static func milliseconds(_ hours: Double) -> Milliseconds { Milliseconds(rawValue: Int64(hours * 3_600_000)) }

  /// Where the verdict, asked every hour, says stop, for first attempts or for crashes.
  func stopOfVerdict(_ limit: FailureLimit) -> Int? {
    [stopOfAttempts(limit), stopOfCrashes].compactMap(\.self).min()
  }

  private var stopOfCrashes: Int? {
    stride(from: 0, to: steps.count, by: Self.stepsPerHour).first { step in
      let now = Double(step + 1) / Double(Self.stepsPerHour)
      let known = launches.filter { $0.hour <= now }
      var harm = Harm()
      for launch in known {
        let crash = launch.crashesAfter.flatMap { launch.hour + $0 <= now ? $0 : nil }
        harm.add(crash.map(Self.milliseconds), watchedFor: Self.milliseconds(now - launch.hour))
      }
      let limit = Verdict.Options().harmLimit
      return HarmTest(harm, known.count, past: Self.past, limit: limit, level: 0.95).stops
    }
  }
}
