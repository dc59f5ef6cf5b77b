import Lifecycle
import Store

/// The first attempts of a shard's journeys, column by column.
struct AttemptColumns {
  private let shard: JourneyShard
  /// The earliest of `Attempt.signs` and of `Attempt.claims`.
  private let signs, claims: [Int64]
  private let offers, failed, ready, applied, rolledBack, crashed: [Int64]

  init(_ shard: JourneyShard) {
    self.shard = shard
    func column(_ milestone: Milestone) -> [Int64] { shard.column(milestone) ?? [] }
    (offers, failed) = (column(.available), column(.failed))
    (ready, applied) = (column(.ready), column(.applied))
    (rolledBack, crashed) = (column(.rolledBack), column(.crashed))
    (signs, claims) = (shard.earliest(Attempt.signs), shard.earliest(Attempt.claims))
  }

  func offer(_ index: Int) -> FirstTime? {
    offers.isEmpty || offers[index] == .max ? nil : FirstTime(rawValue: offers[index])
  }

  /// Whether anything was heard of the device beyond an offer, which other questions may have had read.
  func isKnown(_ index: Int, by cutOff: Timestamp) -> Bool {
    [signs, claims, rolledBack].contains { !$0.isEmpty && $0[index] >> 3 <= cutOff.rawValue }
  }

  /// The device's attempt; nil where it never tried.
  @inline(__always)
  func attempt(_ index: Int, isChange: (Timestamp) throws -> Bool) rethrows -> Attempt? {
    func first(_ column: [Int64]) -> FirstTime { FirstTime(rawValue: column.isEmpty ? .max : column[index]) }
    return try Attempt(
      sign: first(signs), claim: first(claims), ready: first(ready), applied: first(applied), failed: first(failed),
      rolledBack: first(rolledBack), crashed: first(crashed), reason: shard.failureReason(index), isChange: isChange)
  }
}

extension JourneyShard {
  /// The earliest of some milestones, device by device.
  fileprivate func earliest(_ milestones: [Milestone]) -> [Int64] {
    var earliest = [Int64](repeating: .max, count: devices.count)
    for column in milestones.lazy.compactMap(column) {
      for index in earliest.indices { earliest[index] = min(earliest[index], column[index]) }
    }
    return earliest
  }
}

extension ShardPage {
  /// Goes through the first attempts at a release on a channel, in device order.
  ///
  /// - Parameters:
  ///   - emulators: gets the indexes of those that are left out.
  ///   - body: gets the attempt, and the index of the device and of its platform.
  @inline(__always)
  func forEachAttempt(
    at journeys: Snapshot.Journeys, _ segments: Segments, until cutOff: Timestamp, leavesOutEmulators: Bool,
    _ emulators: inout Set<Int>, _ body: (Attempt, _ index: Int, _ platform: Int) -> Void
  ) throws {
    let columns = AttemptColumns(journeys.shard)
    var join = SortedJoin(devices.devices)
    for (journey, device) in journeys.shard.devices.enumerated() {
      guard let index = join.index(of: device) else { continue }
      if leavesOutEmulators, self.emulators[index] {
        if columns.isKnown(journey, by: cutOff) { emulators.insert(index) }
        continue
      }
      let platform = Int(platforms[index])
      guard segments.isIncluded[platform] else { continue }
      let found = try columns.attempt(journey) {
        try isChange(index, to: journeys, since: segments.since[platform], before: $0)
      }
      if let found, found.start.at <= cutOff { body(found, index, platform) }
    }
  }

  /// Whether a device ran another release in a channel before an instant, so that a change came over the air.
  ///
  /// - Parameter since: when this one was published; what ran before it did not come by that.
  func isChange(
    _ index: Int, to journeys: Snapshot.Journeys, since: Timestamp?, before instant: Timestamp
  ) throws -> Bool {
    // The first it ever said was that it runs this one.
    if devices.births[index] == journeys.release { return false }
    if let since, instant < since { return false }
    return try runs(of: index).ranAnother(
      index, than: journeys.release, in: journeys.channel, since: since.map { ($0 - Attempt.fresh).rawValue },
      before: instant.rawValue)
  }
}
