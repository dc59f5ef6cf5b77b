import Statistics
import Testing

struct SurvivalLawTests {
  static let populations =
    edgePopulations
    + (1...6).map { seed in ("random \(seed)", population(60 * seed, late: seed % 2 == 0, seed: UInt64(seed))) }

  @Test(arguments: populations.indices) func slowAndFastAgree(_ index: Int) throws {
    let (name, intervals) = Self.populations[index]
    let slow = SlowSurvival(intervals: intervals)
    let curves = AalenJohansen(LifeTable(intervals: intervals))
    for tick in 0..<(curves.table.lastTick ?? -1) + 1 where slow.survival(tick) > 0 {
      let what = "\(name) at \(tick)"
      let survival = try curves.overall.moment(at: tick).get()
      expectNear(survival.value, slow.survival(tick), what)
      expectNear(
        survival.variance, slow.survival(tick) * slow.survival(tick) * slow.greenwood(tick), floor: 1e-16, what)
      expectNear(try curves.overall.restrictedMean(to: tick).get().value, slow.restrictedMean(tick), floor: 1e-12, what)
      for cause in curves.causes {
        let moment = try curves.moment(of: cause, at: tick).get()
        expectNear(moment.value, slow.incidence(cause, tick), floor: 1e-15, what)
        expectNear(moment.variance, slow.covariance(cause, cause, tick), floor: 1e-15, what)
        expectNear(curves.covariance(1, cause, at: tick), slow.covariance(1, cause, tick), floor: 1e-15, what)
      }
    }
  }

  @Test(arguments: populations.indices) func causesAndSurvivalMakeOne(_ index: Int) {
    let curves = AalenJohansen(LifeTable(intervals: Self.populations[index].intervals))
    for tick in curves.ticks {
      let sum = curves.causes.reduce(curves.survival(tick)) { $0 + curves.share($1, tick) }
      #expect(abs(sum - 1) < 1e-12)
    }
  }

  @Test(arguments: populations.indices) func curvesOnlyGrow(_ index: Int) {
    let curves = AalenJohansen(LifeTable(intervals: Self.populations[index].intervals))
    for cause in curves.causes {
      let shares = curves.ticks.map { curves.share(cause, $0) }
      #expect(zip(shares, shares.dropFirst()).allSatisfy(<=))
    }
    let survival = curves.ticks.map(curves.survival)
    #expect(zip(survival, survival.dropFirst()).allSatisfy(>=))
  }

  @Test(arguments: populations.indices) func limitsHoldTheirEstimate(_ index: Int) {
    let curves = AalenJohansen(LifeTable(intervals: Self.populations[index].intervals))
    for tick in curves.ticks {
      for cause in curves.causes { expectOrdered(curves.incidence(of: cause, at: tick, level: 0.9)) }
      expectOrdered(curves.overall.adoption(at: tick, level: 0.9))
    }
  }

  private func expectOrdered(_ estimate: Estimate) {
    guard let value = estimate.value, let lo = estimate.lo, let hi = estimate.hi else {
      #expect(estimate.reason != nil)
      return
    }
    #expect(0 <= lo && lo <= value && value <= hi && hi <= 1)
  }

  @Test func oneCauseHasTheIntervalOfKaplanMeier() {
    let curves = AalenJohansen(LifeTable(intervals: population(200, causes: 1, seed: 5)))
    for tick in curves.ticks {
      let (one, all) = (curves.incidence(of: 1, at: tick, level: 0.95), curves.overall.adoption(at: tick, level: 0.95))
      expectNear(one.lo, all.lo, relative: 1e-9, "lower at \(tick)")
      expectNear(one.hi, all.hi, relative: 1e-9, "upper at \(tick)")
    }
  }

  /// Rounding of thousands of products must not leave a share that nobody has.
  @Test(arguments: [40, 700, 5_000]) func whereAllUpdateTheShareIsOne(_ devices: Tick) {
    let curves = AalenJohansen(LifeTable(intervals: (1...devices).map { (0, $0 + $0 * $0 % 7, .event(1)) }))
    let last = curves.incidence(of: 1, at: curves.table.lastTick ?? 0, level: 0.95)
    #expect(last.value == 1 && last.lo == nil && last.hi == nil && last.reason == .allEvents)
  }

  @Test func quantilesOfOneCauseAgreeToo() {
    let curves = AalenJohansen(LifeTable(intervals: population(300, causes: 1, seed: 6)))
    for p in [0.05, 0.1, 0.5, 0.7] {
      let (one, all) = (curves.quantiles([p], of: 1, level: 0.95)[0], curves.overall.quantile(p, level: 0.95))
      #expect(one.value == all.value && one.lo == all.lo && one.hi == all.hi && one.reason == all.reason)
    }
  }

