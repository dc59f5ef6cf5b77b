/// A value that is about normally distributed, and its variance.
public struct Moment: Hashable, Sendable {
  public var value: Double
  public var variance: Double

  public init(value: Double, variance: Double) {
    self.value = value
    self.variance = variance
  }

  public var standardError: Double { max(variance, 0).squareRoot() }

  /// The difference of two independent values.
  public static func - (left: Moment, right: Moment) -> Moment {
    Moment(value: left.value - right.value, variance: left.variance + right.variance)
  }

  /// Without limits where the variance is 0: that nothing varied yet is no certainty.
  public func estimate(level: Double, method: Estimate.Method) -> Estimate {
    guard variance > 0 else { return Estimate(value, level: level, method: method, reason: .noVariation) }
    let margin = normalQuantile(level: level) * standardError
    return Estimate(value, lo: value - margin, hi: value + margin, level: level, method: method)
  }
}

extension Result where Success == Moment, Failure == Unestimable {
  public func estimate(level: Double, method: Estimate.Method) -> Estimate {
    switch self {
    case .success(let moment): moment.estimate(level: level, method: method)
    case .failure(let reason): Estimate(nil, level: level, method: method, reason: reason)
    }
  }

  /// The difference of two independent values, where both exist.
  public static func - (left: Self, right: Self) -> Self {
    left.flatMap { first in right.map { first - $0 } }
  }
}
