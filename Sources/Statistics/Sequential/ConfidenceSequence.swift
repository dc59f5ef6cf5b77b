import Glibc

extension Proportion {
  /// Limits that hold at all looks together: the rates that a beta(½, ½) mixture does not refute.
  ///
  /// { p : B(½ + s, ½ + n - s)/B(½, ½) < p^s (1 - p)^(n - s)/(1 - level) }. Wider than Wilson's at any one look.
  public func confidenceSequence(level: Double) -> Estimate {
    let (s, rest) = (Double(successes), Double(trials - successes))
    let bar = logBeta(0.5 + s, 0.5 + rest) - log(Double.pi) + log(1 - level)
    let isInside = { (p: Double) in (s > 0 ? s * log(p) : 0) + (rest > 0 ? rest * log1p(-p) : 0) > bar }
    let peak = share ?? 0.5
    return Estimate(
      share, lo: successes == 0 ? 0 : edge(outside: 0, inside: peak, isInside),
      hi: rest == 0 ? 1 : edge(outside: 1, inside: peak, isInside), level: level, method: .betaBinomialSequence,
      reason: trials == 0 ? .nothingAtRisk : nil)
  }

  /// Where a set ends between a point outside and one inside, by halving to the last digit.
  private func edge(outside: Double, inside: Double, _ isInside: (Double) -> Bool) -> Double {
    var (outside, inside) = (outside, inside)
    for _ in 0..<1_100 {
      let middle = (outside + inside) / 2
      if middle == outside || middle == inside { break }
      if isInside(middle) { inside = middle } else { outside = middle }
    }
    return inside
  }
}
