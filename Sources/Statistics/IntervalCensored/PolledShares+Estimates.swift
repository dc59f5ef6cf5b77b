import Glibc

/// What answers show of the shares.
extension PolledShares {
  /// The share of all that a cause had updated by a tick.
  public func share(of cause: Cause, at tick: Tick, _ limits: CurveLimits) -> Estimate {
    let method: Estimate.Method = limits.isSimultaneous ? .intervalCensoredBand : .intervalCensored
    let whole = curve.share(at: tick, level: limits.level)
    guard let height = whole.value else {
      return Estimate(nil, level: limits.level, method: method, reason: whole.reason)
    }
    guard let slope = slope(cause, nil, at: tick), slope.value > 0 else {
      return Estimate(0, level: limits.level, method: method, reason: .noEvents)
    }
    let moment = Moment(value: slope.value, variance: variance(slope))
    let found = limits.width < .infinity ? AalenJohansen.limits(moment, z: limits.width) : nil
    // With updates at the polls that showed them there are as many fewer of each cause as of all.
    let least = curve.least(at: tick, limits).map { moment.value * $0 / height }
    return Estimate(
      moment.value, lo: found.map { min($0.lower, least ?? $0.lower) }, hi: found?.upper, level: limits.level,
      method: method,
      reason: found == nil ? .tooFew : nil
    ).without(limitsBecauseOf: curve.doubt)
  }

  /// The share of one less that of another, among the same devices.
  public func difference(_ first: Cause, _ second: Cause, at tick: Tick, level: Double) -> Estimate {
    let whole = curve.share(at: tick, level: level)
    guard let height = whole.value, let slope = slope(first, second, at: tick) else {
      return Estimate(nil, level: level, method: .intervalCensored, reason: whole.reason ?? .beyondFollowUp)
    }
    guard height > 0 else { return Estimate(0, level: level, method: .intervalCensored, reason: .noEvents) }
    var found = Moment(value: slope.value, variance: variance(slope)).estimate(level: level, method: .intervalCensored)
    if let least = curve.least(at: tick, .pointwise(level: level)) {
      let smaller = slope.value * least / height
      (found.lo, found.hi) = (found.lo.map { min($0, smaller) }, found.hi.map { max($0, smaller) })
    }
    return found.without(limitsBecauseOf: curve.doubt)
  }

  /// The tick by which a cause had updated a share `p` of all.
  public func time(_ p: Double, of cause: Cause, _ limits: CurveLimits) -> Estimate {
    let method: Estimate.Method = limits.isSimultaneous ? .intervalCensoredBand : .intervalCensored
    func first(_ height: (Estimate) -> Double?) -> Double? {
      let last = min(curve.lastTick, Tick(curve.finestEnds.last ?? 0))
      var (low, high) = (Tick(0), last + 1)
      while low < high {
        let middle = (low + high) / 2
        if height(share(of: cause, at: middle, limits)) ?? 0 >= p { high = middle } else { low = middle + 1 }
      }
      return low > last ? nil : Double(low)
    }
    guard let value = first(\.value) else {
      return Estimate(nil, level: limits.level, method: method, reason: .notReached)
    }
    let (lo, hi) = (first(\.hi), first(\.lo))
    return Estimate(
      value, lo: lo, hi: hi, level: limits.level, method: method, reason: lo == nil || hi == nil ? .notReached : nil
    ).without(limitsBecauseOf: curve.doubt)
  }

  /// Limits of one cause's share that hold at all ages together.
  public func simultaneousLimits(of cause: Cause, level: Double) -> CurveLimits {
    let last = min(curve.lastTick, Tick(curve.finestEnds.last ?? 0))
    guard updates.reduce(0, +) >= Double(CurveLimits.fewestUpdates), last > 0, let root = curve.errorRoot else {
      return .none(level: level)
    }
    let rows = (1...64).compactMap { step -> [Double]? in
      guard let slope = slope(cause, nil, at: last * Tick(step) / 64) else { return nil }
      let spread = variance(slope).squareRoot()
      guard spread > 0 else { return nil }
      let hazards = root.indices.map { column in
        root.indices.reduce(0) { $0 + slope.byHazard[$1] * root[$1][column] }
      }
      return (hazards + zip(slope.byPart, slope.spread).map { $0 * $1 }).map { $0 / spread }
    }
    return curve.limits(level: level, rows)
  }
}

extension PolledShares {
  /// A share, or a difference of two, and how it moves with the hazards and with the cause's part of each cell.
  struct Slope {
    var value = 0.0
    var byHazard: [Double]
    var byPart: [Double]
    /// Standard errors of the parts.
    var spread: [Double]
  }

  /// nil where neither cause is known.
  private func slope(_ first: Cause, _ second: Cause?, at tick: Tick) -> Slope? {
    let places = [first, second].map { cause in cause.flatMap { causes.firstIndex(of: $0) } }
    guard places.contains(where: { $0 != nil }) else { return nil }
    let ends = curve.finestEnds
    var slope = Slope(
      byHazard: ends.map { _ in 0 }, byPart: ends.map { _ in 0 }, spread: ends.map { _ in 0 })
    for (cell, part) in StepHazards.parts(0, Double(tick), ends) {
      let begin = cell == 0 ? 0 : ends[cell - 1]
      let (one, other) = (places[0].map { parts[$0][cell] } ?? 0, places[1].map { parts[$0][cell] } ?? 0)
      let (before, after) = (left(at: begin), left(at: begin + part))
      slope.value += (one - other) * (before - after)
      slope.byPart[cell] = before - after
      let many = max(updates[cell], 1)
      slope.spread[cell] = max(0, (one + other - (one - other) * (one - other)) / many).squareRoot()
      for known in StepHazards.parts(0, begin, ends) {
        slope.byHazard[known.cell] -= (one - other) * before * known.part * curve.pull(at: begin)
      }
      for known in StepHazards.parts(0, begin + part, ends) {
        slope.byHazard[known.cell] += (one - other) * after * known.part * curve.pull(at: begin + part)
      }
    }
    return slope
  }

  private func left(at tick: Double) -> Double { exp(-curve.risen(by: tick).value) }

  private func variance(_ slope: Slope) -> Double {
    let parts = zip(slope.byPart, slope.spread).reduce(0) { $0 + $1.0 * $1.1 * $1.0 * $1.1 }
    guard let covariance = curve.covariance else { return 0 }
    return zip(slope.byHazard, covariance).reduce(parts) { sum, row in
      sum + row.0 * zip(slope.byHazard, row.1).reduce(0) { $0 + $1.0 * $1.1 }
    }
  }
}
