/// The distribution-free interval of a quantile of an uncensored sample, as ranks from 1.
public struct OrderStatisticInterval: Hashable, Sendable {
  /// nil: the sample is too small to bound the quantile on this side.
  public let lowerRank: Int64?
  public let upperRank: Int64?
  /// How often such an interval holds the quantile, a missing side counting as unbounded.
  public let coverage: Double

  public init(of quantile: Double, among n: Int64, level: Double) {
    let tail = (1 - level) / 2
    let lower = binomialQuantile(tail, of: n, quantile)
    let upper = binomialQuantile(1 - tail, of: n, quantile) + 1
    lowerRank = lower >= 1 ? lower : nil
    upperRank = upper <= n ? upper : nil
    coverage = binomialCumulative(upper - 1, of: n, quantile) - binomialCumulative(lower - 1, of: n, quantile)
  }
}
