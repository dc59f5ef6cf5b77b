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
  public func quantiles(_ shares: [Double], level: Double) -> [Estimate] {
    let ascending = shares.sorted()
    let reached = crossings(ascending.map { log(1 - $0 + quantileTolerance) }, z: normalQuantile(level: level))
    return shares.map { share in
      let index = ascending.firstIndex(of: share) ?? 0
      let (value, lo, hi) = (reached.value[index], reached.lower[index], reached.upper[index])
      return Estimate(
        value, lo: lo, hi: hi, level: level, method: .kaplanMeierQuantile,
        reason: value == nil ? whyNotReached : (lo == nil || hi == nil ? whyUnlimited : nil))
    }
  }

  /// Limits end where S reaches 0; otherwise they just have not come down yet.
  private var whyUnlimited: Unestimable { survival.last == 0 ? .allEvents : .notReached }

  private var whyNotReached: Unestimable {
    table.atRisk.contains { $0 > 0 } ? (ticks.isEmpty ? .noEvents : .notReached) : .nothingAtRisk
  }

  /// First ticks at which log S and its limits are at or below each of the descending thresholds.
  private func crossings(_ thresholds: [Double], z: Double) -> (value: [Double?], lower: [Double?], upper: [Double?]) {
    var value = FirstCrossings(thresholds)
    var lower = value
    var upper = value
    for step in ticks.indices where !upper.isComplete {
      // Limits cost two powers of e: they are looked at where they may have come down only.
      let log = logSurvival[step]
      guard
        value.isReached(by: log) || lower.isReached(by: leastLower(step, z: z))
          || upper.isReached(by: log - quantileTolerance)
      else { continue }
      let band = band(step: step, z: z)
      value.see(band.log, at: ticks[step])
      band.lower.map { lower.see($0, at: ticks[step]) }
      band.upper.map { upper.see($0, at: ticks[step]) }
    }
    return (value.ticks, lower.ticks, upper.ticks)
  }
}

extension KaplanMeier {
  /// What the lower limit of log S cannot lie below; costs no power of e where the limits are narrow.
  private func leastLower(_ step: Int, z: Double) -> Double {
    let (log, error) = (logSurvival[step], z * greenwood[step].squareRoot())
    // The limit is log·exp(θ) with θ = error / −log, and exp(θ) < 1 + 1.3 θ up to θ = ½.
    return error <= -log / 2 ? log - 1.3 * error - quantileTolerance : -.infinity
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
