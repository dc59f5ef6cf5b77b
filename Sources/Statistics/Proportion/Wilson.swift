/// A share of independent trials with Wilson's score limits (E. B. Wilson, JASA 22, 1927).
public struct Proportion: Hashable, Sendable {
  public let successes: Int64
  public let trials: Int64

  /// Requires 0 <= successes <= trials.
  public init(_ successes: Int64, of trials: Int64) {
    precondition(successes >= 0 && successes <= trials, "successes are among the trials")
    self.successes = successes
    self.trials = trials
  }

  /// nil when nothing was tried: unknown is not zero.
  public var share: Double? { trials > 0 ? Double(successes) / Double(trials) : nil }

  public func wilson(level: Double) -> Estimate {
    guard let limits = wilsonLimits(z: normalQuantile(level: level)) else {
      return Estimate(nil, level: level, method: .wilson, reason: .nothingAtRisk)
    }
    return Estimate(share, lo: limits.lower, hi: limits.upper, level: level, method: .wilson)
  }

  /// Exactly 0 at no success and 1 at nothing but successes, where rounding would exclude the estimate.
  func wilsonLimits(z: Double) -> (lower: Double, upper: Double)? {
    guard let share else { return nil }
    let n = Double(trials)
    let center = share + z * z / (2 * n)
    let margin = z * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot()
    let scale = 1 + z * z / n
    let lower = successes == 0 ? 0 : (center - margin) / scale
    let upper = successes == trials ? 1 : (center + margin) / scale
    return (lower, upper)
  }
}
