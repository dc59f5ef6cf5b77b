extension AalenJohansen {
  /// The tick by which a share `p` of all that started has had an event of the cause.
  ///
  /// The first with F_k >= p, within 1e-9; the limits are where the limits of F_k get there. nil: not reached.
  public func quantile(_ p: Double, of cause: Cause, level: Double) -> Estimate {
    quantiles([p], of: cause, level: level)[0]
  }

  /// Several quantiles in one pass, in the order asked.
  public func quantiles(_ shares: [Double], of cause: Cause, level: Double) -> [Estimate] {
    guard let column = causes.firstIndex(of: cause) else { return shares.map { _ in absent(level: level) } }
    let z = normalQuantile(level: level)
    let ascending = shares.sorted()
    var value = FirstCrossings(ascending.map { quantileTolerance - $0 })
    var (earliest, latest) = (value, value)
    for step in ticks.indices where !latest.isComplete {
      let moment = Moment(value: incidence[column][step], variance: variance[column][step])
      value.see(-moment.value, at: ticks[step])
      // Limits cost four powers of e: they are looked at where they may have got there only.
      guard
        earliest.isReached(by: -Self.mostUpper(moment, z: z))
          || latest.isReached(by: -moment.value - quantileTolerance)
      else { continue }
      guard let limits = Self.limits(moment, z: z) else { continue }
      earliest.see(-limits.upper, at: ticks[step])
      latest.see(-limits.lower, at: ticks[step])
    }
    return shares.map { share in
      let index = ascending.firstIndex(of: share) ?? 0
      let (at, lo, hi) = (value.ticks[index], earliest.ticks[index], latest.ticks[index])
      return Estimate(
        at, lo: lo, hi: hi, level: level, method: .aalenJohansenQuantile,
        reason: at != nil && lo != nil && hi != nil ? nil : .notReached)
    }
  }

  /// What the upper limit cannot lie above; costs no power of e where the limits are narrow.
  private static func mostUpper(_ moment: Moment, z: Double) -> Double {
    let (share, error) = (moment.value, z * moment.standardError)
    // With hazard H = −log(1 − F) ≥ F and θ = error / ((1 − F) H), the limit is 1 − exp(−H exp(θ)); up to θ = ½ it is
    // at most F + 1.3 error, since exp(θ) < 1 + 1.3 θ.
    return error <= (1 - share) * share / 2 ? share + 1.3 * error + quantileTolerance : .infinity
  }

  private func absent(level: Double) -> Estimate {
    let reason = overall.gap(at: 0) ?? .noEvents
    return Estimate(nil, level: level, method: .aalenJohansenQuantile, reason: reason)
  }
}
