import Glibc

extension ProportionPair {
  /// First over second with limits on the log scale; nil where one of them has no success.
  public func ratio(level: Double) -> Estimate {
    guard let p = first.share, let q = second.share else {
      return Estimate(nil, level: level, method: .riskRatioLog, reason: .nothingAtRisk)
    }
    guard first.successes > 0, second.successes > 0 else {
      return Estimate(nil, level: level, method: .riskRatioLog, reason: .noEvents)
    }
    let variance = (1 - p) / Double(first.successes) + (1 - q) / Double(second.successes)
    return Moment(value: log(p / q), variance: variance).estimate(level: level, method: .riskRatioLog).exponentiated
  }
}
