extension Proportion {
  /// Exact limits (C. J. Clopper and E. S. Pearson, Biometrika 26, 1934): never too short, often too long.
  func clopperPearsonLimits(tail: Double) -> (lower: Double, upper: Double) {
    let (x, n) = (Double(successes), Double(trials))
    let lower = successes == 0 ? 0 : betaQuantile(tail, x, n - x + 1)
    // The upper limit is found from the other end, where a small tail is exact.
    let upper = successes == trials ? 1 : 1 - betaQuantile(tail, n - x, x + 1)
    return (lower, upper)
  }

  /// What can be said when nothing has happened among n: the one-sided upper limit of the share; nil for n = 0.
  public static func boundWithoutEvents(among n: Int64, level: Double) -> Double? {
    n > 0 ? Proportion(0, of: n).clopperPearsonLimits(tail: (1 - level) / 2).upper : nil
  }
}
