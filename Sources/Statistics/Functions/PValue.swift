import Glibc

/// A probability that may be too small for a Double: its decimal logarithm is always there.
public struct PValue: Hashable, Comparable, Sendable {
  public var log10: Double

  public init(log10: Double) { self.log10 = min(log10, 0) }

  init(naturalLog: Double) { self.init(log10: naturalLog / log(10)) }

  /// The upper tail of the chi-square distribution.
  public init(chiSquare: Double, degreesOfFreedom: Int) {
    self.init(naturalLog: logGammaQ(Double(degreesOfFreedom) / 2, chiSquare / 2))
  }

  /// 0 where a Double cannot hold it; print `log10` below 1e-15.
  public var value: Double { exp(log10 * log(10)) }

  public static func < (left: PValue, right: PValue) -> Bool { left.log10 < right.log10 }
}
