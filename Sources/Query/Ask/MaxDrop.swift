public import Statistics

/// The gate of `compare --at 24h --max-drop 2pp`: the release must not be further behind the other than so much.
///
/// Met where the whole interval lies above the permitted drop, not met where it lies below; an interval that holds the
/// permitted drop cannot say.
public struct MaxDrop: Equatable, Sendable {
  /// A share; below 0 the release must be ahead.
  public var drop: Double

  public init(_ drop: Double) { self.drop = drop }

  /// - Parameter difference: of the release less the other.
  public func judge(_ difference: Estimate) -> GateOutcome {
    guard let lo = difference.lo, let hi = difference.hi else { return .cannotBeJudged(difference.reason) }
    if lo >= -drop { return .met }
    return hi < -drop ? .notMet : .cannotBeJudged(nil)
  }
}
