import Glibc

/// The logarithm of a product of very many factors: they are multiplied as far as a number reaches, and one logarithm is taken
/// of hundreds.
struct LongProduct {
  private var taken = CompensatedSum()
  private var rest = 1.0

  var logarithm: Double {
    var sum = taken
    sum.add(log(rest))
    return sum.value
  }

  /// - Parameter factor: between 1e-150 and 1e150.
  @inline(__always)
  mutating func multiply(_ factor: Double) {
    rest *= factor
    if rest > 1e150 || rest < 1e-150 { take() }
  }

  mutating func multiply(_ factor: Double, times count: Double) {
    if count > 16 { return add(logarithm: count * log(factor)) }
    for _ in 0..<Int(count) { multiply(factor) }
  }

  mutating func add(logarithm: Double) { taken.add(logarithm) }

  private mutating func take() {
    taken.add(log(rest))
    rest = 1
  }
}
