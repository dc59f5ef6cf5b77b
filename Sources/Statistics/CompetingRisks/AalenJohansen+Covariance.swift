extension AalenJohansen {
  /// Cov(F_k, F_l) at a tick, one pass over the events before it; 0 for a cause that never occurs.
  public func covariance(_ first: Cause, _ second: Cause, at tick: Tick) -> Double {
    guard causes.contains(first), causes.contains(second) else { return 0 }
    guard first != second else { return share(of: first, at: tick).variance }
    var (progress, both) = (Progress(), TwoCauses(min(first, second), max(first, second)))
    progress.advance(table.runs.span, overall.causes, to: tick, &both)
    return both.covariance
  }

  /// F_k - F_l at a tick: two causes among the same devices, so their covariance counts.
  public func difference(_ first: Cause, _ second: Cause, at tick: Tick, level: Double) -> Estimate {
    let joint = covariance(first, second, at: tick)
    let (left, right) = (moment(of: first, at: tick), moment(of: second, at: tick))
    return (left - right).map { Moment(value: $0.value, variance: max($0.variance - 2 * joint, 0)) }
      .estimate(level: level, method: .dependentDifference).without(limitsBecauseOf: table.doubt)
  }
}

/// Follows two causes; of a row, the first is heard of first.
private struct TwoCauses: EventListener {
  private(set) var covariance = 0.0
  private var first: OneCause
  private var second: OneCause
  /// The events of the first at the row at hand, and its covariance with S before them.
  private var hazard = 0.0
  private var withSurvival = 0.0

  init(_ first: Cause, _ second: Cause) { (self.first, self.second) = (OneCause(first), OneCause(second)) }

  mutating func note(_ kind: Int, _ count: Int64, hazard: Double, at tick: Tick, before step: IncidenceStep) {
    if kind == first.kind {
      (self.hazard, withSurvival) = (hazard, first.share.withSurvival)
      covariance += step.survival * hazard * second.share.withSurvival
    } else if kind == second.kind {
      let isSameRow = first.share.tick == tick
      let (other, joint) = isSameRow ? (self.hazard, withSurvival) : (0, first.share.withSurvival)
      covariance +=
        step.survival * hazard * (joint + other * step.survival * (step.greenwood - step.perDevice))
    }
    first.note(kind, count, hazard: hazard, at: tick, before: step)
    second.note(kind, count, hazard: hazard, at: tick, before: step)
  }
}
