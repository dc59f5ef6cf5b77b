extension KaplanMeier {
  /// The area under S from 0 to the horizon: mean ticks that a device spends without the update within it.
  public func restrictedMean(to horizon: Tick) -> Result<Moment, Unestimable> {
    if let gap = gap(at: horizon) { return .failure(gap) }
    var (area, variance) = (CompensatedSum(), CompensatedSum())
    var end = horizon
    for step in (0..<(step(at: horizon).map { $0 + 1 } ?? 0)).reversed() {
      area.add(survival[step] * Double(end - ticks[step]))
      let (n, d) = (Double(atRisk[step]), Double(events[step]))
      if n > d { variance.add(area.value * area.value * d / n / (n - d)) }
      end = ticks[step]
    }
    area.add(Double(max(end, 0)))
    return .success(Moment(value: area.value, variance: variance.value))
  }

  public func restrictedMean(to horizon: Tick, level: Double) -> Estimate {
    restrictedMean(to: horizon).estimate(level: level, method: .restrictedMean)
  }
}