  @Test(arguments: edgePopulations.indices) func nothingIsEverNaN(_ index: Int) {
    let curves = AalenJohansen(LifeTable(intervals: edgePopulations[index].intervals))
    for tick in Tick(-1)...60 {
      let estimates =
        [
          curves.overall.survival(at: tick, level: 0.95), curves.overall.adoption(at: tick, level: 0.95),
          curves.overall.restrictedMean(to: tick, level: 0.95), curves.difference(1, 2, at: tick, level: 0.95),
          curves.incidence(of: 1, at: tick, level: 0.95),
        ] + curves.overall.quantiles([0.1, 0.5, 0.9], level: 0.95) + curves.quantiles([0.5], of: 1, level: 0.95)
      for estimate in estimates {
        #expect([estimate.value, estimate.lo, estimate.hi].allSatisfy { $0?.isFinite ?? true })
        #expect(estimate.value != nil || estimate.reason != nil)
      }
    }
  }

  @Test func reasonsAreNamed() {
    let updatedBy5 = LifeTable(intervals: [(0, 5, .event(1)), (0, 5, .event(1))])
    let never = LifeTable(intervals: [(0, 5, .censored(.cutOff))])
    let half = LifeTable(intervals: [(0, 2, .event(1)), (0, 5, .censored(.cutOff)), (0, 5, .censored(.cutOff))])
    #expect(KaplanMeier(LifeTable()).adoption(at: 1, level: 0.95).reason == .nothingAtRisk)
    #expect(KaplanMeier(never).adoption(at: 5, level: 0.95).value == 0)
    #expect(KaplanMeier(never).adoption(at: 5, level: 0.95).reason == .noEvents)
    #expect(KaplanMeier(never).adoption(at: 6, level: 0.95).reason == .beyondFollowUp)
    #expect(KaplanMeier(updatedBy5).adoption(at: 6, level: 0.95).value == 1)
    #expect(KaplanMeier(updatedBy5).adoption(at: 6, level: 0.95).reason == .allEvents)
    #expect(KaplanMeier(half).quantile(0.5, level: 0.95).reason == .notReached)
    #expect(KaplanMeier(updatedBy5).quantile(0.5, level: 0.95).value == 5)
    #expect(KaplanMeier(updatedBy5).quantile(0.5, level: 0.95).reason == .allEvents)
    #expect(KaplanMeier(never).quantile(0.5, level: 0.95).reason == .noEvents)
  }

  /// S = 5/6 · 3/5 is a hair above one half in floating point; the median is 2 all the same.
  @Test func quantileToleratesRounding() {
    let table = LifeTable(
      intervals: [(0, 1, .event(1)), (0, 2, .event(1)), (0, 2, .event(1))]
        + (0..<3).map { _ in (0, 9, .censored(.cutOff)) })
    #expect(KaplanMeier(table).quantile(0.5, level: 0.95).value == 2)
  }

  @Test func thinRiskSetsAreUnstable() {
    let late = (0..<100).map { _ in (entry: Tick(5), exit: Tick(20), ending: Ending.event(1)) }
    let early: IntervalAtRisk = (0, 2, .event(1))
    let leaving = KaplanMeier(LifeTable(intervals: (1...60).map { (0, $0, .censored(.cutOff)) }))
    #expect(!leaving.isUnstable(at: 31) && leaving.isUnstable(at: 32))
    #expect(leaving.isCarried(to: 31) && !leaving.isCarried(to: 32))
    #expect(KaplanMeier(LifeTable(intervals: [early] + late)).isUnstable(at: 10))
    #expect(!KaplanMeier(LifeTable(intervals: late)).isUnstable(at: 10))
  }

  /// Few are at risk where nearly all have updated, and one of them moves the estimate by as little as at the beginning.
  @Test func successIsNoReasonForDoubt() {
    let steady = KaplanMeier(LifeTable(intervals: (1...60).map { (0, $0, .event(1)) }))
    for tick in 1...70 as ClosedRange<Tick> { #expect(!steady.isUnstable(at: tick) && steady.isCarried(to: tick)) }
    let all = KaplanMeier(LifeTable(intervals: (0..<2000).map { _ in (0, 10, .event(1)) }))
    #expect(!all.isUnstable(at: 10) && all.isCarried(to: 90))
    let nearly = (0..<4999).map { _ in (entry: Tick(0), exit: Tick(10), ending: Ending.event(1)) }
    #expect(!KaplanMeier(LifeTable(intervals: nearly + [(0, 80, .censored(.cutOff))])).isUnstable(at: 70))
    let few = KaplanMeier(LifeTable(intervals: (0..<20).map { _ in (0, 10, .event(1)) }))
    #expect(few.isUnstable(at: 10) && !few.isCarried(to: 10))
  }

  /// 60 devices, one updates per tick: S/n is 1/60 throughout, over one point and under two.
  @Test func curvesFadeWhereOneMoreEventMovesThem() {
    let steady = KaplanMeier(LifeTable(intervals: (1...60).map { (0, $0, .event(1)) }))
    #expect(steady.fadeTick(limit: 0.02) == nil)
    #expect(steady.fadeTick(limit: 0.01) == 1)
    let censored = KaplanMeier(LifeTable(intervals: (1...200).map { (0, $0, .censored(.cutOff)) }))
    #expect(censored.fadeTick(limit: 0.01) == 102)
  }
}

extension AalenJohansen {
  fileprivate func survival(_ tick: Tick) -> Double { (try? overall.moment(at: tick).get().value) ?? .nan }
  fileprivate func share(_ cause: Cause, _ tick: Tick) -> Double {
    (try? moment(of: cause, at: tick).get().value) ?? .nan
  }
}
