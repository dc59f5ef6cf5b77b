extension Array {
  /// The first place whose element satisfies a predicate that is false, then true.
  func firstPlace(where belongsAfter: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if belongsAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Whether no element comes before the one in front of it.
  func isAscending(by isBefore: (Element, Element) -> Bool) -> Bool {
    indices.dropFirst().allSatisfy { !isBefore(self[$0], self[$0 - 1]) }
  }
}
