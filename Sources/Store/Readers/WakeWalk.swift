import Lifecycle

/// The pushes and wake-ups of one shard's devices, device by device.
public struct WakeWalk {
  /// Of the device at hand, in order of time.
  public private(set) var facts: [WakeFact] = []
  private var weeks: [WakeWeek]
  private let until: Timestamp
  private let release: Int64?
  /// The weeks in which any device was sent a push about the release.
  private let decisive: [Int]

  /// - Parameters:
  ///   - weeks: in order.
  ///   - until: no fact later than this.
  ///   - release: only devices that were sent a push about it; nil for all.
  init(_ weeks: [WakeWeek], until: Timestamp, pushedAbout release: Int64?) {
    self.weeks = weeks
    self.until = until
    self.release = release
    decisive = release.map { release in weeks.indices.filter { weeks[$0].hasPushes(about: release) } } ?? []
  }

  /// The next device in order of the hash; nil after the last.
  public mutating func next() -> UInt64? {
    if release != nil, decisive.isEmpty { return nil }
    while let device = nearest {
      guard isWanted(device) else {
        for week in weeks.indices where isAt(device, week) { weeks[week].skip() }
        continue
      }
      facts.removeAll(keepingCapacity: true)
      for week in weeks.indices where isAt(device, week) { weeks[week].take(into: &facts) }
      while let last = facts.last, last.at > until { facts.removeLast() }
      return device
    }
    return nil
  }

  private func isAt(_ device: UInt64, _ week: Int) -> Bool { !weeks[week].isDone && weeks[week].device == device }

  private var nearest: UInt64? {
    var nearest: UInt64?
    for week in weeks.indices where !weeks[week].isDone { nearest = min(nearest ?? .max, weeks[week].device) }
    return nearest
  }

  private func isWanted(_ device: UInt64) -> Bool {
    guard let release else { return true }
    for week in decisive where isAt(device, week) && weeks[week].isPushed(about: release) { return true }
    return false
  }
}
