import Glibc

/// What answers show of the curve.
extension PolledCurve {
  /// The share that had updated by a tick.
  public func share(at tick: Tick, level: Double) -> Estimate { share(at: tick, .pointwise(level: level)) }

  public func share(at tick: Tick, _ limits: CurveLimits) -> Estimate {
    let method: Estimate.Method = limits.isSimultaneous ? .intervalCensoredBand : .intervalCensored
    guard let found = adoption(at: tick, limits) else {
      return Estimate(nil, level: limits.level, method: method, reason: gap(at: tick))
    }
    let reason: Unestimable? = found.lo == nil ? (found.value > 0 ? .tooFew : .noEvents) : nil
    if let lo = found.lo, let hi = found.hi, lo < Self.nothing, hi > 1 - Self.nothing {
      return Estimate(nil, level: limits.level, method: method, reason: .tooFew)
    }
    return Estimate(
      found.value, lo: found.lo, hi: found.hi, level: limits.level, method: method, reason: reason
    ).without(limitsBecauseOf: doubt)
  }

  /// The lower limit with every update at the poll that showed it; nil where that is not known. Polls that come whenever they like are
  /// later than the updates that they show; who polls at each start updated at the poll itself, and nothing tells the two apart.
  func least(at tick: Tick, _ limits: CurveLimits) -> Double? {
    guard let seen else { return nil }
    // Ticks of polls are rounded, perhaps beyond the last that anybody was watched to.
    let share = seen.adoption(
      at: min(tick, seen.table.lastTick ?? tick),
      CurveLimits(level: limits.level, width: limits.width, reach: .eachAge))
    return share.lo ?? (share.value == 0 ? 0 : nil)
  }

  /// Limits so near to 0 and to 1 read 0–100 %: nothing is known.
  private static let nothing = 0.005

  /// At most so many ticks, by each of which the curve has risen by an equal part of its height; of a curve that rises, the last
  /// is where it is highest.
  public func ticks(atMost parts: Int) -> [Tick] {
    guard updates > 0, lastTick > 0, parts > 0 else { return [] }
    let top = height(at: lastTick)
    return (1...parts).map { part in firstTick { height(at: $0) >= top * Double(part) / Double(parts) } }
  }

  private func height(at tick: Tick) -> Double {
    -expm1(-fitted(by: Double(tick)) * pull(at: Double(tick)))
  }

  /// The first tick for which something that stays true is true; the last one where there is none.
  private func firstTick(where isReached: (Tick) -> Bool) -> Tick {
    var (low, high) = (Tick(0), lastTick)
    while low < high {
      let middle = (low + high) / 2
      if isReached(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private func gap(at tick: Tick) -> Unestimable {
    updates > 0 ? (tick > lastTick && tick <= partsTo ? .partsNotFollowed : .beyondFollowUp) : .nothingAtRisk
  }

  /// The ticks by which a share `p` (0 < p < 1) had updated.
  public func time(_ p: Double, level: Double) -> Estimate { time(p, .pointwise(level: level)) }

  public func time(_ p: Double, _ limits: CurveLimits) -> Estimate {
    let method: Estimate.Method = limits.isSimultaneous ? .intervalCensoredBand : .intervalCensored
    guard let found = quantile(p, limits) else {
      return Estimate(
        nil, level: limits.level, method: method, reason: updates > 0 ? .notReached : .nothingAtRisk)
    }
    return Estimate(
      Double(found.value), lo: found.lo.map(Double.init), hi: found.hi.map(Double.init), level: limits.level,
      method: method, reason: found.hi == nil ? .notReached : nil
    ).without(limitsBecauseOf: doubt)
  }

  /// Mean ticks without the update up to a horizon: the area under S, by the middles of 256 strips.
  public func meanWait(to horizon: Tick, level: Double) -> Estimate {
    guard updates > 0, horizon <= lastTick, horizon > 0 else {
      return Estimate(nil, level: level, method: .intervalCensored, reason: gap(at: horizon))
    }
    let width = Double(horizon) / 256
    var (area, slopes) = (0.0, finestEnds.map { _ in 0.0 })
    for strip in 0..<256 {
      let middle = (Double(strip) + 0.5) * width
      let pull = pull(at: middle)
      let left = width * exp(-fitted(by: middle) * pull)
      area += left
      for part in StepHazards.parts(0, middle, finestEnds) { slopes[part.cell] -= left * pull * part.part }
    }
    let spread = covariance.map { covariance in
      zip(slopes, covariance).reduce(0) { sum, row in
        sum + row.0 * zip(slopes, row.1).reduce(0) { $0 + $1.0 * $1.1 }
      }
    }
    var wait = Moment(value: area, variance: spread ?? 0).estimate(level: level, method: .intervalCensored)
    if let hi = wait.hi, let latest = seen?.restrictedMean(to: horizon, level: level).hi { wait.hi = max(hi, latest) }
    return wait.kept(within: 0...Double(horizon)).without(limitsBecauseOf: doubt)
  }

  /// The share with limits that hold at all looks together: of as many devices as tell as much as the curve does.
  public func shareAtAllLooks(at tick: Tick, level: Double) -> Estimate {
    let share = share(at: tick, level: level)
    let risen = risen(by: Double(tick))
    guard let value = share.value, share.lo != nil, let error = risen.error else {
      return Estimate(share.value, level: level, method: .betaBinomialSequence, reason: share.reason)
    }
    let limits = MixtureLimits(log: -risen.value, greenwood: error * error, level: level)
    let least = seen.flatMap {
      $0.standing(at: min(tick, $0.table.lastTick ?? tick)).adoptionAtAllLooks(level: level).lo
    }
    return Estimate(
      value, lo: min(limits.lower, least ?? limits.lower), hi: limits.upper, level: level,
      method: .betaBinomialSequence)
  }
}

extension Estimate {
  /// A share less another of other devices, from the limits of each; without limits where one of them has none.
  public static func difference(ofShares first: Estimate, _ second: Estimate, level: Double) -> Estimate {
    guard let one = first.value, let other = second.value else {
      return Estimate(nil, level: level, method: .mover, reason: first.reason ?? second.reason)
    }
    guard let limited = first.limitedShare, let reference = second.limitedShare else {
      return Estimate(one - other, level: level, method: .mover, reason: first.reason ?? second.reason)
    }
    return LimitedShare.difference(limited, reference, correlation: nil, level: level)
  }

  /// A mean less another of other devices, from the limits of each, as of shares.
  public static func difference(ofMeans first: Estimate, _ second: Estimate, level: Double) -> Estimate {
    guard let one = first.value, let other = second.value else {
      return Estimate(nil, level: level, method: .independentDifference, reason: first.reason ?? second.reason)
    }
    guard let limited = first.limitedShare, let reference = second.limitedShare else {
      return Estimate(one - other, level: level, method: .independentDifference, reason: first.reason ?? second.reason)
    }
    var difference = LimitedShare.difference(limited, reference, correlation: nil, level: level)
    difference.method = .independentDifference
    return difference
  }

  private var limitedShare: LimitedShare? {
    guard let value, let lo, let hi else { return nil }
    return LimitedShare(value: value, lower: lo, upper: hi)
  }
}
