import Lifecycle

/// The pushes and wake-ups of one shard's devices, device by device.
public struct WakeWalk {
  /// Of the device at hand, in order of time.
  public private(set) var facts: [WakeFact] = []
  private var weeks: [WakeWeek]
  private let until: Timestamp
  private let release: Int64?
  /// The weeks whose devices are looked at: those with any push about the release, else all.
  private let leading: [Int]

  /// - Parameters:
  ///   - weeks: in order.
  ///   - until: no fact later than this.
  ///   - release: only devices that were sent a push about it; nil for all.
  init(_ weeks: [WakeWeek], until: Timestamp, pushedAbout release: Int64?) {
    self.weeks = weeks
    self.until = until
    self.release = release
    leading = weeks.indices.filter { week in release.map(weeks[week].hasPushes) ?? true }
  }

  /// The next device in order of the hash; nil after the last.
  public mutating func next() -> UInt64? {
    while let device = nearest {
      if isWanted(device) {
        take(device)
        return device
      }
      for week in leading where isAt(device, week) { weeks[week].skip() }
    }
    return nil
  }

  private mutating func take(_ device: UInt64) {
    facts.removeAll(keepingCapacity: true)
    for week in weeks.indices {
      weeks[week].skip(to: device)
      if isAt(device, week) { weeks[week].take(into: &facts) }
    }
    while let last = facts.last, last.at > until { facts.removeLast() }
  }

  private func isAt(_ device: UInt64, _ week: Int) -> Bool { !weeks[week].isDone && weeks[week].device == device }

  private var nearest: UInt64? {
    var nearest: UInt64?
    for week in leading where !weeks[week].isDone { nearest = min(nearest ?? .max, weeks[week].device) }
    return nearest
  }

  private func isWanted(_ device: UInt64) -> Bool {
    guard let release else { return true }
    for week in leading where isAt(device, week) && weeks[week].isPushed(about: release) { return true }
    return false
  }
}
