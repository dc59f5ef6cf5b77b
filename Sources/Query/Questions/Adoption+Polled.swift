import Lifecycle
import Statistics

extension Adoption {
  /// Puts estimates between the checks in the place of those that take the check for the update.
  ///
  /// - Parameters:
  ///   - between: of this release, then of the one that it is held against; nil where times are known.
  ///   - sides: the same releases, with the check taken for the update.
  mutating func estimateBetweenChecks(_ between: [PolledSide?], _ sides: [Side], _ options: Options, _ level: Double) {
    guard between.contains(where: { $0 != nil }) else { return }
    let curves = zip(sides, between).map { ComparedCurve(seen: $0.curve, between: $1?.curve) }
    let limits = between.map { $0?.curve.limits(options.bands, level: level) }
    ages = ages.map { $0.betweenChecks(curves, limits, level) }
    restrictedMeans = restrictedMeans.map { $0.betweenChecks(curves, level) }
    if between.count > 1, let other = between[1]?.curve, let limits = limits[1], let drawn = baseline?.curve {
      baseline?.curve = drawn.betweenChecks(other, limits)
    }
    if let side = between[0], let limits = limits[0] { estimateBetweenChecks(side, limits, options) }
  }

  private mutating func estimateBetweenChecks(_ side: PolledSide, _ limits: CurveLimits, _ options: Options) {
    median = side.curve.time(0.5, limits)
    curve = curve.betweenChecks(side.curve, limits)
    band = Band(limits)
    polled = side.figures(points: options.points, limits)
  }
}

extension Adoption.Age {
  /// The difference has limits of its own, at each age.
  fileprivate func betweenChecks(_ curves: [ComparedCurve], _ limits: [CurveLimits?], _ level: Double) -> Self {
    var age = self
    if let own = curves[0].between, let limits = limits[0] {
      age.share = own.share(at: seconds, limits)
      (age.always, age.atMost, age.atLeast) = (own.shareAtAllLooks(at: seconds, level: level), nil, nil)
      age.reason = age.share.reason?.rawValue
    }
    guard curves.count > 1 else { return age }
    if let before = curves[1].between, let limits = limits[1] {
      age.baseline = before.share(at: seconds, limits)
      (age.baselineAtMost, age.baselineAtLeast) = (nil, nil)
    }
    age.difference = curves[0].difference(from: curves[1], at: seconds, level: level, shared: SharedEnds())
    return age
  }
}

extension Adoption.RestrictedMean {
  fileprivate func betweenChecks(_ curves: [ComparedCurve], _ level: Double) -> Self {
    var mean = self
    mean.seconds = curves[0].meanWait(to: horizonSeconds, level: level)
    guard curves.count > 1 else { return mean }
    mean.baseline = curves[1].meanWait(to: horizonSeconds, level: level)
    mean.difference = curves[0].meanDifference(from: curves[1], to: horizonSeconds, level: level, shared: SharedEnds())
    return mean
  }
}

extension Curve {
  fileprivate func betweenChecks(_ polled: PolledCurve, _ limits: CurveLimits) -> Curve {
    var curve = self
    curve.points = points.map { point in
      let share = polled.share(at: point.seconds, limits)
      let height = share.value ?? polled.adoption(at: point.seconds, level: limits.level)?.value
      return CurvePoint(
        seconds: point.seconds, atRisk: point.atRisk, value: height ?? point.value, lo: share.lo, hi: share.hi)
    }
    curve.reached = Self.milestones.map { polled.time($0, level: limits.level).value.map { Int64($0) } }
    return curve
  }
}
