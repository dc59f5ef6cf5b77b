extension KaplanMeier {
  /// F of these devices less F of the reference at one tick. Holds for few devices, none and all.
  ///
  /// - Parameter shared: devices that are in both, whose two waits go together; without any the groups are independent.
  public func adoptionDifference(
    from reference: KaplanMeier, at tick: Tick, level: Double, shared: SharedEnds = SharedEnds()
  ) -> Estimate {
    let (own, other) = (
      limitedShare(at: tick, level: level), reference.limitedShare(at: tick, level: level)
    )
    return own.difference(from: other, correlation: correlation(with: reference, at: tick, shared), level: level)
      .without(limitsBecauseOf: table.doubt ?? reference.table.doubt)
  }

  /// Mean ticks without the update within the horizon, less those of the reference: negative is faster.
  ///
  /// Without limits where one side did not vary: half a variance makes limits of half the width.
  ///
  /// - Parameter shared: as above.
  public func restrictedMeanDifference(
    from reference: KaplanMeier, to horizon: Tick, level: Double, shared: SharedEnds = SharedEnds()
  ) -> Estimate {
    let means = [restrictedMean(to: horizon), reference.restrictedMean(to: horizon)]
    let joint = covariance(ofAreaWith: reference, to: horizon, shared)
    let difference = (means[0] - means[1]).map { $0.less(covariance: joint ?? 0) }
      .estimate(level: level, method: joint == nil ? .independentDifference : .pairedDifference)
    let doubt = table.doubt ?? reference.table.doubt
    let varies = means.allSatisfy { (try? $0.get().variance) ?? 1 > 0 }
    return difference.without(limitsBecauseOf: doubt ?? (varies ? nil : .noVariation))
  }

  /// Of F here and F there; nil where no device is in both, or one of the two did not vary.
  private func correlation(with reference: KaplanMeier, at tick: Tick, _ shared: SharedEnds) -> Double? {
    guard !shared.isEmpty else { return nil }
    let variance = progress(to: tick).after.greenwood * reference.progress(to: tick).after.greenwood
    let joint = shared.covariance(
      EndInfluence(self, to: tick, ofArea: false), EndInfluence(reference, to: tick, ofArea: false))
    guard let joint, variance > 0, variance < .infinity else { return nil }
    return max(-1, min(1, joint / variance.squareRoot()))
  }

  private func covariance(ofAreaWith reference: KaplanMeier, to horizon: Tick, _ shared: SharedEnds) -> Double? {
    guard !shared.isEmpty else { return nil }
    return shared.covariance(
      EndInfluence(self, to: horizon, ofArea: true), EndInfluence(reference, to: horizon, ofArea: true))
  }
}

extension Moment {
  /// Of a difference of two values that are not independent.
  fileprivate func less(covariance: Double) -> Moment {
    Moment(value: value, variance: max(0, variance - 2 * covariance))
  }
}

extension AalenJohansen {
  /// F_k of these devices less F_k of the reference at one tick; independent groups.
  public func incidenceDifference(
    from reference: AalenJohansen, of cause: Cause, at tick: Tick, level: Double
  ) -> Estimate {
    limitedShare(of: cause, at: tick, level: level)
      .difference(from: reference.limitedShare(of: cause, at: tick, level: level), level: level)
      .without(limitsBecauseOf: table.doubt ?? reference.table.doubt)
  }
}
