import Glibc

/// How many devices tell two shares apart.
public struct SampleSize: Equatable, Sendable {
  /// In the arm that is smaller, or of equal ones in each.
  public let smaller: Int
  public let larger: Int
  public var total: Int { smaller + larger }

  /// For a two-sided test of two independent proportions by the normal approximation, as in Fleiss, Levin and Paik,
  /// Statistical Methods for Rates and Proportions (2003), 4.14 and 4.18, without correction for continuity.
  ///
  /// For many looks the limits are those of `MixturePair`: as many devices as it takes until they leave out no difference. Two
  /// beta(½, ½) mixtures pay ½ log n + ½ log(π/2) each, so z² has to reach 2 log(1/α) + log(n₁ n₂) + 2 log(π/2) instead of the
  /// quantile's square; solved by repeating, as n stands on both sides. Whoever looks before the end may see it sooner.
  ///
  /// - Parameters:
  ///   - share: of the smaller arm, among both; at most a half.
  ///   - atAllLooks: whether the difference has to be seen with limits that hold at all looks together.
  /// - Returns: nil where the shares are the same or no shares, or `power` or `alpha` are none.
  public init?(
    from first: Double, to second: Double, power: Double, alpha: Double, share: Double = 0.5,
    atAllLooks: Bool = false
  ) {
    guard first != second, (0...1).contains(first), (0...1).contains(second), (0.01..<1).contains(power),
      alpha > 0, alpha < 0.5, share > 0, share <= 0.5
    else { return nil }
    let (ratio, zb) = ((1 - share) / share, normalQuantile(upperTail: 1 - power))
    let pooled = (first + ratio * second) / (1 + ratio)
    func devices(_ za: Double) -> Double {
      let spread =
        za * ((1 + 1 / ratio) * pooled * (1 - pooled)).squareRoot()
        + zb * (first * (1 - first) + second * (1 - second) / ratio).squareRoot()
      return spread * spread / ((first - second) * (first - second))
    }
    var smaller = devices(normalQuantile(upperTail: alpha / 2))
    for _ in 0..<40 where atAllLooks {
      let payment = 2 * log(smaller) + log(ratio) + 2 * log(Double.pi / 2)
      smaller = devices(max(payment - 2 * log(alpha), 0).squareRoot())
    }
    guard smaller < 1e12 else { return nil }
    self.smaller = Int(smaller.rounded(.up))
    larger = Int((smaller * ratio).rounded(.up))
  }
}
