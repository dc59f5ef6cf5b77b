import Lifecycle
import Statistics

extension Adoption {
  /// Puts estimates between the checks in the place of those that take the check for the update.
  ///
  /// - Parameters:
  ///   - before: of the release that it is held against; nil where its times are known.
  ///   - reference: the same release, with the check taken for the update.
  mutating func estimateBetweenChecks(
    _ side: PolledSide, _ before: PolledSide?, _ reference: KaplanMeier?, _ options: Options, _ level: Double
  ) {
    let limits = side.curve.limits(options.bands, level: level)
    let others = before.map { (curve: $0.curve, limits: $0.curve.limits(options.bands, level: level)) }
    ages = ages.map { $0.betweenChecks((side.curve, limits), others, reference, level) }
    restrictedMeans = restrictedMeans.map { $0.betweenChecks(side.curve, before?.curve, level) }
    median = side.curve.time(0.5, limits)
    curve = curve.betweenChecks(side.curve, limits)
    band = Band(limits)
    if let others, let drawn = baseline?.curve {
      baseline?.curve = drawn.betweenChecks(others.curve, others.limits)
    }
    polled = side.figures(points: options.points, limits)
  }
}

extension Adoption.Age {
  fileprivate typealias Limited = (curve: PolledCurve, limits: CurveLimits)

  fileprivate func betweenChecks(
    _ own: Limited, _ before: Limited?, _ reference: KaplanMeier?, _ level: Double
  ) -> Self {
    var age = self
    age.share = own.curve.share(at: seconds, own.limits)
    (age.always, age.atMost, age.atLeast) = (own.curve.shareAtAllLooks(at: seconds, level: level), nil, nil)
    age.reason = age.share.reason?.rawValue
    // A difference has limits of its own, at each age.
    var other = reference?.adoption(at: seconds, level: level)
    if let before {
      age.baseline = before.curve.share(at: seconds, before.limits)
      other = before.curve.share(at: seconds, level: level)
    }
    age.difference = other.map {
      Estimate.difference(ofShares: own.curve.share(at: seconds, level: level), $0, level: level)
    }
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
  fileprivate func betweenChecks(_ polled: PolledCurve, _ limits: CurveLimits) -> Curve {
    var curve = self
    curve.points = points.map { point in
      let share = polled.share(at: point.seconds, limits)
      return CurvePoint(
        seconds: point.seconds, atRisk: point.atRisk, value: share.value ?? point.value, lo: share.lo, hi: share.hi)
    }
    curve.reached = Self.milestones.map { polled.time($0, level: limits.level).value.map { Int64($0) } }
    return curve
  }
}
