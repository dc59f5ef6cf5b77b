import Statistics
import Testing

struct SequentialLawTests {
  /// At the limit itself the mixture is a fair bet: the mean of e over all outcomes of n devices is 1.
  @Test(arguments: [0.01, 0.03, 0.2]) func evidenceIsFairAtTheLimit(_ limit: Double) {
    let test = MixtureTest(limit: FailureLimit(configured: limit))
    let n: Int64 = 12
    var (above, below) = (0.0, 0.0)
    for failures in 0...n {
      let probability = binomial(failures, n, limit)
      above += probability * exponential(test.evidenceAbove(Proportion(failures, of: n)))
      below += probability * exponential(test.evidenceBelow(Proportion(failures, of: n)))
    }
    expectNear(above, 1, "above")
    expectNear(below, 1, "below")
  }

  @Test func defaultLimit() {
    #expect(FailureLimit(past: [], level: 0.95).rate == 0.01)
    #expect(FailureLimit(past: [Proportion(0, of: 100_000)], level: 0.95).rate == 0.01)
    // 30 of 1,000 pooled: the Wilson upper limit 0.042526… times 1.5; the sixth-newest release does not count.
    let past = [Proportion(900, of: 1_000)] + (0..<5).map { _ in Proportion(6, of: 200) }
    let upper = Proportion(30, of: 1_000).wilson(level: 0.95).hi
    expectNear(FailureLimit(past: past, level: 0.95).rate, upper.map { $0 * 1.5 }, "limit")
  }

  private func binomial(_ k: Int64, _ n: Int64, _ p: Double) -> Double {
    let ways = (0..<k).reduce(1.0) { $0 * Double(n - $1) / Double($1 + 1) }
    return ways * exponential(Double(k) * logarithm(p) + Double(n - k) * logarithm(1 - p))
  }
}

struct ExposureLawTests {
  /// Where the chance is just what the limit permits, the mixture is a fair bet: the mean of e over all counts is 1.
  @Test(arguments: [0.2, 1.0, 7.5]) func evidenceIsFairAtTheLimit(_ permitted: Double) {
    let test = ExposureTest(permitted: permitted, alpha: 0.05)
    var (mean, logChance) = (0.0, -permitted)
    for events in 0..<2000 {
      mean += exponential(test.evidenceAbove(events) + logChance)
      logChance += logarithm(permitted / Double(events + 1))
    }
    expectNear(mean, 1, "permitted \(permitted)")
  }

  @Test func nothingWatchedIsNoEvidence() {
    let test = ExposureTest(permitted: 0, alpha: 0.05)
    expectNear(test.evidenceAbove(0), 0, "nothing")
    expectNear(test.threshold, logarithm(20), "threshold")
  }

  /// More events are more evidence, more exposure is less.
  @Test func evidenceRisesWithEventsAndFallsWithExposure() {
    for events in 0..<30 {
      for step in 0..<20 {
        let (less, more) = (Double(step) / 4, Double(step + 1) / 4)
        let own = ExposureTest(permitted: less, alpha: 0.05)
        #expect(own.evidenceAbove(events + 1) > own.evidenceAbove(events))
        #expect(ExposureTest(permitted: more, alpha: 0.05).evidenceAbove(events) < own.evidenceAbove(events))
      }
    }
  }
}
