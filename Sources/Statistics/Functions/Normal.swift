import Glibc

/// P(Z > z) of the standard normal distribution.
func normalUpperTail(_ z: Double) -> Double { erfc(z / 2.0.squareRoot()) / 2 }

/// The z whose upper tail is `tail`, to the last digit or two, also for tails like 1e-300.
///
/// Starts at Abramowitz and Stegun 26.2.23 and polishes with Halley steps.
func normalQuantile(upperTail tail: Double) -> Double {
  guard tail < 0.5 else { return tail == 0.5 ? 0 : -normalQuantile(upperTail: 1 - tail) }
  let t = (-2 * log(tail)).squareRoot()
  var z = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))
  for _ in 0..<4 {
    let density = exp(-z * z / 2) / (2 * Double.pi).squareRoot()
    let step = (normalUpperTail(z) - tail) / density
    z += step / (1 - step * z / 2)
  }
  return z
}

/// The z of a two-sided interval: 1.959963984540054 for 0.95.
public func normalQuantile(level: Double) -> Double { normalQuantile(upperTail: (1 - level) / 2) }
