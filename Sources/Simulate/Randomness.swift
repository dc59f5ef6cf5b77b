import Lifecycle

/// A small seeded generator with independent streams: SplitMix64 with an increment of its own per stream.
///
/// Every device draws from its own stream, so what one device does never depends on how many draws another made.
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
struct Randomness: RandomNumberGenerator, Sendable {
  private var state: UInt64
  private let increment: UInt64

  init(seed: UInt64, stream: UInt64) {
    state = mixed(mixed(seed) ^ (stream &* 0x9E37_79B9_7F4A_7C15))
    increment = mixed(state &+ stream) | 1
  }

  mutating func next() -> UInt64 {
    state &+= increment
    return mixed(state)
  }

  /// 0 ≤ x < 1.
  mutating func unit() -> Double { fraction(next()) }

  mutating func chance(_ probability: Double) -> Bool { probability > 0 && unit() < probability }

  mutating func index(below count: Int) -> Int { min(Int(unit() * Double(count)), count - 1) }

  mutating func uniform(_ low: Double, _ high: Double) -> Double { low + (high - low) * unit() }

  mutating func uniform(_ low: Milliseconds, _ high: Milliseconds) -> Milliseconds {
    low + Milliseconds(rawValue: Int64(Double((high - low).rawValue) * unit()))
  }

  /// Mean 1.
  mutating func exponential() -> Double { -ln(1 - unit()) }

  mutating func exponential(mean: Milliseconds) -> Milliseconds { mean * exponential() }

  /// Mean 0, standard deviation 1, by Marsaglia's polar method.
  mutating func normal() -> Double {
    while true {
      let (x, y) = (uniform(-1, 1), uniform(-1, 1))
      let square = x * x + y * y
      if square > 0 && square < 1 { return x * (-2 * ln(square) / square).squareRoot() }
    }
  }

  /// `spread` is the standard deviation of the logarithm.
  mutating func logNormal(median: Double, spread: Double) -> Double { median * exp(spread * normal()) }

  mutating func logNormal(median: Milliseconds, spread: Double) -> Milliseconds {
    median * min(exp(spread * normal()), 1e5)
  }
}

/// The finaliser of SplitMix64: nearby numbers in, unrelated numbers out.
func mixed(_ value: UInt64) -> UInt64 {
  var mix = value &+ 0x9E37_79B9_7F4A_7C15
  mix = (mix ^ (mix >> 30)) &* 0xBF58_476D_1CE4_E5B9
  mix = (mix ^ (mix >> 27)) &* 0x94D0_49BB_1331_11EB
  return mix ^ (mix >> 31)
}

/// The top 53 bits as a number, 0 ≤ x < 1.
func fraction(_ bits: UInt64) -> Double { Double(bits >> 11) * 0x1p-53 }
