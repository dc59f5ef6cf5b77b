import Statistics
import Testing

struct ProportionLawTests {
  @Test func intervalsHoldTheirEstimate() throws {
    for trials in Int64(1)...60 {
      for successes in 0...trials {
        let share = Proportion(successes, of: trials)
        for estimate in [
          share.wilson(level: 0.95), share.clopperPearson(level: 0.95), share.confidenceSequence(level: 0.95),
        ] {
          let (value, lo, hi) = (try #require(estimate.value), try #require(estimate.lo), try #require(estimate.hi))
          #expect(0 <= lo && lo <= value && value <= hi && hi <= 1, "\(successes) of \(trials): \(estimate)")
        }
      }
    }
  }

  /// Looking often must cost something.
  @Test func theSequenceIsWiderThanOneLook() throws {
    for (s, n) in [(Int64(1), Int64(20)), (5, 500), (400, 1_000), (0, 30)] {
      let (once, always) = (
        Proportion(s, of: n).clopperPearson(level: 0.95), Proportion(s, of: n).confidenceSequence(level: 0.95)
      )
      #expect(try #require(always.lo) <= #require(once.lo) && #require(always.hi) >= #require(once.hi))
    }
  }

  @Test func nothingTriedIsUnknown() {
    let none = Proportion(0, of: 0)
    #expect(none.wilson(level: 0.95).value == nil && none.wilson(level: 0.95).reason == .nothingAtRisk)
    #expect(none.clopperPearson(level: 0.95).reason == .nothingAtRisk)
    #expect(ProportionPair(none, Proportion(1, of: 2)).difference(level: 0.95).reason == .nothingAtRisk)
    #expect(ProportionPair(none, Proportion(1, of: 2)).fisherExact == nil)
    #expect(CauseRatio(0, to: 0).estimate(level: 0.95).reason == .noEvents && CauseRatio(0, to: 0).p == nil)
    #expect(Proportion.boundWithoutEvents(among: 0, level: 0.95) == nil)
  }

  /// 1 - 0.025^(1/n).
  @Test func boundWithoutEvents() {
    expectNear(Proportion.boundWithoutEvents(among: 1, level: 0.95), 0.975, "n = 1")
    expectNear(Proportion.boundWithoutEvents(among: 2, level: 0.95), 1 - 0.025.squareRoot(), "n = 2")
  }

  /// R. A. Fisher, The Design of Experiments: the lady who tasted tea, 3 of 4 right (34/70).
  @Test func teaTasting() {
    expectNear(ProportionPair(Proportion(3, of: 4), Proportion(1, of: 4)).fisherExact?.value, 34.0 / 70, "p")
    expectNear(ProportionPair(Proportion(4, of: 4), Proportion(0, of: 4)).fisherExact?.value, 2.0 / 70, "p")
    #expect(ProportionPair(Proportion(4, of: 40), Proportion(9, of: 40)).isSparse)
    #expect(!ProportionPair(Proportion(5, of: 40), Proportion(9, of: 40)).isSparse)
  }

  /// One trial a device: the design effect is D/(D - 1), and the share has binomial variance.
  @Test func singleTrialsHaveNoClusters() throws {
    var ratio = ClusteredRatio()
    for index in Int64(0)..<100 { ratio.add(index < 30 ? 1 : 0, of: 1) }
    expectNear(ratio.designEffect, 100.0 / 99, "design effect")
  }

  /// Four devices by hand: l = 2, 0, 1, 0 of m = 2, 1, 3, 2: p = 3/8; l - p m = 1.25, -0.375, -0.125, -0.75.
  @Test func clustersByHand() throws {
    var (ratio, other) = (ClusteredRatio(), ClusteredRatio())
    ratio.add(2, of: 2)
    ratio.add(0, of: 1)
    other.add(1, of: 3)
    other.add(0, of: 2)
    other.add(0, of: 0)
    ratio.add(other)
    let estimate = ratio.estimate(level: 0.95)
    let variance = 4.0 / 3 * (1.5625 + 0.140625 + 0.015625 + 0.5625) / 64
    let margin = 1.959963984540054 * variance.squareRoot() / (0.375 * 0.625)
    let lo = try #require(estimate.lo), hi = try #require(estimate.hi)
    expectNear(estimate.value, 0.375, "share")
    expectNear(logarithm(lo / (1 - lo)), logarithm(0.6) - margin, "lower")
    expectNear(logarithm(hi / (1 - hi)), logarithm(0.6) + margin, "upper")
    expectNear(ratio.designEffect, variance / (0.375 * 0.625 / 8), "design effect")
  }

  @Test func clustersWithoutLimits() {
    var ratio = ClusteredRatio()
    #expect(ratio.estimate(level: 0.95).reason == .nothingAtRisk)
    ratio.add(1, of: 2)
    #expect(ratio.estimate(level: 0.95).reason == .tooFew)
    ratio.add(1, of: 2)
    #expect(ratio.estimate(level: 0.95).reason == .noVariation)
    var never = ClusteredRatio()
    for _ in 0..<5 { never.add(0, of: 3) }
    #expect(never.estimate(level: 0.95).value == 0 && never.estimate(level: 0.95).reason == .noEvents)
  }

  /// Five devices with three each count as five; 1 + 1 + 4 trials as 36/18 = 2.
  @Test func atMostSoManyWhereThereWasNone() {
    var (alike, unlike) = (ClusteredRatio(), ClusteredRatio())
    for _ in 0..<5 { alike.add(0, of: 3) }
    for trials in [1, 1, 4] as [Int64] { unlike.add(0, of: trials) }
    expectNear(alike.boundWithoutEvents(level: 0.95), Proportion.boundWithoutEvents(among: 5, level: 0.95)!, "alike")
    expectNear(unlike.boundWithoutEvents(level: 0.95), Proportion.boundWithoutEvents(among: 2, level: 0.95)!, "unlike")
    alike.add(1, of: 3)
    #expect(alike.boundWithoutEvents(level: 0.95) == nil && ClusteredRatio().boundWithoutEvents(level: 0.95) == nil)
  }
}
