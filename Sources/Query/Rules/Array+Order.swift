extension Array {
  /// Whether no element comes before the one in front of it.
  func isAscending(by isBefore: (Element, Element) -> Bool) -> Bool {
    indices.dropFirst().allSatisfy { !isBefore(self[$0], self[$0 - 1]) }
  }
}
