import Glibc

extension Proportion {
  /// Limits that hold at all looks together: the rates that a beta(½, ½) mixture does not refute.
  ///
  /// { p : B(½ + s, ½ + n - s)/B(½, ½) < p^s (1 - p)^(n - s)/(1 - level) }. Wider than Wilson's at any one look.
  public func confidenceSequence(level: Double) -> Estimate {
    let counts = MixtureLimits(successes: Double(successes), rest: Double(trials - successes), level: level)
    return Estimate(
      share, lo: counts.lower, hi: counts.upper, level: level, method: .betaBinomialSequence,
      reason: trials == 0 ? .nothingAtRisk : nil)
  }
}

/// The rates that a beta(½, ½) mixture does not refute; counts need not be whole.
struct MixtureLimits {
  var successes: Double
  var rest: Double
  var level: Double

  var lower: Double { successes == 0 ? 0 : edge(outside: 0) }
  var upper: Double { rest == 0 ? 1 : edge(outside: 1) }

  var peak: Double { successes + rest > 0 ? successes / (successes + rest) : 0.5 }

  /// Where the set ends between a point outside and its peak, by halving to the last digit.
  private func edge(outside: Double) -> Double {
    let bar = logBeta(0.5 + successes, 0.5 + rest) - log(Double.pi) + log(1 - level)
    var (outside, inside) = (outside, peak)
    for _ in 0..<1_100 {
      let middle = (outside + inside) / 2
      if middle == outside || middle == inside { break }
      if logLikelihood(middle) > bar { inside = middle } else { outside = middle }
    }
    return inside
  }

  func logLikelihood(_ p: Double) -> Double {
    (successes > 0 ? successes * log(p) : 0) + (rest > 0 ? rest * log1p(-p) : 0)
  }
}
