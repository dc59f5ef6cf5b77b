@testable import Statistics

/// What tests look at beside what answers are made of.
extension KaplanMeier {
  /// Every tick with an event.
  var ticks: [Tick] { ticks(atMost: .max) }

  func survival(at tick: Tick, level: Double) -> Estimate { standing(at: tick).survival(level: level) }

  /// S at a tick and its variance; the variance is 0 where S is 1 or 0.
  func moment(at tick: Tick) -> Result<Moment, Unestimable> {
    if let gap = gap(at: tick) { return .failure(gap) }
    let progress = progress(to: tick).after
    let survival = progress.survival
    return .success(
      Moment(value: survival, variance: survival > 0 ? survival * survival * progress.greenwood : 0))
  }
}

extension AalenJohansen {
  var ticks: [Tick] { overall.ticks }
}

extension Estimate {
  /// In another unit; the factor is positive.
  func scaled(by factor: Double) -> Estimate {
    var scaled = self
    scaled.value = value.map { $0 * factor }
    scaled.lo = lo.map { $0 * factor }
    scaled.hi = hi.map { $0 * factor }
    return scaled
  }
}

extension Moment {
  /// Two-sided, of the hypothesis that the true value is 0; nil when the variance is 0.
  var pValue: PValue? {
    variance > 0 ? PValue(chiSquare: value * value / variance, degreesOfFreedom: 1) : nil
  }
}

extension Proportion {
  func clopperPearson(level: Double) -> Estimate {
    guard let share else { return Estimate(nil, level: level, method: .clopperPearson, reason: .nothingAtRisk) }
    let limits = clopperPearsonLimits(tail: (1 - level) / 2)
    return Estimate(share, lo: limits.lower, hi: limits.upper, level: level, method: .clopperPearson)
  }
}

extension RiskSets {
  init(groups: [LifeTable], events causes: CauseSet = .all) {
    self.init(strata: [groups], groupCount: groups.count, events: causes)
  }
}

extension CoxModel {
  var likelihoodRatioStatistic: Double { 2 * (logLikelihood - nullLogLikelihood) }
}
