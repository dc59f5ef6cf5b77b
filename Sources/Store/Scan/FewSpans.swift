/// The spans of contacts of a few devices of a shard, one device after another.
struct FewSpans {
  private(set) var starts: [Int64] = []
  private(set) var ends: [Int64] = []
  /// Where those of each device begin; one more at the end.
  private(set) var offsets = [0]

  private mutating func add(_ starts: [Int64], _ lengths: [Int64]) {
    self.starts += starts
    ends += zip(starts, lengths).map { $0 &+ $1 }
    offsets.append(ends.count)
  }
}

extension FewSpans {
  /// One of each device, which is a single contact.
  init(at instants: [Int64]) {
    (starts, ends, offsets) = (instants, instants, Array(0...instants.count))
  }

  /// From columns that were read whole; nil where they do not hold what they should.
  ///
  /// - Parameter ranges: of each device its places.
  init?(_ ranges: [Range<Int>], _ starts: PackedView, _ lengths: PackedView) {
    guard starts.count == lengths.count, ranges.allSatisfy({ $0.upperBound <= starts.count }) else { return nil }
    for range in ranges { add(range.map { starts[$0] }, range.map { lengths[$0] }) }
  }

  /// From the middle of columns, since whole ones are megabytes; nil where they must be read whole.
  init?(_ ranges: [Range<Int>], _ rows: DeviceRows, _ place: DevicePlace) throws(StoreError) {
    typealias Part = DeviceOutlines.Part
    guard let starts = try StoredColumn.open(rows, place, Part.spanStarts.rawValue),
      let lengths = try StoredColumn.open(rows, place, Part.spanLengths.rawValue), starts.count == lengths.count,
      ranges.allSatisfy({ $0.upperBound <= starts.count })
    else { return nil }
    for range in ranges {
      let (own, long) = (try starts.numbers(range), try lengths.numbers(range))
      guard own.allSatisfy(PackedColumns.times.contains), long.allSatisfy(PackedColumns.spans.contains) else {
        return nil
      }
      add(own, long)
    }
  }
}
