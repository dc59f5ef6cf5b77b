import Glibc

/// Adoption where most updates are known from polls only: a hazard that is constant within each of a few cells of time,
/// as few as the data allow, within what the bounds permit.
///
/// With bounds alone the likeliest curve without any form (`Turnbull`, in the tests) comes nearer to the truth with the cube root of the number of
/// devices, and has no known limits. This one comes nearer with the square root, and has those of any likelihood.
public struct PolledCurve: Sendable {
  /// In ticks.
  let ends: [Double]
  let hazards: [Double]
  /// Of the hazards in the most cells that are permitted; nil where too little is known. The fewer that are chosen have less of it,
  /// and which are chosen is chance, too.
  let covariance: [[Double]]?
  let finestEnds: [Double]
  private let permitted: PermittedRise
  /// Nothing is known of later ticks.
  public let lastTick: Tick
  /// Until when some part of the devices was watched.
  let partsTo: Tick
  /// Why there are no limits that would mean anything.
  let doubt: Unestimable?
  /// The same devices with every update at the poll that showed it.
  let seen: KaplanMeier?
  public let updates: Int64
  public let isCertain: Bool

  /// - Parameters:
  ///   - last: until when devices were watched, if that is later than any check; up to it the share stays.
  ///   - parts: until when every part of them was; see `LifeTable.followedTo`.
  ///   - seen: where a poll may be the update itself: limits reach down to those of this curve.
  public init(
    _ times: PolledTimes, until last: Tick? = nil, allParts parts: Tick? = nil, doubt: Unestimable? = nil,
    seen: KaplanMeier? = nil
  ) {
    let fits = StepHazards.cells(times).map { cells in
      let ends = StepHazards.ends(times, cells: cells)
      return (ends: ends, fit: StepFit(StepHazards(times, ends: ends)))
    }
    // Akaike's criterion: a cell more is worth it where it raises the likelihood by more than chance would.
    let best = fits.max { $0.fit.slope.value - Double($0.ends.count) < $1.fit.slope.value - Double($1.ends.count) }
    (ends, hazards, isCertain) = (best?.ends ?? [], best?.fit.hazards ?? [], best?.fit.isCertain ?? false)
    (updates, partsTo, self.doubt, self.seen) = (times.count, max(times.lastTick, last ?? 0), doubt, seen)
    lastTick = min(partsTo, parts ?? .max)
    let finest = fits.last { $0.fit.isCertain } ?? best
    finestEnds = finest?.ends ?? []
    permitted = PermittedRise(times)
    covariance = updates > 0 ? finest.flatMap { inverse($0.fit.slope.information) } : nil
  }

  /// -log(1 - adoption) at a tick, and its standard error: as large a part of it as of the fit, and no smaller than that of the bound
  /// that holds it.
  func risen(by tick: Double) -> (value: Double, error: Double?) {
    let (fit, error) = (fitted(by: tick), fitError(by: tick))
    guard fit > 0, let bound = permitted.bound(fit, at: tick) else { return (fit, error) }
    return (bound.height, error.map { max(bound.error, $0 * bound.height / fit) })
  }

  /// How many times as high as the fit it is.
  func pull(at tick: Double) -> Double {
    let fit = fitted(by: tick)
    guard fit > 0, let bound = permitted.bound(fit, at: tick) else { return 1 }
    return bound.height / fit
  }

  /// -log(1 - adoption) by the hazards alone.
  func fitted(by tick: Double) -> Double {
    StepHazards.parts(0, tick, ends).reduce(0) { $0 + hazards[$1.cell] * $1.part }
  }

  func fitError(by tick: Double) -> Double? {
    guard let covariance else { return nil }
    let fine = StepHazards.parts(0, tick, finestEnds)
    let variance = fine.reduce(0.0) { sum, one in
      sum + fine.reduce(0.0) { $0 + one.part * $1.part * covariance[one.cell][$1.cell] }
    }
    return variance > 0 ? variance.squareRoot() : nil
  }

  /// The share that had updated by a tick, with limits on the scale log(-log(1 - F)); nil after the last tick that
  /// anything is known of.
  public func adoption(at tick: Tick, level: Double) -> (value: Double, lo: Double?, hi: Double?)? {
    adoption(at: tick, .pointwise(level: level))
  }

