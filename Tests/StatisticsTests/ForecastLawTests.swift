import Statistics
import Testing

struct ForecastLawTests {
  /// Releases whose hazard is `scale` times one shape, ages 1...10.
  private func release(_ scale: Double, events: Int64 = 1_000) -> HazardCurve {
    HazardCurve(
      ages: Array(1...10), hazards: (1...10).map { scale * Double($0).squareRoot() / 3 },
      events: (1...10).map { _ in events })
  }

  private func past(_ count: Int) -> [HazardCurve] { (0..<count).map { release(1 + 0.05 * Double($0 % 4)) } }

  @Test(arguments: [0, 1, 2]) func twoReleasesAreTooFew(_ count: Int) {
    let forecast = AdoptionForecast(past: past(count), current: release(1), snapshot: 2)
    #expect(forecast.share(at: 5).reason == .tooFew && forecast.share(at: 5).value == nil)
    #expect(forecast.time(to: 0.5, at: Array(3...10)).reason == .tooFew)
  }

  @Test(arguments: [(3, Int64(1_000)), (4, 1_000), (8, 49)]) func littleEvidencePools(_ count: Int, _ events: Int64) {
    let forecast = AdoptionForecast(past: past(count), current: release(1, events: events), snapshot: 2)
    #expect(forecast.share(at: 5).method == .pooledIncrement)
  }

