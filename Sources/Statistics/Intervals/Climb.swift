/// Self-consistency steps (EM), three at a time taken as one longer one (R. Varadhan and C. Roland, Scandinavian Journal of
/// Statistics 35, 2008) where that raises the likelihood.
struct Climb {
  private let likelihood: SpanLikelihood
  private(set) var masses: [Double]
  private(set) var slack = Double.infinity
  private(set) var steps = 0

  init(_ likelihood: SpanLikelihood) {
    self.likelihood = likelihood
    masses = [Double](repeating: 1 / Double(max(likelihood.spans.count, 1)), count: likelihood.spans.count)
  }

  mutating func run(tolerance: Double, most: Int) {
    guard !masses.isEmpty else { return slack = 0 }
    while steps < most {
      let first = step(from: masses)
      slack = max(0, (first.slopes.max() ?? 0) / likelihood.devices)
      guard slack > tolerance else { return }
      let second = step(from: first.masses)
      masses = better(extrapolated(masses, first.masses, second.masses), than: second.masses)
    }
  }

  private mutating func step(from masses: [Double]) -> (masses: [Double], slopes: [Double]) {
    steps += 1
    let (_, slopes, scale) = likelihood.slopes(masses)
    return (Self.normalised(zip(masses, slopes).map { $0 * (1 + $1 / scale) }), slopes)
  }

  private func better(_ candidate: [Double]?, than safe: [Double]) -> [Double] {
    guard let candidate else { return safe }
    let isBetter = likelihood.slopes(candidate).logLikelihood >= likelihood.slopes(safe).logLikelihood
    return isBetter ? candidate : safe
  }

  /// Along the curve that two steps bend; no mass may vanish, as no step could bring it back.
  private func extrapolated(_ start: [Double], _ first: [Double], _ second: [Double]) -> [Double]? {
    let moved = zip(start, first).map { $1 - $0 }
    let bent = zip(zip(start, first), second).map { $1 - 2 * $0.1 + $0.0 }
    let (length, bend) = (moved.reduce(0) { $0 + $1 * $1 }, bent.reduce(0) { $0 + $1 * $1 })
    guard bend > 0 else { return nil }
    let stride = (length / bend).squareRoot()
    guard stride > 1 else { return nil }
    return Self.normalised(
      start.indices.map { place in
        let far = start[place] + 2 * stride * moved[place] + stride * stride * bent[place]
        return max(far, second[place] * 1e-3)
      })
  }

  private static func normalised(_ masses: [Double]) -> [Double] {
    let sum = masses.reduce(0, +)
    return masses.map { $0 / sum }
  }
}
