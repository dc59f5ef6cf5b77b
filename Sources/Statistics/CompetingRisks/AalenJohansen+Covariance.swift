extension AalenJohansen {
  /// Cov(F_k, F_l) at a tick, one pass over the events before it; 0 for a cause that never occurs.
  public func covariance(_ first: Cause, _ second: Cause, at tick: Tick) -> Double {
    guard let left = eventColumn(first), let right = eventColumn(second), let last = overall.step(at: tick) else {
      return 0
    }
    var (joint, leftSurvival, rightSurvival) = (0.0, 0.0, 0.0)
    for index in 0...last {
      let step = IncidenceStep(overall, index)
      let (a, b) = (Double(left[index]) * step.perDevice, Double(right[index]) * step.perDevice)
      let own = first == second ? a - a * b : -a * b
      joint += a * rightSurvival + b * leftSurvival + a * b * step.spread
      joint += step.before * step.before * own * step.perDevice
      leftSurvival = step.withSurvival(leftSurvival, hazard: a)
      rightSurvival = step.withSurvival(rightSurvival, hazard: b)
    }
    return first == second ? max(joint, 0) : joint
  }

  /// F_k - F_l at a tick: two causes among the same devices, so their covariance counts.
  public func difference(_ first: Cause, _ second: Cause, at tick: Tick, level: Double) -> Estimate {
    let joint = covariance(first, second, at: tick)
    let (left, right) = (moment(of: first, at: tick), moment(of: second, at: tick))
    return (left - right).map { Moment(value: $0.value, variance: max($0.variance - 2 * joint, 0)) }
      .estimate(level: level, method: .dependentDifference)
  }
}
