import Glibc

/// The width of a band, found by drawing the errors of a curve again and again as they are in large samples; the same draws
/// everywhere.
///
/// D. Y. Lin, Statistics in Medicine 16 (1997), 901-910. `errors` are drawn from a normal distribution with the curve's own
/// covariance, so what multipliers of single devices would give costs nothing per device.
///
/// - Parameter errors: one draw at a number of ages, each in standard errors.
func resampledWidth(level: Double, _ errors: (inout NormalDraws) -> Double) -> Double {
  var draws = NormalDraws()
  let greatest = (0..<drawnCurves).map { _ in errors(&draws) }.sorted()
  let place = min(greatest.count - 1, Int((level * Double(greatest.count)).rounded(.up)) - 1)
  return max(greatest[place], normalQuantile(level: level))
}

/// With so many the chance that a band of 95 % claims is itself known to a third of a point.
let drawnCurves = 4000

/// Numbers of the standard normal distribution, in the same order everywhere: SplitMix64, and Box and Muller.
struct NormalDraws {
  private var state: UInt64 = 0x5570_7461_6B65
  private var spare: Double?

  mutating func next() -> Double {
    if let number = spare {
      spare = nil
      return number
    }
    let (radius, angle) = ((-2 * log(uniform())).squareRoot(), 2 * Double.pi * uniform())
    spare = radius * sin(angle)
    return radius * cos(angle)
  }

  /// Above 0, at most 1.
  private mutating func uniform() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return (Double((mixed ^ (mixed >> 31)) >> 11) + 1) * 0x1p-53
  }
}
