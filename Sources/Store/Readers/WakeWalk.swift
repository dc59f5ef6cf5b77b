import Lifecycle

/// The pushes and wake-ups of one shard's devices, device by device.
public struct WakeWalk {
  /// Of the device at hand, in order of time, each once.
  public private(set) var facts: [WakeFact] = []
  private var weeks: [WakeWeek]
  /// Of each week the device at hand, side by side: they are looked at for every device.
  private var heads: [UInt64]
  private var nearest: UInt64
  private let until: Timestamp
  private let wanted: [UInt64]?
  private let population: ShardPopulation
  private var nextWanted = 0

  /// - Parameters:
  ///   - weeks: in order.
  ///   - until: no fact later than this.
  ///   - wanted: only these devices, in ascending order; nil for all.
  init(
    _ weeks: [WakeWeek], until: Timestamp, of wanted: [UInt64]?, _ population: ShardPopulation = ShardPopulation()
  ) {
    (self.weeks, self.until, self.wanted, self.population) = (weeks, until, wanted, population)
    heads = weeks.map(\.device)
    nearest = heads.min() ?? .max
  }

  /// The next device in order of the hash; nil after the last.
  public mutating func next() -> UInt64? {
    while let device = nextOfAll() { if !population.leavesOut(device) { return device } }
    return nil
  }

  private mutating func nextOfAll() -> UInt64? {
    let device = wanted == nil ? nearest : nextOfWanted()
    if device == .max { return nil }
    facts.removeAll(keepingCapacity: true)
    var mayRepeat = false
    nearest = .max
    for week in heads.indices {
      if heads[week] <= device {
        if take(device, week) { mayRepeat = true }
        heads[week] = weeks[week].device
      }
      nearest = min(nearest, heads[week])
    }
    if mayRepeat { facts.unite() }
    while let last = facts.last, last.at > until { facts.removeLast() }
    return device
  }

  /// Takes the device's facts of one week; answers whether others may say the same.
  @inline(__always)
  private mutating func take(_ device: UInt64, _ week: Int) -> Bool {
    if wanted != nil { weeks[week].skip(to: device) }
    guard weeks[week].device == device else { return false }
    weeks[week].take(into: &facts)
    return weeks[week].isUnfolded
  }

  private mutating func nextOfWanted() -> UInt64 {
    guard let wanted, nextWanted < wanted.count else { return .max }
    defer { nextWanted += 1 }
    return wanted[nextWanted]
  }
}

extension [WakeFact] {
  /// In order of time, each once. Most are in order already, and what is not lies at the end.
  fileprivate mutating func unite() {
    if indices.dropFirst().allSatisfy({ self[$0 - 1] < self[$0] }) { return }
    sort()
    var kept = 0
    for next in indices.dropFirst() where self[next] != self[kept] {
      kept += 1
      self[kept] = self[next]
    }
    removeLast(count - 1 - kept)
  }
}
