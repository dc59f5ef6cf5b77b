/// Two independent proportions side by side.
public struct ProportionPair: Hashable, Sendable {
  public let first: Proportion
  public let second: Proportion

  public init(_ first: Proportion, _ second: Proportion) {
    self.first = first
    self.second = second
  }

  /// First less second with hybrid score limits (R. G. Newcombe, Statistics in Medicine 17, 1998, method 10).
  public func difference(level: Double) -> Estimate {
    let z = normalQuantile(level: level)
    guard let p = first.share, let q = second.share, let one = first.wilsonLimits(z: z),
      let two = second.wilsonLimits(z: z)
    else { return Estimate(nil, level: level, method: .newcombe, reason: .nothingAtRisk) }
    let below = ((p - one.lower) * (p - one.lower) + (two.upper - q) * (two.upper - q)).squareRoot()
    let above = ((one.upper - p) * (one.upper - p) + (q - two.lower) * (q - two.lower)).squareRoot()
    return Estimate(p - q, lo: p - q - below, hi: p - q + above, level: level, method: .newcombe)
  }
}
