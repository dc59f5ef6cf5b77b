extension AalenJohansen {
  /// The area under F_k from 0 to the horizon: mean ticks within it that a device spends after an event of cause k.
  public func restrictedTimeLost(to cause: Cause, horizon: Tick) -> Result<Moment, Unestimable> {
    if let gap = overall.gap(at: horizon) { return .failure(gap) }
    var (progress, lost) = (Progress(), TimeLost(cause))
    progress.advance(table.runs.span, overall.causes, to: horizon, &lost)
    return .success(lost.moment(at: horizon))
  }

  public func restrictedTimeLost(to cause: Cause, horizon: Tick, level: Double) -> Estimate {
    restrictedTimeLost(to: cause, horizon: horizon).estimate(level: level, method: .restrictedTimeLost)
  }
}

/// The area under one cause's F, with what its variance is made of.
private struct TimeLost: EventListener {
  private var cause: OneCause
  private var area = CompensatedSum()
  private var variance = 0.0
  /// The area's covariance with F, and with S over S.
  private var withShare = 0.0
  private var withSurvival = 0.0
  private var tick: Tick = 0

  init(_ cause: Cause) { self.cause = OneCause(cause) }

  mutating func note(_ kind: Int, _ count: Int64, hazard: Double, at tick: Tick, before step: IncidenceStep) {
    pass(to: tick)
    if kind == cause.kind { withShare += step.survival * hazard * withSurvival }
    cause.note(kind, count, hazard: hazard, at: tick, before: step)
  }

  private mutating func pass(to end: Tick) {
    let (time, share) = (Double(end - tick), cause.share)
    area.add(time * share.value)
    variance += time * (2 * withShare + time * share.variance)
    withShare += time * share.variance
    withSurvival += time * share.withSurvival
    tick = end
  }

  func moment(at horizon: Tick) -> Moment {
    var copy = self
    copy.pass(to: max(horizon, tick))
    return Moment(value: copy.area.value, variance: max(copy.variance, 0))
  }
}
