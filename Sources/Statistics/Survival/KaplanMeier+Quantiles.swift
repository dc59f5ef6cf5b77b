import Glibc

/// What a curve may miss a share by and still have reached it: products of fractions are not exact.
let quantileTolerance = 1e-9

extension KaplanMeier {
  /// The tick by which a share `p` (0 < p < 1) has updated: the first with S <= 1 - p, within 1e-9.
  ///
  /// The limits are where the limits of S get there. nil means not reached; the lower limit may exist nevertheless.
  public func quantile(_ p: Double, level: Double) -> Estimate {
    quantiles([p], level: level)[0]
  }

  /// Several quantiles in one pass, in the order asked.
  public func quantiles(_ shares: [Double], level: Double) -> [Estimate] { quantiles(shares, .pointwise(level: level)) }

  public func quantiles(_ shares: [Double], _ limits: CurveLimits) -> [Estimate] {
    let ascending = shares.sorted()
    let reached = crossings(ascending.map { log(1 - $0 + quantileTolerance) }, z: min(limits.width, Self.widest))
    return shares.map { share in
      let index = ascending.firstIndex(of: share) ?? 0
      let (value, lo, hi) = (known(reached.value[index]), known(reached.lower[index]), known(reached.upper[index]))
      let limit = lo == nil ? reached.lower[index] : reached.upper[index]
      return Estimate(
        value, lo: lo, hi: hi, level: limits.level, method: .kaplanMeierQuantile,
        reason: value == nil
          ? whyLost(reached.value[index]) ?? whyNotReached
          : (lo == nil || hi == nil ? whyLost(limit) ?? whyUnlimited : nil)
      ).without(limitsBecauseOf: table.doubt).timed(by: limits, band: .kaplanMeierBandQuantile)
    }
  }

  /// No limits are farther out: products with infinity are no numbers.
  static let widest = 1e3

  /// Limits end where S reaches 0; otherwise they just have not come down yet.
  private var whyUnlimited: Unestimable { end.isExhausted ? .allEvents : .notReached }

  private var whyNotReached: Unestimable {
    table.isAnybodyAtRisk ? (steps == 0 ? .noEvents : .notReached) : .nothingAtRisk
  }

  /// Where a curve lies beyond what is lost is not known; where parts were not followed, what they did not reach together they do not
  /// reach.
  ///
  /// - Parameter tick: where it gets there, or would.
  func whyLost(_ tick: Double?) -> Unestimable? {
    lost.flatMap { $0.reason == .enteredLater || tick != nil ? $0.reason : nil }
  }

  /// A tick that lies before what is lost.
  func known(_ tick: Double?) -> Double? { tick.flatMap { isLost(at: Tick($0)) ? nil : $0 } }

  /// First ticks at which log S and its limits are at or below each of the descending thresholds.
  private func crossings(_ thresholds: [Double], z: Double) -> (value: [Double?], lower: [Double?], upper: [Double?]) {
    var value = FirstCrossings(thresholds)
    var lower = value
    var upper = value
    // Where S is 0 nothing comes down any further.
    for waypoint in waypoints.indices where !upper.isComplete && !waypoints[waypoint].isExhausted {
      let lowest = lowest(from: waypoint, z: z)
      guard value.isReached(by: lowest.log) || lower.isReached(by: lowest.lower) || upper.isReached(by: lowest.upper)
      else { continue }
      replay(from: waypoint) { step in
        let band = step.band(z: z)
        value.see(band.log, at: step.tick)
        band.lower.map { lower.see($0, at: step.tick) }
        band.upper.map { upper.see($0, at: step.tick) }
        return true
      }
    }
    return (value.ticks, lower.ticks, upper.ticks)
  }

  /// What log S and its limits cannot lie below between a waypoint and the next.
  private func lowest(from waypoint: Int, z: Double) -> (log: Double, lower: Double, upper: Double) {
    let (first, last) = (waypoints[waypoint], following(waypoint))
    let (near, far) = (-first.logSurvival, -last.logSurvival)
    guard near > 0, far < .infinity else { return (-far, -.infinity, -.infinity) }
    // With l = -log S the limits are l·exp(±z√G/l). Where G is given, the lower one is farthest out at one of the ends
    // of l's range, the upper one at the far end; between waypoints l and G only grow.
    let (least, most) = (z * first.greenwood.squareRoot(), z * last.greenwood.squareRoot())
    let lower = max(near * exp(most / near), far * exp(most / far))
    return (-far, -lower - quantileTolerance, -far * exp(-least / far) - quantileTolerance)
  }
}

/// Remembers when a curve first comes down to each of some descending thresholds.
struct FirstCrossings {
  private let thresholds: [Double]
  private var next = 0
  private(set) var ticks: [Double?]

  init(_ descending: [Double]) {
    thresholds = descending
    ticks = Array(repeating: nil, count: descending.count)
  }

  var isComplete: Bool { next == thresholds.count }

  /// Whether the next threshold is at or above a height.
  func isReached(by height: Double) -> Bool { next < thresholds.count && height <= thresholds[next] }

  mutating func see(_ height: Double, at tick: Tick) {
    while next < thresholds.count, height <= thresholds[next] {
      ticks[next] = Double(tick)
      next += 1
    }
  }
}
