import Glibc

/// The width of a band of equal precision: how many standard errors a curve strays from the truth at most, over a stretch of
/// ages, with a chance of `level`.
///
/// V. N. Nair, Technometrics 26 (1984), 265-275, by the tail of R. Miller and D. Siegmund, Biometrics 38 (1982), 1011-1016. Errors of
/// log S have independent increments with late entry, too, so only the growth of their variance counts, and not a number of devices.
///
/// - Parameter growth: the variance of log S at the last age over that at the first.
func equalPrecisionWidth(level: Double, growth: Double) -> Double {
  let length = log(max(growth, 1))
  func tail(_ width: Double) -> Double {
    let density = exp(-width * width / 2) / (2 * Double.pi).squareRoot()
    return 4 * density / width + density * (width - 1 / width) * length
  }
  var (low, high) = (normalQuantile(level: level), 20.0)
  for _ in 0..<80 {
    let middle = (low + high) / 2
    if tail(middle) > 1 - level { low = middle } else { high = middle }
  }
  return high
}

extension KaplanMeier {
  /// Limits that hold at all ages together, from the tenth update to where one update more would move the curve by over a
  /// thirtieth.
  public func simultaneousLimits(level: Double) -> CurveLimits {
    guard let (first, last) = bandEnds, let ages = bandAges(first.tick, last) else { return .none(level: level) }
    let width = equalPrecisionWidth(level: level, growth: last.greenwood / first.greenwood)
    return .simultaneous(level: level, width: width, ages: ages)
  }

  /// How it stands after the first and the last step of the band; nil where there is no band.
  private var bandEnds: (first: Progress, last: Progress)? {
    guard let first = firstStep(where: { $0.events >= CurveLimits.fewestUpdates }), !isBeyondBand(first),
      let last = lastStepOfBand, last.tick >= first.tick, first.greenwood > 0
    else { return nil }
    return (first, last)
  }

  func isBeyondBand(_ step: Progress) -> Bool {
    step.isExhausted || step.firstThin <= step.tick || isLost(at: step.tick)
  }

  private func firstStep(where isReached: (Progress) -> Bool) -> Progress? {
    var found: Progress?
    replay(from: waypoint(before: isReached)) { step in
      if isReached(step) { found = step }
      return found == nil
    }
    return found
  }

  private var lastStepOfBand: Progress? {
    var found: Progress?
    replay(from: waypoint(before: isBeyondBand)) { step in
      if isBeyondBand(step) { return false }
      found = step
      return true
    }
    // The step beyond may be the first of its stretch: then the waypoint itself is the last before it.
    let waypoint = waypoints[waypoint(before: isBeyondBand)]
    return found ?? (waypoint.steps > 0 ? waypoint : nil)
  }

  /// After the last step the curve stays as it is: the band goes on while enough are at risk, and until the next step.
  func bandAges(_ first: Tick, _ last: Progress) -> ClosedRange<Tick>? {
    let least = Int64((last.survival * Double(Self.stableAtRisk)).rounded(.up))
    let carried = table.lastTick(atRisk: max(least, 1)) ?? last.tick
    let next = min(end.firstThin, end.exhaustedAt, lostFrom ?? .max)
    let until = max(last.tick, min(carried, next - 1))
    return first <= until ? first...until : nil
  }
}
