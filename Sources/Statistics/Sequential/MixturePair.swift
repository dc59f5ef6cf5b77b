import Glibc

/// The differences of two rates that two beta mixtures together do not refute.
///
/// Each mixture over its likelihood is a martingale where its rate is the true one, and so is the product of both, in whichever
/// order devices of either group come in: it exceeds 1/(1 - level) with probability at most 1 - level over all looks together
/// (J. Ville, 1939; for two groups R. J. Turner and P. D. Grünwald, Statistics & Probability Letters 198, 2023). The pairs of rates
/// that it leaves are a convex set; its least and greatest difference are the limits. Costs some thousand logarithms.
struct MixturePair {
  let first: MixtureLimits
  let second: MixtureLimits
  let level: Double

  var peak: Double { first.peak - second.peak }
  var lower: Double { edge(outside: -1) }
  var upper: Double { edge(outside: 1) }

  /// Where the set ends between a difference outside and the one observed, by halving.
  private func edge(outside: Double) -> Double {
    if isKept(outside) { return outside }
    var (outside, inside) = (outside, peak)
    for _ in 0..<60 {
      let middle = (outside + inside) / 2
      if middle == outside || middle == inside { break }
      if isKept(middle) { inside = middle } else { outside = middle }
    }
    return inside
  }

  /// Whether some pair with this difference is not refuted: the one that the mixtures speak least against.
  private func isKept(_ difference: Double) -> Bool {
    var (low, high) = (max(0, -difference), min(1, 1 - difference))
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if first.slope(at: middle + difference) + second.slope(at: middle) < 0 { low = middle } else { high = middle }
    }
    let rate = (low + high) / 2
    return first.evidence(against: rate + difference) + second.evidence(against: rate) < -log(1 - level)
  }
}

extension MixtureLimits {
  /// log of the mixture over the likelihood of a rate.
  fileprivate func evidence(against rate: Double) -> Double {
    logBeta(0.5 + successes, 0.5 + rest) - log(Double.pi) - logLikelihood(min(max(rate, 0), 1))
  }

  /// Of that evidence: it falls up to the observed rate and rises behind it.
  fileprivate func slope(at rate: Double) -> Double {
    (rest > 0 ? rest / max(1 - rate, 1e-300) : 0) - (successes > 0 ? successes / max(rate, 1e-300) : 0)
  }
}

extension KaplanMeier {
  /// F of these devices less F of the reference at a tick, with limits that may be looked at as often as one likes, while devices
  /// of both come in and grow older. As `adoptionAtAllLooks`: exact where nobody was censored before the tick, asymptotic else.
  public func adoptionDifferenceAtAllLooks(from reference: KaplanMeier, at tick: Tick, level: Double) -> Estimate {
    let (own, other) = (standing(at: tick), reference.standing(at: tick))
    let shares = [own, other].map { $0.adoptionAtAllLooks(level: level) }
    let reason = shares.compactMap(\.reason).first
    guard let value = shares[0].value, let rest = shares[1].value else {
      return Estimate(nil, level: level, method: .betaBinomialSequence, reason: reason)
    }
    guard shares.allSatisfy({ $0.lo != nil }) else {
      return Estimate(value - rest, level: level, method: .betaBinomialSequence, reason: reason)
    }
    let limits = own.difference(from: other, level: level)
    return Estimate(value - rest, lo: limits.lower, hi: limits.upper, level: level, method: .betaBinomialSequence)
  }
}

extension KaplanMeier.Standing {
  fileprivate func difference(from other: Self, level: Double) -> (lower: Double, upper: Double) {
    if let first = mixture(level: level), let second = other.mixture(level: level) {
      let pair = MixturePair(first: first, second: second, level: level)
      return (pair.lower, pair.upper)
    }
    // Where all at risk have updated there is no likelihood to multiply: each side errs half as often instead.
    let (own, rest) = (adoptionAtAllLooks(level: (1 + level) / 2), other.adoptionAtAllLooks(level: (1 + level) / 2))
    return ((own.lo ?? 0) - (rest.hi ?? 1), (own.hi ?? 1) - (rest.lo ?? 0))
  }
}
