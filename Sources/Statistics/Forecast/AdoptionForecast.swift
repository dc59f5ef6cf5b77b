import Glibc

/// How a release will go on, from how past releases went on: F on the release-age clock, with a band.
///
/// Print the 80 % band: some ten past releases cannot support 95 %. And print the back-test beside it.
public struct AdoptionForecast: Sendable {
  /// Ordered from old to new, without the release itself.
  public let past: [HazardCurve]
  public let current: HazardCurve
  public let snapshot: Tick
  public let level: Double

  public init(past: [HazardCurve], current: HazardCurve, snapshot: Tick, level: Double = 0.8) {
    self.past = past
    self.current = current
    self.snapshot = snapshot
    self.level = level
  }

  /// F at one age by itself. At or before the snapshot it is what was seen, without limits.
  public func share(at target: Tick) -> Estimate {
    guard target > snapshot else {
      return Estimate(current.share(at: target), level: level, method: .kaplanMeierLogLog, reason: .alreadyReached)
    }
    guard let model = IncrementModel(past: past, current: current, snapshot: snapshot, target: target),
      let reached = current.hazard(at: snapshot)
    else { return Estimate(nil, level: level, method: .pastReleaseRegression, reason: .tooFew) }
    let t = studentQuantile(upperTail: (1 - level) / 2, degreesOfFreedom: Double(model.degreesOfFreedom))
    let share = { (log: Double) in -expm1(-(reached + exp(log))) }
    let margin = t * model.standardError
    return Estimate(
      share(model.increment), lo: share(model.increment - margin), hi: share(model.increment + margin), level: level,
      method: model.method)
  }

  /// F at ascending ages; the curve and both edges of its band never fall. Ages without enough history are nil.
  public func curve(at targets: [Tick]) -> [Estimate] {
    var (value, lo, hi) = (0.0, 0.0, 0.0)
    return targets.map { target in
      var estimate = share(at: target)
      estimate.value = estimate.value.map { rise(&value, to: $0) }
      estimate.lo = estimate.lo.map { rise(&lo, to: $0) }
      estimate.hi = estimate.hi.map { rise(&hi, to: $0) }
      return estimate
    }
  }

  private func rise(_ height: inout Double, to next: Double) -> Double {
    height = max(height, next)
    return height
  }

  /// The first of the ascending ages at which a share is reached: by the curve, its upper edge (lo), its lower (hi).
  ///
  /// `notReached`, not within the ages that history covers, is a legal answer, and the usual one for 95 %.
  public func time(to share: Double, at targets: [Tick]) -> Estimate {
    if current.isExhausted(at: snapshot) || current.share(at: snapshot) ?? 0 >= share {
      return Estimate(nil, level: level, method: .pastReleaseRegression, reason: .alreadyReached)
    }
    let ahead = targets.filter { $0 > snapshot }
    let curve = curve(at: ahead)
    let first = { (edge: KeyPath<Estimate, Double?>) in
      curve.firstIndex { $0[keyPath: edge].map { $0 >= share } ?? false }.map { Double(ahead[$0]) }
    }
    let known = curve.last { $0.value != nil }
    let (value, lo, hi) = (first(\.value), first(\.hi), first(\.lo))
    return Estimate(
      value, lo: lo, hi: hi, level: level, method: known?.method ?? .pastReleaseRegression,
      reason: known == nil ? .tooFew : (value == nil || hi == nil ? .notReached : nil))
  }
}
