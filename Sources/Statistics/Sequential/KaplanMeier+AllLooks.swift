import Glibc

extension KaplanMeier.Standing {
  /// F with limits that may be looked at as often as one likes, while devices come in and grow older.
  ///
  /// A share with Greenwood's variance tells as much as F·S/Var of devices that were watched to the end (S. J. Cutler and
  /// F. Ederer, Journal of Chronic Diseases 8, 1958): a beta mixture over so many gives the limits. Exact where nobody was
  /// censored before the tick, asymptotic else. Where all at risk have updated the lower limit is that of the share just
  /// before, times that of the last at risk.
  public func adoptionAtAllLooks(level: Double) -> Estimate {
    let share = adoption(level: level)
    guard let value = share.value else {
      return Estimate(nil, level: level, method: .betaBinomialSequence, reason: share.reason)
    }
    if let doubt { return Estimate(value, level: level, method: .betaBinomialSequence, reason: doubt) }
    let limits = limitsAtAllLooks(level: level)
    return Estimate(value, lo: limits.lower, hi: limits.upper, level: level, method: .betaBinomialSequence)
  }

  private func limitsAtAllLooks(level: Double) -> (lower: Double, upper: Double) {
    if let limits = mixture(level: level) { return (limits.lower, limits.upper) }
    let (log, greenwood) = progress.beforeExhaustion
    let before = log < 0 ? MixtureLimits(log: log, greenwood: greenwood, level: level).lower : 0
    let stayed = MixtureLimits(successes: 0, rest: Double(progress.lastAtRisk), level: level).upper
    return (1 - (1 - before) * stayed, 1)
  }

  /// As many devices watched to the end as tell what the curve does; nil where all at risk have updated.
  func mixture(level: Double) -> MixtureLimits? {
    guard !progress.isExhausted else { return nil }
    guard progress.steps > 0 else { return MixtureLimits(successes: 0, rest: Double(atRisk), level: level) }
    return MixtureLimits(log: progress.logSurvival, greenwood: progress.greenwood, level: level)
  }
}

extension MixtureLimits {
  /// So many devices as tell as much as a curve: F·S/(S²G).
  init(log: Double, greenwood: Double, level: Double) {
    let odds = expm1(-log)
    let devices = odds / greenwood
    let survival = exp(log)
    self.init(successes: devices * (1 - survival), rest: devices * survival, level: level)
  }
}
