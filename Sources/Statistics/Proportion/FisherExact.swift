import Glibc

extension ProportionPair {
  /// Whether Fisher's test should be read instead of the interval: some cell of the 2 x 2 table is below 5.
  public var isSparse: Bool {
    [first, second].contains { min($0.successes, $0.trials - $0.successes) < 5 }
  }

  /// Fisher's exact two-sided p: all tables with these margins that are no likelier than this one.
  ///
  /// Costs one step per possible table, so as many as the smallest margin. nil when one side has no trials.
  public var fisherExact: PValue? {
    guard first.trials > 0, second.trials > 0 else { return nil }
    let successes = first.successes + second.successes
    let support = max(0, successes - second.trials)...min(successes, first.trials)
    // Logarithms of the likelihoods relative to this table's, walking away from it on both sides.
    var sum = 1.0
    for direction: Int64 in [-1, 1] {
      var log = CompensatedSum()
      var x = first.successes
      while support.contains(x + direction) {
        log.add(direction > 0 ? logStep(above: x, successes) : -logStep(above: x - 1, successes))
        if log.value <= 1e-7 { sum += exp(log.value) }
        x += direction
      }
    }
    return PValue(naturalLog: logLikelihood(successes) + Glibc.log(sum))
  }

  /// log of P(x + 1)/P(x) of the hypergeometric distribution.
  private func logStep(above x: Int64, _ successes: Int64) -> Double {
    let up = Double(first.trials - x) * Double(successes - x)
    return log(up / Double(x + 1) / Double(second.trials - successes + x + 1))
  }

  /// log P of this table, as three binomial probabilities with the pooled share, which cancels.
  private func logLikelihood(_ successes: Int64) -> Double {
    let trials = first.trials + second.trials
    guard successes > 0, successes < trials else { return 0 }
    let pooled = Double(successes) / Double(trials)
    return [first, second].reduce(-logBinomial(Double(successes), of: Double(trials), pooled)) {
      $0 + logBinomial(Double($1.successes), of: Double($1.trials), pooled)
    }
  }
}
