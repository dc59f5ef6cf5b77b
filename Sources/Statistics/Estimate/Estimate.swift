/// A number with its confidence limits, how sure they are, and by which method.
///
/// `value`, `lo` and `hi` are nil, never 0 or NaN, where they cannot be estimated; `reason` then says why.
public struct Estimate: Hashable, Sendable {
  public var value: Double?
  public var lo: Double?
  public var hi: Double?
  /// The level of confidence of `lo...hi`, such as 0.95.
  public var level: Double
  public var method: Method
  public var reason: Unestimable?

  public init(
    _ value: Double?, lo: Double? = nil, hi: Double? = nil, level: Double, method: Method,
    reason: Unestimable? = nil
  ) {
    self.value = value
    self.lo = lo
    self.hi = hi
    self.level = level
    self.method = method
    self.reason = reason
  }
}

extension Estimate {
  /// How the value and its limits were found. The raw values are part of every answer's JSON.
  public enum Method: String, CaseIterable, Hashable, Sendable, Codable {
    case kaplanMeierLogLog, kaplanMeierQuantile, restrictedMean
    /// Of times between bounds: hazards in steps, with the limits of their likelihood.
    case intervalCensored
    case aalenJohansenCloglog, aalenJohansenQuantile
    /// With limits that hold at all ages together.
    case kaplanMeierBand, kaplanMeierBandQuantile, aalenJohansenBand, aalenJohansenBandQuantile, intervalCensoredBand
    case independentDifference, dependentDifference, mover
    /// Of two releases that partly the same devices took up.
    case pairedDifference, pairedMover
    case coxEfron, causeRatioExact
    case wilson, clopperPearson, newcombe, riskRatioLog, clusteredLogit
    case betaBinomialSequence
    case pastReleaseRegression, pooledIncrement
  }
}

extension Estimate: Codable {
  private enum CodingKeys: String, CodingKey { case value, lo, hi, level, method, reason }

  /// Writes an explicit null for what cannot be estimated; `reason` only where there is one.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(value, forKey: .value)
    try fields.encode(lo, forKey: .lo)
    try fields.encode(hi, forKey: .hi)
    try fields.encode(level, forKey: .level)
    try fields.encode(method, forKey: .method)
    try fields.encodeIfPresent(reason, forKey: .reason)
  }
}
