import Glibc
import Statistics
import Testing

@testable import Query

/// What says that the rate of first attempts is low says so more firmly with each launch that settles without a failure.
@Suite struct WidenTests {
  private static func evidence(settled: Int) -> Double {
    var counts = AttemptCounts()
    (counts.attempts, counts.failed, counts.settled) = (1_300, 26, settled)
    return MixtureTest(limit: .init(configured: 0.05)).evidenceBelow(counts.outcomes)
  }

  @Test func evidenceNeverFallsWhileNothingFails() {
    let evidence = (1...1_274).map { Self.evidence(settled: $0) }
    #expect(zip(evidence, evidence.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(evidence.contains { $0 >= MixtureTest(limit: .init(configured: 0.05)).threshold })
  }

  /// Of all that got so far half have settled: so do half of those that failed before.
  @Test func failuresBeforeTheLaunchCountInTheShareThatSettled() {
    var counts = AttemptCounts()
    (counts.attempts, counts.failed, counts.broken, counts.settled) = (103, 5, 2, 50)
    #expect(counts.outcomes == (3 * 50 / 100 + 2, 48))
  }

  // MARK: a study

  /// What becomes known of a first attempt, and after how many hours: it is old enough, it failed before a launch, it broke at the launch,
  /// or the launch settled.
  private enum Known { case old, early, broken, settled }

  /// Of 1,500 devices that begin within two days, nearly all failures are downloads that break at once, as where rounding counted most.
  private static func rollout(rate: Double, _ dice: inout Dice) -> [(at: Double, what: Known)] {
    let early = rate * 0.9
    return (0..<1_500).flatMap { _ -> [(at: Double, what: Known)] in
      let old = Double.random(in: 1..<49, using: &dice)
      if Double.random(in: 0..<1, using: &dice) < early { return [(old, .old), (old, .early)] }
      let launch = old - 8 * log(Double.random(in: 0.001..<1, using: &dice))
      let breaks = Double.random(in: 0..<1, using: &dice) < (rate - early) / (1 - early)
      return [(old, .old), (launch + (breaks ? 0 : 24), breaks ? .broken : .settled)]
    }.sorted { $0.at < $1.at }
  }

  /// Whether any look of every five minutes calls it low.
  private static func isEverLow(_ rollout: [(at: Double, what: Known)], limit: Double) -> Bool {
    let test = MixtureTest(limit: .init(configured: limit))
    var (counts, look) = (AttemptCounts(), 0)
    for (at, what) in rollout {
      if Int(at * 12) > look, test.evidenceBelow(counts.outcomes) >= test.threshold { return true }
      look = Int(at * 12)
      if what == .old { counts.attempts += 1 }
      if what == .early || what == .broken { counts.failed += 1 }
      if what == .broken { counts.broken += 1 }
      if what == .broken || what == .settled { counts.settled += 1 }
    }
    return test.evidenceBelow(counts.outcomes) >= test.threshold
  }

  /// The level is 5 % over all looks together.
  @Test func aRateAtTheLimitIsHardlyEverCalledLow() {
    var dice = Dice(state: 44)
    let wrong = (0..<200).count { _ in Self.isEverLow(Self.rollout(rate: 0.15, &dice), limit: 0.15) }
    #expect(wrong <= 4, "\(wrong) of 200")
  }

  @Test func halfTheLimitIsCalledLow() {
    var dice = Dice(state: 45)
    let right = (0..<20).count { _ in Self.isEverLow(Self.rollout(rate: 0.075, &dice), limit: 0.15) }
    #expect(right >= 18, "\(right) of 20")
  }
}
