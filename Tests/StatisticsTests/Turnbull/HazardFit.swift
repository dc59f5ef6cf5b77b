import Glibc

/// Hazards at which `HazardLikelihood` is greatest, by steps of expectation-maximisation and of iterative convex minorants
/// in turn (J. A. Wellner and Y. Zhan, JASA 92, 1997, 945-959). The likelihood never
/// falls by more than rounding.
///
/// The first kind is sure and slow, above all where hazards go to 0; the second puts them there in one step.
struct HazardFit: Sendable {
  private let likelihood: HazardLikelihood
  private(set) var hazards: [Double]
  private(set) var value: Double
  private(set) var rounds = 0
  /// How far the Kuhn-Tucker conditions are from being met, for each device.
  private(set) var shortfall = Double.infinity

  static let permitted = 1e-9

  init(_ likelihood: HazardLikelihood, rounds most: Int) {
    self.likelihood = likelihood
    hazards = Array(repeating: 1 / Double(max(likelihood.intervals, 1)), count: likelihood.intervals)
    value = likelihood.value(hazards)
    let devices = max(likelihood.terms.reduce(0) { $0 + $1.weight }, 1)
    while rounds < most, shortfall > Self.permitted {
      rounds += 1
      accelerate()
      straighten()
      shortfall = likelihood.shortfall(hazards) / devices
    }
  }

  var isCertain: Bool { shortfall <= Self.permitted }

  /// Two steps of expectation-maximisation, and as far on in their direction as their shrinking says (R. Varadhan and
  /// C. Roland, Scandinavian Journal of Statistics 35, 2008, 335-353), where that is better.
  private mutating func accelerate() {
    let once = likelihood.expected(hazards)
    let twice = likelihood.expected(once)
    let step = zip(once, hazards).map { $0 - $1 }
    let bend = zip(zip(twice, once), step).map { $0.0 - $0.1 - $1 }
    let (length, curvature) = (norm(step), norm(bend))
    take(twice)
    guard curvature > 0, length > curvature else { return }
    let stride = length / curvature
    let start = zip(zip(twice, step), bend).map { $0.0 - 2 * $0.1 - $1 }
    take(zip(start, zip(step, bend)).map { max($0 + 2 * stride * $1.0 + stride * stride * $1.1, 0) })
  }

  /// A Newton step with the diagonal of the second derivatives, held to rising Λ; halved until the likelihood rises.
  private mutating func straighten() {
    let running = Array(HazardLikelihood.running(hazards).dropFirst())
    let slopes = likelihood.slopes(hazards) + [0]
    let weights = likelihood.curvatures(hazards)
    let aims = running.indices.map { running[$0] + (slopes[$0] - slopes[$0 + 1]) / weights[$0] }
    let rising = risingFit(aims, weights)
    var (part, before) = (1.0, 0.0)
    let target = rising.map { value in
      defer { before = max(value, 0) }
      return max(value, 0) - before
    }
    for _ in 0..<12 where !take(zip(hazards, target).map { $0 + part * ($1 - $0) }) { part /= 2 }
  }

  /// Whether they were better, or as good.
  @discardableResult private mutating func take(_ candidate: [Double]) -> Bool {
    let found = likelihood.value(candidate)
    // Near the maximum differences are lost in rounding.
    guard found >= value - 1e-14 * abs(value), found.isFinite else { return false }
    (hazards, value) = (candidate, found)
    return true
  }

  private func norm(_ numbers: [Double]) -> Double { numbers.reduce(0) { $0 + $1 * $1 }.squareRoot() }
}

extension HazardLikelihood {
  /// -∂²/∂Λ² at the end of each interval; never 0.
  fileprivate func curvatures(_ hazards: [Double]) -> [Double] {
    let running = Self.running(hazards)
    var curvatures = Array(repeating: 0.0, count: hazards.count)
    for term in terms {
      let grown = expm1(term.hazard(running))
      let curvature = term.weight * (grown + 1) / (grown * grown)
      if let end = term.end { curvatures[end - 1] += curvature }
      if term.first > 0 { curvatures[term.first - 1] += curvature }
    }
    let least = max((curvatures.max() ?? 0) * 1e-9, 1e-9)
    return curvatures.map { max($0, least) }
  }
}

/// The rising numbers that are nearest to others, by weighted squares: neighbours that fall are pooled.
func risingFit(_ aims: [Double], _ weights: [Double]) -> [Double] {
  var pools: [(mean: Double, weight: Double, count: Int)] = []
  for (aim, weight) in zip(aims, weights) {
    var pool = (mean: aim, weight: weight, count: 1)
    while let last = pools.last, last.mean >= pool.mean {
      let sum = last.weight + pool.weight
      pool = ((last.mean * last.weight + pool.mean * pool.weight) / sum, sum, last.count + pool.count)
      pools.removeLast()
    }
    pools.append(pool)
  }
  return pools.flatMap { Array(repeating: $0.mean, count: $0.count) }
}
