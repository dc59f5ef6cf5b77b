extension Array {
  /// The first place at or after another whose element satisfies a predicate that is false, then true; near ones are
  /// found soonest.
  func firstPlace(from start: Int, where belongsAfter: (Element) -> Bool) -> Int {
    var (low, high, step) = (start, start, 1)
    while high < count, !belongsAfter(self[high]) {
      low = high + 1
      high += step
      step *= 2
    }
    high = Swift.min(high, count)
    while low < high {
      let middle = (low + high) / 2
      if belongsAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
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
