import Statistics

/// What limits of curves hold for. The raw values are the words of `--bands`.
public enum Bands: String, CaseIterable, Sendable {
  /// Each age by itself.
  case pointwise
  /// All ages together.
  case simultaneous
}

/// Between which ages limits hold together.
public struct Band: Encodable, Sendable {
  public var fromSeconds: Int64
  public var untilSeconds: Int64

  /// nil for limits of each age, and where too little is known for any.
  init?(_ limits: CurveLimits) {
    guard let ages = limits.ages else { return nil }
    (fromSeconds, untilSeconds) = (ages.lowerBound, ages.upperBound)
  }
}

extension KaplanMeier {
  func limits(_ bands: Bands, level: Double) -> CurveLimits {
    bands == .pointwise ? .pointwise(level: level) : simultaneousLimits(level: level)
  }
}

extension AalenJohansen {
  func limits(_ bands: Bands, of cause: Cause, level: Double) -> CurveLimits {
    bands == .pointwise ? .pointwise(level: level) : simultaneousLimits(of: cause, level: level)
  }
}

extension PolledCurve {
  func limits(_ bands: Bands, level: Double) -> CurveLimits {
    bands == .pointwise ? .pointwise(level: level) : simultaneousLimits(level: level)
  }
}
