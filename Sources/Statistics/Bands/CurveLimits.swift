/// What the limits of a curve hold for: each age by itself, or all ages of a stretch at once.
public struct CurveLimits: Hashable, Sendable {
  public let level: Double
  /// Standard errors to each side, on the scale of the limits.
  let width: Double
  let reach: Reach

  enum Reach: Hashable, Sendable {
    case eachAge
    /// nil: nowhere, for too little is known.
    case allAges(ClosedRange<Tick>?)
  }

  public static func pointwise(level: Double) -> Self {
    Self(level: level, width: normalQuantile(level: level), reach: .eachAge)
  }

  static func simultaneous(level: Double, width: Double, ages: ClosedRange<Tick>) -> Self {
    Self(level: level, width: width, reach: .allAges(ages))
  }

  static func none(level: Double) -> Self { Self(level: level, width: .infinity, reach: .allAges(nil)) }
}

extension CurveLimits {
  public var isSimultaneous: Bool { reach != .eachAge }

  /// Where they hold together; nil for limits of each age, and where too little is known for any.
  public var ages: ClosedRange<Tick>? {
    guard case .allAges(let ages) = reach else { return nil }
    return ages
  }

  /// Why there are none at a tick; nil where there may be.
  func gap(at tick: Tick) -> Unestimable? {
    switch reach {
    case .eachAge: nil
    case .allAges(let ages?): ages.contains(tick) ? nil : .outsideBand
    case .allAges(nil): .tooFew
    }
  }

  /// Fewer updates are too few for a first age: what is normal of many is not of them.
  static let fewestUpdates: Int64 = 10
}

extension Estimate {
  /// A share at a tick with the limits that hold there; no others.
  func limited(by limits: CurveLimits, at tick: Tick, band: Method) -> Self {
    guard limits.isSimultaneous else { return self }
    var copy = self
    copy.method = band
    guard value != nil, let gap = limits.gap(at: tick) else { return copy }
    (copy.lo, copy.hi) = (nil, nil)
    copy.reason = reason ?? gap
    return copy
  }

  /// A time by which a share was reached, from limits of the curve: of what lies before the first of their ages nothing is said.
  func timed(by limits: CurveLimits, band: Method) -> Self {
    guard limits.isSimultaneous else { return self }
    var copy = self
    copy.method = band
    guard let ages = limits.ages else {
      (copy.lo, copy.hi) = (nil, nil)
      copy.reason = reason ?? .tooFew
      return copy
    }
    let (first, last) = (Double(ages.lowerBound), Double(ages.upperBound))
    copy.lo = lo.flatMap { $0 > first && $0 <= last ? $0 : nil }
    copy.hi = hi.flatMap { $0 <= last ? max($0, first) : nil }
    if value != nil, copy.lo == nil || copy.hi == nil { copy.reason = reason ?? .outsideBand }
    return copy
  }
}
