/// A packed column of which some numbers are read, each asked for after the one before.
struct PackedWalk {
  private let values: PackedColumn.Dense
  /// Where the values of a sparse column belong.
  private let places: PackedColumn.Dense?
  private var next = 0

  /// - Parameter bytes: a column; see `PackedColumn.count`.
  init(_ bytes: UnsafeRawBufferPointer) {
    if bytes.first == 0 {
      (values, places) = (PackedColumn.Dense(bytes, at: 1), nil)
    } else {
      let places = PackedColumn.Dense(bytes, at: 5)
      (values, self.places) = (PackedColumn.Dense(bytes, at: places.end), places)
    }
  }

  @inline(__always)
  mutating func number(at index: Int) -> Int64 {
    guard let places else { return values[index] }
    while next < places.count, places[next] < Int64(index) { next += 1 }
    return next < places.count && places[next] == Int64(index) ? values[next] : PackedColumn.absent
  }
}
