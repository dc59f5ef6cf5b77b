import Lifecycle

/// The pushes and wake-ups of one shard's devices, device by device.
public struct WakeWalk {
  /// Of the device at hand, in order of time.
  public private(set) var facts: [WakeFact] = []
  private var weeks: [WakeWeek]
  private let until: Timestamp
  private let wanted: [UInt64]?
  private var nextWanted = 0

  /// - Parameters:
  ///   - weeks: in order.
  ///   - until: no fact later than this.
  ///   - wanted: only these devices, in ascending order; nil for all.
  init(_ weeks: [WakeWeek], until: Timestamp, of wanted: [UInt64]?) {
    (self.weeks, self.until, self.wanted) = (weeks, until, wanted)
  }

  /// The next device in order of the hash; nil after the last.
  public mutating func next() -> UInt64? {
    guard let device = wanted == nil ? nearest : nextOfWanted() else { return nil }
    facts.removeAll(keepingCapacity: true)
    for week in weeks.indices {
      weeks[week].skip(to: device)
      if !weeks[week].isDone, weeks[week].device == device { weeks[week].take(into: &facts) }
    }
    while let last = facts.last, last.at > until { facts.removeLast() }
    return device
  }

  private mutating func nextOfWanted() -> UInt64? {
    guard let wanted, nextWanted < wanted.count else { return nil }
    defer { nextWanted += 1 }
    return wanted[nextWanted]
  }

  private var nearest: UInt64? {
    var nearest: UInt64?
    for week in weeks.indices where !weeks[week].isDone { nearest = min(nearest ?? .max, weeks[week].device) }
    return nearest
  }
}
