import Lifecycle
import Statistics

extension Adoption {
  /// Puts estimates between the checks in the place of those that take the check for the update.
  ///
  /// - Parameter before: of the release that it is held against; nil where its times are known.
  mutating func estimateBetweenChecks(
    _ side: PolledSide, _ before: PolledSide?, _ options: Options, _ level: Double
  ) {
    ages = ages.map { $0.betweenChecks(side.curve, before?.curve, level) }
    restrictedMeans = restrictedMeans.map { $0.betweenChecks(side.curve, before?.curve, level) }
    median = side.curve.time(0.5, level: level)
    curve = curve.betweenChecks(side.curve, level)
    if let before, let reference = baseline { baseline?.curve = reference.curve.betweenChecks(before.curve, level) }
    polled = side.figures(points: options.points, level: level)
  }
}

extension Adoption.Age {
  fileprivate func betweenChecks(_ curve: PolledCurve, _ before: PolledCurve?, _ level: Double) -> Self {
    var age = self
    age.share = curve.share(at: seconds, level: level)
    (age.always, age.atMost, age.atLeast) = (curve.shareAtAllLooks(at: seconds, level: level), nil, nil)
    age.reason = age.share.reason?.rawValue
    if let before { age.baseline = before.share(at: seconds, level: level) }
    age.difference = age.baseline.map { Estimate.difference(ofShares: age.share, $0, level: level) }
    return age
  }
}

extension Adoption.RestrictedMean {
  fileprivate func betweenChecks(_ curve: PolledCurve, _ before: PolledCurve?, _ level: Double) -> Self {
    var mean = self
    mean.seconds = curve.meanWait(to: horizonSeconds, level: level)
    if let before { mean.baseline = before.meanWait(to: horizonSeconds, level: level) }
    mean.difference = mean.baseline.map { Estimate.difference(ofMeans: mean.seconds, $0, level: level) }
    return mean
  }
}

extension Curve {
  fileprivate func betweenChecks(_ polled: PolledCurve, _ level: Double) -> Curve {
    var curve = self
    curve.points = points.map { point in
      let share = polled.share(at: point.seconds, level: level)
      return CurvePoint(
        seconds: point.seconds, atRisk: point.atRisk, value: share.value ?? point.value, lo: share.lo, hi: share.hi)
    }
    curve.reached = Self.milestones.map { polled.time($0, level: level).value.map { Int64($0) } }
    return curve
  }
}
