extension AalenJohansen {
  /// The tick by which a share `p` of all that started has had an event of the cause.
  ///
  /// The first with F_k >= p, within 1e-9; the limits are where the limits of F_k get there. nil: not reached.
  public func quantile(_ p: Double, of cause: Cause, level: Double) -> Estimate {
    guard let column = causes.firstIndex(of: cause) else { return absent(level: level) }
    let z = normalQuantile(level: level)
    var value = FirstCrossings([quantileTolerance - p])
    var (earliest, latest) = (value, value)
    for step in ticks.indices where !latest.isComplete {
      let moment = Moment(value: incidence[column][step], variance: variance[column][step])
      value.see(-moment.value, at: ticks[step])
      guard let limits = Self.limits(moment, z: z) else { continue }
      earliest.see(-limits.upper, at: ticks[step])
      latest.see(-limits.lower, at: ticks[step])
    }
    return Estimate(
      value.ticks[0], lo: earliest.ticks[0], hi: latest.ticks[0], level: level, method: .aalenJohansenQuantile,
      reason: latest.isComplete && earliest.isComplete && value.isComplete ? nil : .notReached)
  }

  private func absent(level: Double) -> Estimate {
    let reason = overall.gap(at: 0) ?? .noEvents
    return Estimate(nil, level: level, method: .aalenJohansenQuantile, reason: reason)
  }
}
