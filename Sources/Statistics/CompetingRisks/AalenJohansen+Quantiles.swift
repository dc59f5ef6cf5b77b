import Glibc

extension AalenJohansen {
  /// The ticks by which shares of all that started have had an event of the cause, in one pass and in the order asked.
  ///
  /// The first with F_k >= p, within 1e-9; the limits are where the limits of F_k get there. nil: not reached.
  public func quantiles(_ shares: [Double], of cause: Cause, level: Double) -> [Estimate] {
    quantiles(shares, of: cause, .pointwise(level: level))
  }

  public func quantiles(_ shares: [Double], of cause: Cause, _ limits: CurveLimits) -> [Estimate] {
    guard let stretches = stretches(of: cause) else { return shares.map { _ in absent(level: limits.level) } }
    let z = min(limits.width, KaplanMeier.widest)
    let ascending = shares.sorted()
    var value = FirstCrossings(ascending.map { quantileTolerance - $0 })
    var (earliest, latest) = (value, value)
    for stretch in stretches where !latest.isComplete && stretch.last.steps > stretch.first.steps {
      let highest = stretch.highest(z: z)
      guard
        value.isReached(by: -highest.value) || earliest.isReached(by: -highest.upper)
          || latest.isReached(by: -highest.lower)
      else { continue }
      replay(stretch, cause) { share in
        value.see(-share.value, at: share.tick)
        guard let found = Self.limits(share.moment, z: z) else { return true }
        earliest.see(-found.upper, at: share.tick)
        latest.see(-found.lower, at: share.tick)
        return true
      }
    }
    return shares.map { share in
      let index = ascending.firstIndex(of: share) ?? 0
      let (at, lo, hi) = (
        overall.known(value.ticks[index]), overall.known(earliest.ticks[index]), overall.known(latest.ticks[index])
      )
      let missing = at == nil ? value.ticks[index] : lo == nil ? earliest.ticks[index] : latest.ticks[index]
      return Estimate(
        at, lo: lo, hi: hi, level: limits.level, method: .aalenJohansenQuantile,
        reason: at != nil && lo != nil && hi != nil ? nil : overall.whyLost(missing) ?? .notReached
      ).without(limitsBecauseOf: table.doubt).timed(by: limits, band: .aalenJohansenBandQuantile)
    }
  }

  /// When some parts of all that ever had an event of the cause had had it, counted in shares of F_k at the end.
  ///
  /// In the order asked; nil where F_k at the end is not known. Where parts were not followed so long, the end is where all were.
  public func ticks(of cause: Cause, reachingOfAll parts: [Double]) -> [Tick?] {
    let end = share(of: cause, at: overall.lostFrom.map { $0 - 1 } ?? .max)
    let all = end.value
    guard overall.lost?.reason != .enteredLater, let stretches = stretches(of: cause), all > 0 else {
      return parts.map { _ in nil }
    }
    let ascending = parts.sorted()
    var reached = FirstCrossings(ascending.map { quantileTolerance - $0 * all })
    for stretch in stretches where reached.isReached(by: -stretch.last.value) {
      replay(stretch, cause) { share in
        if share.steps > 0 { reached.see(-share.value, at: share.tick) }
        return true
      }
    }
    return parts.map { part in
      ascending.firstIndex(of: part).flatMap { reached.ticks[$0] }.map { Tick($0) }
    }
  }

  private func absent(level: Double) -> Estimate {
    let reason = overall.gap(at: 0) ?? .noEvents
    return Estimate(nil, level: level, method: .aalenJohansenQuantile, reason: reason)
  }
}

extension AalenJohansen.Stretch {
  /// What F and its limits cannot lie above in the stretch.
  fileprivate func highest(z: Double) -> (value: Double, upper: Double, lower: Double) {
    let (low, high) = (first.value, last.value)
    let hazard = -log1p(-high)
    guard low > 0, hazard < .infinity else { return (high, .infinity, high) }
    // θ = z·error / g with g = -(1 - F)·log(1 - F), which rises up to F = 1 - 1/e, where it is 1/e, and falls after.
    let ends = [-(1 - low) * log1p(-low), (1 - high) * hazard]
    let peak = 1 - exp(-1.0)
    let (narrowest, widest) = (min(ends[0], ends[1]), low < peak && high > peak ? exp(-1) : max(ends[0], ends[1]))
    let upper = -expm1(-hazard * exp(z * last.mostVariance.squareRoot() / narrowest))
    let lower = -expm1(-hazard * exp(-z * last.leastVariance.squareRoot() / widest))
    return (high, upper + quantileTolerance, lower + quantileTolerance)
  }
}
