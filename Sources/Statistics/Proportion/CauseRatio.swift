import Glibc

/// The ratio of two cause-specific hazards over one risk set: how often cause k against cause l.
///
/// Given D_k + D_l events, D_k is binomial, so the limits are exact: Clopper-Pearson's p as p/(1 - p).
public struct CauseRatio: Hashable, Sendable {
  public let first: Int64
  public let second: Int64

  public init(_ first: Int64, to second: Int64) {
    self.first = first
    self.second = second
  }

  /// nil value without events of the second, while the lower limit remains; nil altogether without any event.
  public func estimate(level: Double) -> Estimate {
    guard first + second > 0 else { return Estimate(nil, level: level, method: .causeRatioExact, reason: .noEvents) }
    let ratio = second > 0 ? Double(first) / Double(second) : nil
    let tail = (1 - level) / 2
    let limits = Proportion(first, of: first + second).clopperPearsonLimits(tail: tail)
    return Estimate(
      ratio, lo: limits.lower / (1 - limits.lower), hi: second > 0 ? limits.upper / (1 - limits.upper) : nil,
      level: level, method: .causeRatioExact, reason: ratio == nil ? .noEvents : nil)
  }

  /// Exact and two-sided, of equal hazards; nil without events.
  public var p: PValue? {
    let larger = max(first, second)
    guard larger > 0 else { return nil }
    guard first != second else { return PValue(log10: 0) }
    let tail = logBetaTails(0.5, Double(larger), Double(min(first, second) + 1)).lower
    return PValue(naturalLog: tail + log(2))
  }
}
