public import Statistics

/// A p-value; below 1e-15 read the logarithm.
public struct Significance: Encodable, Sendable {
  public var p: Double
  public var log10: Double
  public init(_ value: PValue) {
    p = value.value
    log10 = value.log10
  }
}

/// Whether groups differ at all: the log-rank test, stratified by platform.
public struct LogRankRow: Encodable, Sendable {
  @Nullable public var chiSquare: Double?
  public var degreesOfFreedom: Int
  @Nullable public var significance: Significance?
  /// By Holm's method over the tests of one answer.
  @Nullable public var adjusted: Significance?
  @Nullable public var reason: String?

  init(_ test: LogRank) {
    chiSquare = test.statistic
    degreesOfFreedom = test.degreesOfFreedom
    significance = test.p.map(Significance.init)
    adjusted = nil
    reason = test.reason?.rawValue
  }
}
