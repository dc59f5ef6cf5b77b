import Glibc

/// Sums over x = c, c - 1, …, c - d + 1 of 1/x, 1/x² and log x; c >= d >= 1, c need not be whole.
///
/// Efron's likelihood of a tick with d tied events is made of these. Long sums are closed by the formula of Euler
/// and Maclaurin, so that a tick with 100,000 events costs what one with 40 does.
struct FallingSums {
  private(set) var inverse = 0.0
  private(set) var inverseSquare = 0.0

  /// - Parameter product: takes in each x, for the sum of their logarithms.
  init(from c: Double, count d: Double, _ product: inout LongProduct) {
    // Counted down: where x is so large that it has no neighbours, x + 1 is x.
    var (x, left) = (c - d + 1, d)
    let shortEnough = 32.0
    while left > 0.5, x < shortEnough || left <= shortEnough {
      inverse += 1 / x
      inverseSquare += 1 / (x * x)
      product.multiply(x)
      (x, left) = (x + 1, left - 1)
    }
    if left > 0.5 { product.add(logarithm: addAll(from: x, to: c)) }
  }

  /// Integral, half the ends, then the odd derivatives with Bernoulli's coefficients.
  ///
  /// - Returns: the sum of logarithms.
  private mutating func addAll(from a: Double, to b: Double) -> Double {
    let (u, v) = (1 / a, 1 / b)
    let growth = log1p((b - a) / a)
    inverse += growth + (u + v) / 2 + odd(u, v, 2) / 12 - odd(u, v, 4) * 6 / 720 + odd(u, v, 6) * 120 / 30_240
    inverseSquare += (b - a) * u * v + (u * u + v * v) / 2
    inverseSquare += odd(u, v, 3) * 2 / 12 - odd(u, v, 5) * 24 / 720 + odd(u, v, 7) * 720 / 30_240
    let logarithm = (b - a) * (log(b) - 1) + a * growth + (log(a) + log(b)) / 2
    return logarithm - odd(u, v, 1) / 12 + odd(u, v, 3) * 2 / 720 - odd(u, v, 5) * 24 / 30_240
  }

  private func odd(_ u: Double, _ v: Double, _ power: Double) -> Double { pow(u, power) - pow(v, power) }
}
