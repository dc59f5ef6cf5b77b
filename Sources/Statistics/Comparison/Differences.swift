extension KaplanMeier {
  /// F of these devices less F of the reference at one tick; independent groups. Holds for few devices, none and all.
  public func adoptionDifference(from reference: KaplanMeier, at tick: Tick, level: Double) -> Estimate {
    limitedShare(at: tick, level: level)
      .difference(from: reference.limitedShare(at: tick, level: level), level: level)
  }

  /// Mean ticks without the update within the horizon, less those of the reference: negative is faster.
  ///
  /// Without limits where one side did not vary: half a variance makes limits of half the width.
  public func restrictedMeanDifference(from reference: KaplanMeier, to horizon: Tick, level: Double) -> Estimate {
    let means = [restrictedMean(to: horizon), reference.restrictedMean(to: horizon)]
    let difference = (means[0] - means[1]).estimate(level: level, method: .independentDifference)
    let varies = means.allSatisfy { (try? $0.get().variance) ?? 1 > 0 }
    return varies
      ? difference : Estimate(difference.value, level: level, method: .independentDifference, reason: .noVariation)
  }
}

extension AalenJohansen {
  /// F_k of these devices less F_k of the reference at one tick; independent groups.
  public func incidenceDifference(
    from reference: AalenJohansen, of cause: Cause, at tick: Tick, level: Double
  ) -> Estimate {
    limitedShare(of: cause, at: tick, level: level)
      .difference(from: reference.limitedShare(of: cause, at: tick, level: level), level: level)
  }
}
