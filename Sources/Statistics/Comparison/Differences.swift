extension KaplanMeier {
  /// F of these devices less F of the reference at one tick; independent groups.
  public func adoptionDifference(from reference: KaplanMeier, at tick: Tick, level: Double) -> Estimate {
    (reference.moment(at: tick) - moment(at: tick)).estimate(level: level, method: .independentDifference)
  }

  /// Mean ticks without the update within the horizon, less those of the reference: negative is faster.
  public func restrictedMeanDifference(from reference: KaplanMeier, to horizon: Tick, level: Double) -> Estimate {
    (restrictedMean(to: horizon) - reference.restrictedMean(to: horizon))
      .estimate(level: level, method: .independentDifference)
  }

  /// How far groups may be compared: the last tick at which each has at least so many at risk; nil if one never has.
  public static func commonHorizon(_ tables: [LifeTable], atRisk least: Int64 = stableAtRisk) -> Tick? {
    let ends = tables.map { $0.lastTick(atRisk: least) }
    return ends.contains(nil) ? nil : ends.compactMap(\.self).min()
  }
}

extension AalenJohansen {
  /// F_k of these devices less F_k of the reference at one tick; independent groups.
  public func incidenceDifference(
    from reference: AalenJohansen, of cause: Cause, at tick: Tick, level: Double
  ) -> Estimate {
    (moment(of: cause, at: tick) - reference.moment(of: cause, at: tick))
      .estimate(level: level, method: .independentDifference)
  }
}
