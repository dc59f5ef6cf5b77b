extension Array {
  /// As many elements as are about to be written over; what was held is of no use, so it is not moved to greater memory.
  @inline(__always)
  mutating func resize(to count: Int, _ empty: Element) {
    if self.count > count { removeLast(self.count - count) }
    guard self.count < count else { return }
    if capacity < count {
      self = []
      // Shards have nearly as many devices as each other.
      reserveCapacity(count + count / 16)
    }
    append(contentsOf: repeatElement(empty, count: count - self.count))
  }
}
