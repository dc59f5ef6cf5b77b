extension KaplanMeier {
  /// The area under S from 0 to the horizon: mean ticks that a device spends without the update within it.
  public func restrictedMean(to horizon: Tick) -> Result<Moment, Unestimable> {
    if let gap = gap(at: horizon) { return .failure(gap) }
    return .success(progress(to: horizon).after.area(to: max(horizon, 0)))
  }

  public func restrictedMean(to horizon: Tick, level: Double) -> Estimate {
    restrictedMean(to: horizon)
      .estimate(level: level, method: .restrictedMean).without(limitsBecauseOf: table.doubt)
  }
}
