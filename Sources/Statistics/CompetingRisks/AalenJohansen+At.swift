import Glibc

extension AalenJohansen {
  /// F_k at a tick with complementary log-log limits; without limits where F is 0 or 1 or its variance is 0.
  public func incidence(of cause: Cause, at tick: Tick, level: Double) -> Estimate {
    incidence(of: cause, at: tick, .pointwise(level: level))
  }

  public func incidence(of cause: Cause, at tick: Tick, _ limits: CurveLimits) -> Estimate {
    let estimate =
      switch moment(of: cause, at: tick) {
      case .failure(let reason): Estimate(nil, level: limits.level, method: .aalenJohansenCloglog, reason: reason)
      case .success(let moment): Self.estimate(moment, limits).without(limitsBecauseOf: table.doubt)
      }
    return estimate.limited(by: limits, at: tick, band: .aalenJohansenBand)
  }

  /// F_k at most so many of the ticks at which it rises, as at each of these, in one pass.
  public func incidence(of cause: Cause, atMost points: Int, _ limits: CurveLimits) -> [(at: Tick, share: Estimate)] {
    steps(of: cause, atMost: points).map { step in
      let share = Self.estimate(step.moment, limits).without(limitsBecauseOf: table.doubt)
      return (step.tick, share.limited(by: limits, at: step.tick, band: .aalenJohansenBand))
    }
  }

  /// F_k at a tick and its variance.
  public func moment(of cause: Cause, at tick: Tick) -> Result<Moment, Unestimable> {
    if let gap = overall.gap(at: tick) { return .failure(gap) }
    return .success(share(of: cause, at: tick).moment)
  }

  /// Events of a cause at or before a tick.
  public func events(of cause: Cause, by tick: Tick) -> Int64 { share(of: cause, at: tick).events }

  private static func estimate(_ moment: Moment, _ wanted: CurveLimits) -> Estimate {
    let limits = limits(moment, z: wanted.width)
    let reason: Unestimable? = limits == nil ? (moment.value > 0 ? .allEvents : .noEvents) : nil
    return Estimate(
      moment.value, lo: limits?.lower, hi: limits?.upper, level: wanted.level, method: .aalenJohansenCloglog,
      reason: reason)
  }

  /// Limits of F on the scale log(-log(1 - F)); with one cause they are the log-log limits of Kaplan-Meier.
  static func limits(_ moment: Moment, z: Double) -> (lower: Double, upper: Double)? {
    let hazard = -log1p(-moment.value)
    guard moment.value > 0, hazard < .infinity, moment.variance > 0 else { return nil }
    let theta = z * moment.standardError / ((1 - moment.value) * hazard)
    return (-expm1(-hazard * exp(-theta)), -expm1(-hazard * exp(theta)))
  }
}
