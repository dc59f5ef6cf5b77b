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
  /// - Parameters:
  ///   - share: of the smaller arm, among both; at most a half.
  /// - Returns: nil where the shares are the same or no shares, or `power` or `alpha` are none.
  public init?(from first: Double, to second: Double, power: Double, alpha: Double, share: Double = 0.5) {
    guard first != second, (0...1).contains(first), (0...1).contains(second), (0.01..<1).contains(power),
      alpha > 0, alpha < 0.5, share > 0, share <= 0.5
    else { return nil }
    let (ratio, za, zb) = (
      (1 - share) / share, normalQuantile(upperTail: alpha / 2), normalQuantile(upperTail: 1 - power)
    )
    let pooled = (first + ratio * second) / (1 + ratio)
    let spread =
      za * ((1 + 1 / ratio) * pooled * (1 - pooled)).squareRoot()
      + zb * (first * (1 - first) + second * (1 - second) / ratio).squareRoot()
    let smaller = spread * spread / ((first - second) * (first - second))
    guard smaller < 1e12 else { return nil }
    self.smaller = Int(smaller.rounded(.up))
    larger = Int((smaller * ratio).rounded(.up))
  }
}
