import Statistics
import Testing

struct ComparisonLawTests {
  @Test(arguments: [UInt64(1), 2, 3]) func coxIsTheMaximumOfTheWrittenOutLikelihood(_ seed: UInt64) throws {
    let strata = (0..<2).map { stratum in
      (0..<2).flatMap { group in
        population(25, span: 20, seed: seed * 10 + UInt64(stratum * 2 + group)).map { (interval: $0, group: group) }
      }
    }
    let slow = SlowCox(strata: strata)
    let sets = RiskSets(
      strata: strata.map { rows in
        (0..<2).map { group in LifeTable(intervals: rows.filter { $0.group == group }.map(\.interval)) }
      }, groupCount: 2)
    let model = CoxModel(sets)
    let beta = try model.coefficients[0].get()
    expectNear(model.logLikelihood, slow.logLikelihood(beta.value), relative: 1e-11, "likelihood")
    expectNear(model.nullLogLikelihood, slow.logLikelihood(0), relative: 1e-11, "null likelihood")
    #expect(abs(beta.value - slow.maximum) < 1e-6)
    let h = 1e-3
    let curvature =
      (slow.logLikelihood(beta.value + h) - 2 * model.logLikelihood + slow.logLikelihood(beta.value - h)) / (h * h)
    expectNear(beta.variance, -1 / curvature, relative: 1e-4, "variance")
  }

  @Test func equalGroupsDoNotDiffer() {
    let table = LifeTable(intervals: population(100, seed: 4))
    let sets = RiskSets(groups: [table, table, table])
    let test = LogRank(sets)
    expectNear(test.statistic, 0, floor: 1e-20, "chi-square")
    #expect(test.degreesOfFreedom == 2)
    for group in 1...2 { expectNear(CoxModel(sets).hazardRatio(of: group, level: 0.95).value, 1, "ratio") }
  }

  @Test func swappingGroupsInvertsTheRatio() {
    let (a, b) = (LifeTable(intervals: population(90, seed: 5)), LifeTable(intervals: population(70, seed: 6)))
    let (forth, back) = (RiskSets(groups: [a, b]), RiskSets(groups: [b, a]))
    expectNear(LogRank(forth).statistic, LogRank(back).statistic, "chi-square")
    let (ratio, inverse) = (
      CoxModel(forth).hazardRatio(of: 1, level: 0.95), CoxModel(back).hazardRatio(of: 1, level: 0.95)
    )
    expectNear(ratio.value, inverse.value.map { 1 / $0 }, "ratio")
    expectNear(ratio.lo, inverse.hi.map { 1 / $0 }, "lower")
  }

  @Test func observedEqualsExpectedInTotal() {
    let sets = RiskSets(
      strata: (0..<3).map { s in (0..<4).map { LifeTable(intervals: population(40, seed: UInt64(10 * s + $0))) } },
      groupCount: 4)
    let test = LogRank(sets)
    expectNear(test.expected.reduce(0, +), test.observed.reduce(0, +), relative: 1e-12, "total")
    for row in test.variance { expectNear(row.reduce(0, +), 0, floor: 1e-10, "row of the variance") }
  }

  @Test func aGroupWithoutEventsHasNoRatio() {
    let busy = LifeTable(intervals: population(50, seed: 8))
    let idle = LifeTable(intervals: (1...20).map { (0, $0, .censored(.cutOff)) })
    let model = CoxModel(RiskSets(groups: [busy, idle, LifeTable(intervals: population(50, seed: 9))]))
    #expect(model.hazardRatio(of: 1, level: 0.95).reason == .noEvents)
    #expect(model.hazardRatio(of: 2, level: 0.95).value != nil)
    #expect(CoxModel(RiskSets(groups: [idle, busy])).hazardRatio(of: 1, level: 0.95).reason == .noEvents)
  }

  @Test func aGroupNeverAtRiskCostsADegreeOfFreedom() {
    let (a, b) = (LifeTable(intervals: population(90, seed: 5)), LifeTable(intervals: population(70, seed: 6)))
    let (two, three) = (LogRank(RiskSets(groups: [a, b])), LogRank(RiskSets(groups: [a, LifeTable(), b])))
    #expect(two.degreesOfFreedom == 1 && three.degreesOfFreedom == 1)
    expectNear(three.statistic, two.statistic, "chi-square")
  }

  @Test func whoWereNeverTogetherCannotBeCompared() {
    let early = LifeTable(intervals: (0..<9).map { _ in (0, 2, .event(1)) })
    let late = LifeTable(intervals: (0..<9).map { _ in (5, 9, .event(1)) })
    let sets = RiskSets(groups: [early, late])
    #expect(LogRank(sets).statistic == nil && LogRank(sets).reason == .neverTogether)
    #expect(CoxModel(sets).hazardRatio(of: 1, level: 0.95).reason == .neverTogether)
  }

