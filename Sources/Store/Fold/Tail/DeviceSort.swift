/// Sorts the events of a shard by device, equal devices in the order they are in.
///
/// Hashes of devices are even, so counting their next bits puts nearly everything in its place; what is left is done by
/// insertion. Where hashes are not even, by an ordinary sort.
struct DeviceSort {
  private var spread: [FoldEvent] = []
  private var next: [Int] = []

  mutating func sort(_ events: inout [FoldEvent]) {
    events.withUnsafeMutableBufferPointer { events in
      if events.count > 32 { scatter(events) }
      guard !Self.insert(events) else { return }
      events.sort { $0.device < $1.device }
    }
  }

  private mutating func scatter(_ events: UnsafeMutableBufferPointer<FoldEvent>) {
    let bits = UInt64(Int.bitWidth - events.count.leadingZeroBitCount)
    func cell(_ event: FoldEvent) -> Int { Int((event.device << Shards.bits) >> (64 - bits)) }
    next.removeAll(keepingCapacity: true)
    next.append(contentsOf: repeatElement(0, count: 1 << Int(bits) + 1))
    spread.removeAll(keepingCapacity: true)
    spread.append(contentsOf: events)
    for event in events { next[cell(event) + 1] += 1 }
    for index in next.indices.dropFirst() { next[index] += next[index - 1] }
    for event in spread {
      let place = cell(event)
      events[next[place]] = event
      next[place] += 1
    }
  }

  /// False where that would take too long.
  private static func insert(_ events: UnsafeMutableBufferPointer<FoldEvent>) -> Bool {
    var moves = 16 * events.count
    for index in events.indices.dropFirst() where events[index].device < events[index - 1].device {
      let event = events[index]
      var place = index
      while place > 0, event.device < events[place - 1].device {
        events[place] = events[place - 1]
        place -= 1
      }
      events[place] = event
      moves -= index - place
      if moves < 0 { return false }
    }
    return true
  }
}