  @Test func enoughEvidenceRegresses() {
    #expect(
      AdoptionForecast(past: past(5), current: release(1, events: 50), snapshot: 2).share(at: 5).method
        == .pastReleaseRegression)
  }

  /// Increments e^0, e^1, e^2 pooled: mean 1, s = 1, t with 2 degrees of freedom, √(1 + 1/3).
  @Test func pooledBandByHand() {
    let history = [0.0, 1, 2].map {
      HazardCurve(ages: [1, 2], hazards: [0.1, 0.1 + exponential($0)], events: [9, 9])
    }
    let current = HazardCurve(ages: [1], hazards: [0.2], events: [9])
    let estimate = AdoptionForecast(past: history, current: current, snapshot: 1).share(at: 2)
    let margin = 1.885618083164127 * (4.0 / 3).squareRoot()
    expectNear(estimate.value, 1 - exponential(-0.2 - exponential(1)), "F")
    expectNear(estimate.lo, 1 - exponential(-0.2 - exponential(1 - margin)), "lower")
    expectNear(estimate.hi, 1 - exponential(-0.2 - exponential(1 + margin)), "upper")
  }

  /// Logarithms 0, 1, 2: mean 1, s = 1, t with 2 degrees of freedom, √(1 + 1/3).
  @Test func usualSharesByHand() throws {
    let history = [0.0, 1, 2].map { HazardCurve(ages: [1], hazards: [exponential($0)], events: [9]) }
    let usual = try #require(UsualShare(history, at: 1, level: 0.8))
    let margin = 1.885618083164127 * (4.0 / 3).squareRoot()
    expectNear(usual.least, 1 - exponential(-1), "least")
    expectNear(usual.most, 1 - exponential(-exponential(2)), "most")
    expectNear(usual.lo, 1 - exponential(-exponential(1 - margin)), "lower")
    expectNear(usual.hi, 1 - exponential(-exponential(1 + margin)), "upper")
    #expect(UsualShare(Array(history.dropLast()), at: 1, level: 0.8) == nil)
    #expect(UsualShare(history, at: 2, level: 0.8) == nil)
  }

  @Test func curvesNeverFall() {
    let curve = AdoptionForecast(past: past(8), current: release(1.1), snapshot: 2).curve(at: Array(3...10))
    for edge in [\Estimate.value, \.lo, \.hi] {
      let heights = curve.compactMap { $0[keyPath: edge] }
      #expect(heights.count == 8 && zip(heights, heights.dropFirst()).allSatisfy(<=))
    }
  }

  @Test func timesToShares() throws {
    let forecast = AdoptionForecast(past: past(8), current: release(1.1), snapshot: 2)
    let half = forecast.time(to: 0.5, at: Array(3...10))
    let (value, lo, hi) = (try #require(half.value), try #require(half.lo), try #require(half.hi))
    #expect(lo <= value && value <= hi)
    #expect(forecast.time(to: 0.95, at: Array(3...10)).reason == .notReached)
    #expect(forecast.time(to: 0.1, at: Array(3...10)).reason == .alreadyReached)
    #expect(forecast.time(to: 0.5, at: []).reason == .tooFew)
  }

  @Test func historyEndsWhereRiskSetsAreThin() {
    let thin = KaplanMeier(LifeTable(intervals: (1...60).map { (0, $0, .event(1)) }))
    #expect(HazardCurve(thin).knownTo == 31)
    #expect(HazardCurve(thin).share(at: 31) != nil && HazardCurve(thin).share(at: 32) == nil)
    #expect(HazardCurve(thin, atRisk: 1).share(at: 32) != nil)
    expectNear(HazardCurve(thin).share(at: 15), 0.25, "F")
    #expect(HazardCurve(thin).events(by: 15) == 15)
  }

  /// Each release is predicted from those before it: nothing changes when later ones do.
  @Test func backTestLooksOnlyBack() throws {
    let cells = ForecastBackTest(past(9), snapshots: [1, 2], targets: [2, 5]).cells
    #expect(cells.map { [$0.snapshot, $0.target] } == [[1, 2], [1, 5], [2, 5]])
    #expect(cells.allSatisfy { $0.covered.trials == 6 })
    let changed = ForecastBackTest(past(8) + [release(40)], snapshots: [1], targets: [5]).cells[0]
    let shorter = ForecastBackTest(past(8), snapshots: [1], targets: [5]).cells[0]
    #expect(changed.covered.trials == shorter.covered.trials + 1)
    #expect(changed.covered.successes == shorter.covered.successes)
    #expect(ForecastBackTest(past(3), snapshots: [1], targets: [5]).cells[0].verdict(level: 0.95) == .unknown)
  }

  /// A steady drift is what "as last time" predicts best.
  @Test func theNaiveForecastMayWin() {
    let drifting = (0..<12).map {
      HazardCurve(ages: [1, 5], hazards: [0.1, 0.1 + 0.05 * Double($0 + 1)], events: [9, 9])
    }
    let cell = ForecastBackTest(drifting, snapshots: [1], targets: [5]).cells[0]
    #expect(cell.verdict(level: 0.95) == .notSupported)
  }

  /// Seven releases make four predictions.
  @Test func fourPredictionsAreTooFewToSay() {
    let drifting = (0..<7).map {
      HazardCurve(ages: [1, 5], hazards: [0.1, 0.1 + 0.05 * Double($0 + 1)], events: [9, 9])
    }
    let cell = ForecastBackTest(drifting, snapshots: [1], targets: [5]).cells[0]
    #expect(cell.covered.trials == 4 && cell.naiveError ?? 1 < cell.error ?? 0)
    #expect(cell.verdict(level: 0.95) == .unknown)
  }

  /// Ten releases whose early and later hazards vary, the later ones with the early ones or on their own.
  private func history(_ random: inout SplitMix, early: Double, later: Double, isTied: Bool) -> [HazardCurve] {
    (0..<10).map { _ in
      let first = 0.1 * exponential(early * normal(&random))
      let second = (isTied ? 3 * first : 0.3) * exponential(later * normal(&random))
      return HazardCurve(ages: [1, 5], hazards: [first, first + second], events: [1_000, 9])
    }
  }

  /// Near enough: the sum of twelve uniform numbers.
  private func normal(_ random: inout SplitMix) -> Double {
    (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
  }

  private func verdicts(early: Double, later: Double, isTied: Bool) -> [ForecastBackTest.Cell.Verdict] {
    var random = SplitMix(seed: 9)
    return (0..<200).map { _ in
      let releases = history(&random, early: early, later: later, isTied: isTied)
      return ForecastBackTest(releases, snapshots: [1], targets: [5]).cells[0].verdict(level: 0.95)
    }
  }

  /// Releases that are alike but for chance: seven errors often favour the naive forecast, which says nothing.
  @Test func chanceRarelyCondemnsAForecast() {
    let condemned = verdicts(early: 0.3, later: 0.3, isTied: false).count { $0 == .notSupported }
    #expect(condemned <= 20, "\(condemned) of 200")
  }

  /// What comes early tells what comes later, and the release before tells little.
  @Test func aForecastThatKnowsMoreIsSupported() {
    let supported = verdicts(early: 0.8, later: 0.05, isTied: true).count { $0 == .supported }
    #expect(supported >= 100, "\(supported) of 200")
  }
}
