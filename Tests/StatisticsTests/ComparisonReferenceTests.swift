import Statistics
import Testing

/// R survival 3.5-3: survdiff, coxph(ties = "efron"); with late entries the same formulas over delayed risk sets.
struct ComparisonReferenceTests {
  static let names = ["tiny_groups", "mid_mix", "lung", "lung_cutoff", "lung_w28"]

  @Test(arguments: names) func plain(_ name: String) throws {
    let reference = try Reference(name)
    let tests = try #require(reference.expected.tests)
    let groups = try #require(tests.logrank).groups
    check(RiskSets(groups: groups.map { reference.table($0) }, events: Reference.updates), tests, name)
  }

  @Test(arguments: names) func stratified(_ name: String) throws {
    let reference = try Reference(name)
    let tests = try #require(reference.expected.tests_stratified)
    let groups = try #require(tests.logrank).groups
    let sets = RiskSets(strata: reference.strata(groups), groupCount: groups.count, events: Reference.updates)
    check(sets, tests, name + " stratified")
  }

  @Test(arguments: names) func byCause(_ name: String) throws {
    let reference = try Reference(name)
    for (number, tests) in try #require(reference.expected.cause_specific) {
      let groups = try #require(tests.logrank).groups
      let cause = try #require(UInt8(number).flatMap(Cause.init(rawValue:)))
      check(RiskSets(groups: groups.map { reference.table($0) }, events: [cause]), tests, "\(name) cause \(number)")
    }
  }

  private func check(_ sets: RiskSets, _ expected: Expected.Tests, _ what: String) {
    let test = LogRank(sets)
    if let logrank = expected.logrank { check(test, logrank, what + " log-rank") }
    if let peto = expected.peto {
      expectNear(test.observed[1] - test.expected[1], peto.o_minus_e, what + " O - E")
    }
    if let cox = expected.cox_efron { check(CoxModel(sets), cox, what + " Cox") }
  }

  private func check(_ test: LogRank, _ expected: Expected.LogRank, _ what: String) {
    for group in expected.groups.indices {
      expectNear(test.observed[group], expected.observed[group], "\(what) observed \(group)")
      expectNear(test.expected[group], expected.expected[group], "\(what) expected \(group)")
      for other in expected.groups.indices {
        expectNear(test.variance[group][other], expected.variance[group][other], "\(what) variance \(group) \(other)")
      }
    }
    expectNear(test.statistic, expected.chisq, what)
    expectNear(test.p?.value, expected.p, what + " p")
    #expect(test.degreesOfFreedom == expected.df)
  }

  private func check(_ model: CoxModel, _ expected: Expected.Cox, _ what: String) {
    for index in expected.level.indices {
      let ratio = model.hazardRatio(of: index + 1, level: 0.95)
      expectNear(ratio.value, expected.hr[index], relative: 1e-7, "\(what) \(index)")
      expectNear(ratio.lo, expected.lower[index], relative: 1e-7, "\(what) \(index) lower")
      expectNear(ratio.hi, expected.upper[index], relative: 1e-7, "\(what) \(index) upper")
    }
    expectNear(model.nullLogLikelihood, expected.loglik_null, what + " null")
    expectNear(model.logLikelihood, expected.loglik, what + " likelihood")
    expectNear(model.scoreStatistic, expected.score_chisq, relative: 1e-7, what + " score")
    expectNear(model.waldStatistic, expected.wald_chisq, relative: 1e-7, what + " Wald")
    expectNear(model.likelihoodRatioStatistic, expected.lrt_chisq, relative: 1e-7, what + " ratio")
  }

  @Test(arguments: names) func differences(_ name: String) throws {
    let reference = try Reference(name)
    let compare = try #require(reference.expected.compare)
    guard case .reference(let base)? = compare["reference"] else { return }
    let baseline = KaplanMeier(reference.table(base), events: Reference.updates)
    for case (let group, .group(let means, let adoptions)) in compare {
      let curve = KaplanMeier(reference.table(group), events: Reference.updates)
      for expected in means { try check(curve, baseline, expected, "\(name) \(group)") }
      try check(curve, baseline, adoptions, "\(name) \(group)")
    }
  }

  private func check(
    _ curve: KaplanMeier, _ baseline: KaplanMeier, _ expected: Expected.RestrictedDifference, _ what: String
  ) throws {
    let what = "\(what) to \(expected.tau) h"
    let horizon = Reference.ticks(expected.tau)
    let difference = curve.restrictedMeanDifference(from: baseline, to: horizon, level: 0.95)
      .scaled(by: 1 / Reference.ticksPerHour)
    expectNear(difference.value, expected.diff, what)
    expectNear(difference.lo, expected.lower, what + " lower")
    expectNear(difference.hi, expected.upper, what + " upper")
    let moment = try (curve.restrictedMean(to: horizon) - baseline.restrictedMean(to: horizon)).get()
    expectNear(moment.pValue?.value, expected.p, what + " p")
  }

  /// R's limits are Wald's, from the two variances; ours are formed of the two log-log intervals, which are R's too.
  private func check(
    _ curve: KaplanMeier, _ baseline: KaplanMeier, _ expected: Expected.AdoptionDifference, _ what: String
  ) throws {
    for index in expected.time.indices {
      let (what, tick) = ("\(what) at \(expected.time[index]) h", Reference.ticks(expected.time[index]))
      let difference = curve.adoptionDifference(from: baseline, at: tick, level: 0.95)
      expectNear(difference.value, expected.diff[index], floor: 1e-12, what)
      let wald = (baseline.moment(at: tick) - curve.moment(at: tick)).estimate(
        level: 0.95, method: .independentDifference)
      expectNear(wald.lo, expected.lower[index], floor: 1e-12, what + " Wald lower")
      expectNear(wald.hi, expected.upper[index], floor: 1e-12, what + " Wald upper")
      let (one, two) = (curve.adoption(at: tick, level: 0.95), baseline.adoption(at: tick, level: 0.95))
      guard let p = one.value, let q = two.value, let a = one.lo, let b = one.hi, let c = two.lo, let d = two.hi else {
        continue
      }
      expectNear(difference.lo, p - q - ((p - a) * (p - a) + (d - q) * (d - q)).squareRoot(), floor: 1e-12, what)
      expectNear(difference.hi, p - q + ((b - p) * (b - p) + (q - c) * (q - c)).squareRoot(), floor: 1e-12, what)
    }
  }
}
