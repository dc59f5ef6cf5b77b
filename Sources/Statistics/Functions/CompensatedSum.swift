/// A sum that carries what rounding drops (A. Neumaier, ZAMM 54, 1974), so that a million terms lose nothing.
struct CompensatedSum {
  private var sum = 0.0
  private var dropped = 0.0

  var value: Double { sum + dropped }

  mutating func add(_ term: Double) {
    let total = sum + term
    dropped += abs(sum) >= abs(term) ? (sum - total) + term : (term - total) + sum
    sum = total
  }
}