  func adoption(at tick: Tick, _ limits: CurveLimits) -> (value: Double, lo: Double?, hi: Double?)? {
    guard updates > 0, tick <= lastTick else { return nil }
    let (value, error) = risen(by: Double(tick))
    guard let error, value > 0, limits.width < .infinity else { return (-expm1(-value), nil, nil) }
    let spread = exp(limits.width * error / value)
    let lower = -expm1(-value / spread)
    return (-expm1(-value), min(lower, least(at: tick, limits) ?? lower), -expm1(-value * spread))
  }

  /// When a share `p` (0 < p < 1) had updated; limits where those of the adoption get there. nil where it is not reached.
  public func quantile(_ p: Double, level: Double) -> (value: Tick, lo: Tick?, hi: Tick?)? {
    quantile(p, .pointwise(level: level))
  }

  func quantile(_ p: Double, _ limits: CurveLimits) -> (value: Tick, lo: Tick?, hi: Tick?)? {
    func first(_ reaches: ((value: Double, lo: Double?, hi: Double?)) -> Double?) -> Tick? {
      guard let last = ends.last.map({ min(Tick($0), lastTick) }) else { return nil }
      var (low, high) = (Tick(0), last + 1)
      while low < high {
        let middle = (low + high) / 2
        let share = adoption(at: middle, limits).flatMap(reaches) ?? 0
        if share >= p { high = middle } else { low = middle + 1 }
      }
      return low > last ? nil : low
    }
    return first(\.value).map { ($0, first(\.hi), first(\.lo)) }
  }
}

/// Hazards at which `StepHazards` is greatest: Newton's steps on their logarithms, held back until the likelihood rises.
struct StepFit {
  private let likelihood: StepHazards
  private(set) var hazards: [Double]
  private(set) var slope: StepHazards.Slope
  private(set) var isCertain = false

  init(_ likelihood: StepHazards) {
    self.likelihood = likelihood
    hazards = likelihood.ends.map { _ in 1 / (likelihood.ends.last ?? 1) }
    slope = likelihood.slope(hazards)
    for _ in 0..<100 where !isCertain {
      isCertain = zip(hazards, slope.gradient).allSatisfy { abs($0 * $1) < 1e-6 }
      if !isCertain, !step() { return }
    }
  }

  /// On the scale log λ the gradient is λg; the information is made so that it always points upwards.
  private mutating func step() -> Bool {
    let gradient = zip(hazards, slope.gradient).map { $0 * $1 }
    var information = slope.information
    for row in hazards.indices {
      for column in hazards.indices { information[row][column] *= hazards[row] * hazards[column] }
      information[row][row] += max(0, -gradient[row]) + 1e-9
    }
    guard let turned = inverse(information) else { return false }
    let direction = turned.map { row in zip(row, gradient).reduce(0) { $0 + $1.0 * $1.1 } }
    var part = 1.0
    for _ in 0..<30 {
      let candidate = zip(hazards, direction).map { $0 * exp(max(-5, min(5, part * $1))) }
      let found = likelihood.slope(candidate)
      if found.value >= slope.value - 1e-12 * abs(slope.value) {
        (hazards, slope) = (candidate, found)
        return true
      }
      part /= 2
    }
    return false
  }
}

/// By Gauss and Jordan, with the greatest pivots; nil where it has none.
private func inverse(_ matrix: [[Double]]) -> [[Double]]? {
  let size = matrix.count
  var rows = matrix.enumerated().map { place, row in row + (0..<size).map { $0 == place ? 1 : 0 } }
  for column in 0..<size {
    let pivot = (column..<size).max { abs(rows[$0][column]) < abs(rows[$1][column]) } ?? column
    guard abs(rows[pivot][column]) > 0, rows[pivot][column].isFinite else { return nil }
    rows.swapAt(column, pivot)
    let scale = rows[column][column]
    rows[column] = rows[column].map { $0 / scale }
    for row in 0..<size where row != column && rows[row][column] != 0 {
      let factor = rows[row][column]
      rows[row] = zip(rows[row], rows[column]).map { $0 - factor * $1 }
    }
  }
  return rows.map { Array($0[size...]) }
}