  /// Two releases that nobody could have: no stratum, and still two groups.
  @Test func whereNobodyIsThereIsNoRatio() {
    let sets = RiskSets(strata: [], groupCount: 2)
    #expect(CoxModel(sets).hazardRatio(of: 1, level: 0.95).reason == .noEvents)
    #expect(LogRank(sets).reason == .noEvents)
    #expect(ProportionalHazards(sets, level: 0.95).verdict == .unknown)
  }

  /// All of the first group update while the second is still waiting, and never after.
  @Test func aRatioWithoutMaximumIsRefused() {
    let first = LifeTable(intervals: (1...9).map { (0, $0, .event(1)) })
    let second = LifeTable(intervals: (20...29).map { (0, $0, .event(1)) })
    let ratio = CoxModel(RiskSets(groups: [first, second])).hazardRatio(of: 1, level: 0.95)
    #expect(ratio.value == nil && ratio.reason == .monotoneLikelihood)
  }

  @Test(arguments: edgePopulations.indices, edgePopulations.indices) func nothingCrashes(_ left: Int, _ right: Int) {
    let tables = [left, right].map { LifeTable(intervals: edgePopulations[$0].intervals) }
    let sets = RiskSets(groups: tables)
    let check = ProportionalHazards(sets, level: 0.95)
    let estimates = [
      CoxModel(sets).hazardRatio(of: 1, level: 0.95), check.early, check.late,
      KaplanMeier(tables[0]).adoptionDifference(from: KaplanMeier(tables[1]), at: 4, level: 0.95),
      KaplanMeier(tables[0]).restrictedMeanDifference(from: KaplanMeier(tables[1]), to: 4, level: 0.95),
    ]
    for estimate in estimates {
      #expect([estimate.value, estimate.lo, estimate.hi].allSatisfy { $0?.isFinite ?? true })
      #expect(estimate.value != nil || estimate.reason != nil)
    }
  }

  @Test func aCrossingOfCurvesIsNoticed() {
    let quickThenSlow = (0..<Tick(400)).map { number -> IntervalAtRisk in
      (0, number < 300 ? 1 + number % 10 : 20 + number % 60, .event(1))
    }
    let slowThenQuick = (0..<Tick(400)).map { number -> IntervalAtRisk in
      (0, number < 30 ? 1 + number % 10 : 11 + number % 30, .event(1))
    }
    let check = ProportionalHazards(
      RiskSets(groups: [LifeTable(intervals: quickThenSlow), LifeTable(intervals: slowThenQuick)]), level: 0.95)
    #expect(check.verdict == .changing)
    let same = LifeTable(intervals: population(400, seed: 12))
    #expect(ProportionalHazards(RiskSets(groups: [same, same]), level: 0.95).verdict == .steady)
    #expect(ProportionalHazards(RiskSets(groups: [same, LifeTable()]), level: 0.95).verdict == .unknown)
  }

  /// S. Holm's rule on 0.01, 0.04, 0.03: 3 · 0.01, then 2 · 0.03, then no less than that.
  @Test func holmsFamily() {
    let family = [0.01, 0.04, 0.03].map { PValue(log10: log10Of($0)) }
    let adjusted = holm([family[0], nil, family[1], family[2]])
    expectNear(adjusted[0]?.value, 0.03, "first")
    #expect(adjusted[1] == nil)
    expectNear(adjusted[2]?.value, 0.06, "second")
    expectNear(adjusted[3]?.value, 0.06, "third")
    #expect(holm([PValue(log10: -0.1), PValue(log10: -0.2)]).map { $0?.value } == [1, 1])
    #expect(holm([]).isEmpty)
  }

  private func log10Of(_ x: Double) -> Double { logarithm(x) / logarithm(10) }

  @Test(arguments: [
    (2.0, 3.0, Relevance.relevant), (-3, -1.5, .relevant), (-0.5, 0.9, .equivalent), (-1, 1, .equivalent),
    (0.5, 1.5, .undecided), (-2, 2, .undecided), (1, 2, .undecided),
  ])
  func relevance(_ lo: Double, _ hi: Double, _ expected: Relevance) {
    let difference = Estimate((lo + hi) / 2, lo: lo, hi: hi, level: 0.95, method: .independentDifference)
    #expect(Relevance(of: difference, margin: 1) == expected)
  }

  @Test func withoutLimitsNothingIsDecided() {
    let difference = Estimate(0, level: 0.95, method: .independentDifference, reason: .noVariation)
    #expect(Relevance(of: difference, margin: 1) == .undecided)
  }
}
