extension Array {
  /// The first place at or after another whose element satisfies a predicate that is false, then true; near ones are
  /// found soonest.
  @inline(__always)
  func firstPlace(from start: Int, where belongsAfter: (Element) -> Bool) -> Int {
    nearestPlace(from: start, of: count) { belongsAfter(self[$0]) }
  }

  /// The first place whose element satisfies a predicate that is false, then true.
  @inlinable public func firstPlace(where belongsAfter: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if belongsAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension PackedView {
  /// As an array's.
  func firstPlace(from start: Int, where belongsAfter: (Int64) -> Bool) -> Int {
    nearestPlace(from: start, of: count) { belongsAfter(self[$0]) }
  }
}

/// The first of so many places, from `start` on, where something holds that holds for all after it; the nearer, the faster.
@inline(__always)
func nearestPlace(from start: Int, of count: Int, where belongsAfter: (Int) -> Bool) -> Int {
  var (low, high, step) = (start, start, 1)
  while high < count, !belongsAfter(high) {
    low = high + 1
    high += step
    step *= 2
  }
  high = min(high, count)
  while low < high {
    let middle = (low + high) / 2
    if belongsAfter(middle) { high = middle } else { low = middle + 1 }
  }
  return low
}
