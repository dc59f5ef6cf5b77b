import Glibc

/// What past releases say about log(H(t) - H(a)), the hazard still to come between a snapshot and a target age.
struct IncrementModel {
  let slope: Double
  let increment: Double
  /// Of a single new release, not of the mean.
  let standardError: Double
  let degreesOfFreedom: Int
  let method: Estimate.Method

  static let mostReleases = 12
  static let fewestReleases = 3
  /// From so many releases, and so many events of the new one, its own start is used too.
  static let regressionReleases = 5
  static let regressionEvents: Int64 = 50
  private static let ridge = 0.1

  /// nil for fewer than three usable releases: those known at the target whose hazard grew before and after `a`.
  init?(past: [HazardCurve], current: HazardCurve, snapshot: Tick, target: Tick) {
    let points = past.compactMap { Self.point($0, snapshot, target) }.suffix(Self.mostReleases)
    guard points.count >= Self.fewestReleases else { return nil }
    let (x, y) = (points.map(\.x), points.map(\.y))
    let start = current.hazard(at: snapshot).map(log) ?? -.infinity
    let regresses =
      points.count >= Self.regressionReleases && current.events(by: snapshot) >= Self.regressionEvents
      && start > -.infinity
    self = regresses ? Self(regressing: y, on: x, at: start) : Self(pooling: y)
  }

  private static func point(_ curve: HazardCurve, _ snapshot: Tick, _ target: Tick) -> (x: Double, y: Double)? {
    guard let early = curve.hazard(at: snapshot), let late = curve.hazard(at: target), early > 0, late > early else {
      return nil
    }
    return (log(early), log(late - early))
  }

  /// A least-squares line whose slope is drawn to 0 a little and kept within 0...1.5.
  private init(regressing y: [Double], on x: [Double], at start: Double) {
    let (meanX, meanY) = (mean(x), mean(y))
    let spread = x.reduce(0) { $0 + ($1 - meanX) * ($1 - meanX) } + Self.ridge
    let slope = min(max(zip(x, y).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) } / spread, 0), 1.5)
    let misses = zip(x, y).map { $1 - meanY - slope * ($0 - meanX) }
    let residual = dot(misses, misses) / Double(y.count - 2)
    let leverage = 1 / Double(y.count) + (start - meanX) * (start - meanX) / spread
    self.slope = slope
    increment = meanY + slope * (start - meanX)
    standardError = (residual * (1 + leverage)).squareRoot()
    degreesOfFreedom = y.count - 2
    method = .pastReleaseRegression
  }

  private init(pooling y: [Double]) {
    let center = mean(y)
    let residual = y.reduce(0) { $0 + ($1 - center) * ($1 - center) } / Double(y.count - 1)
    slope = 0
    increment = center
    standardError = (residual * (1 + 1 / Double(y.count))).squareRoot()
    degreesOfFreedom = y.count - 1
    method = .pooledIncrement
  }
}

private func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
