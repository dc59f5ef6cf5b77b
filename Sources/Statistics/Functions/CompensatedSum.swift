/// A sum that carries what rounding drops (A. Neumaier, ZAMM 54, 1974), so that a million terms lose nothing.
struct CompensatedSum {
  private var sum = 0.0
  private var dropped = 0.0

  var value: Double { sum + dropped }

  mutating func add(_ term: Double) {
    let total = sum + term
    // What rounding took, exactly, whichever is greater (D. Knuth, The Art of Computer Programming 2, 4.2.2).
    let taken = total - sum
    dropped += (sum - (total - taken)) + (term - taken)
    sum = total
  }
}
