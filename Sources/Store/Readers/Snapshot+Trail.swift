public import Lifecycle

/// One event as it was stored, with its numbers put into words.
public struct TrailEvent: Sendable {
  public var at: Timestamp
  public var stage: Stage
  public var trigger: Trigger
  public var outcome: Outcome?
  public var release: String?
  public var reason: String?
  public var duration: Milliseconds?
  public var channel: String
  public var network: String?

  public init(
    at: Timestamp, stage: Stage, trigger: Trigger, outcome: Outcome?, release: String?, reason: String?,
    duration: Milliseconds?, channel: String, network: String?
  ) {
    (self.at, self.stage, self.trigger, self.outcome) = (at, stage, trigger, outcome)
    (self.release, self.reason) = (release, reason)
    (self.duration, self.channel, self.network) = (duration, channel, network)
  }
}

extension Snapshot {
  /// Everything packed about the shard that a device lies in, and its own pushes and wake-ups in order of time.
  public struct TrailPage {
    public var facts: [WakeFact]
    public var devices: DeviceOutlines
    public var runs: RunColumns
    public var journeys: [Journeys]
  }

  public func page(of device: DeviceHash, app: String) throws -> TrailPage? {
    guard let appID = appID(app) else { return nil }
    if let remote { return try page(of: device, app: appID, remote) }
    let stored = try StoredShards(connection)
    let shard = Shards.shard(device.rawValue)
    let unfolded = try self.facts(shard)
    var facts: [WakeFact] = []
    for week in try weeks(appID).sorted() {
      facts += try wakes(WakePlace(app: appID, shard: shard, week: week), stored, unfolded).facts(of: device.rawValue)
    }
    let places = try journeyPlaces(Set(vocabulary.releases.filter { $0.app == app }.map(\.id)), app: appID)
    let devices = try devices(DevicePlace(shard: shard, app: appID), stored, unfolded)
    return TrailPage(
      facts: facts, devices: devices.completeOutlines, runs: RunColumns(devices, nameOrder),
      journeys: try journeys(shard, places, stored, unfolded, nameRanks))
  }

  /// The newest events of a device that are still stored singly, newest first. Reads only the blocks that hold some.
  public func trail(of device: DeviceHash, app: String, limit: Int) throws -> [TrailEvent] {
    if let remote { return try remote.trail(of: device, app: app, limit: limit) }
    let select = try connection.prepare(
      """
      SELECT e.at, e.stage, e.trigger, e.outcome, r.label, n.text, e.duration, c.channel, c.network
      FROM event e JOIN context c ON c.id = e.context
        LEFT JOIN release r ON r.id = e.release LEFT JOIN name n ON n.id = e.reason
      WHERE e.seq BETWEEN ?1 AND ?2 AND e.device = ?3 AND c.app = ?4 ORDER BY e.seq DESC
      """)
    var found: [TrailEvent] = []
    for rows in try blocks(of: device.rawValue) where found.count < limit {
      found += try select.rows(
        .integer(rows.lowerBound), .integer(rows.upperBound), .integer(Int64(bitPattern: device.rawValue)), .text(app),
        row: TrailEvent.init)
    }
    return Array(found.prefix(limit))
  }

  /// The newest block first.
  private func blocks(of device: UInt64) throws(StoreError) -> [ClosedRange<Int64>] {
    let stored = try StoredShards(connection)
    let shard = Shards.shard(device)
    let eras = try connection.prepare("SELECT DISTINCT era FROM trail WHERE shard = ?").rows(.integer(Int64(shard))) {
      $0.integer(0)
    }
    let unfolded = try facts(shard).trails
    var blocks: [ClosedRange<Int64>] = []
    for era in Set(eras + unfolded.keys.map(\.era)).sorted(by: >) {
      let place = TrailPlace(shard: shard, era: era)
      let known = try stored.trail(place)
      let all = unfolded[place].map(known.merging) ?? known
      blocks += all.blocks(of: device).reversed().map(place.rows)
    }
    return blocks
  }
}

extension TrailEvent {
  fileprivate init(_ row: borrowing Row) {
    self.init(
      at: Timestamp(stored: row.integer(0)), stage: Stage(code: UInt8(truncatingIfNeeded: row.integer(1))) ?? .check,
      trigger: Trigger(code: UInt8(truncatingIfNeeded: row.integer(2))) ?? .unknown,
      outcome: Outcome(code: UInt8(truncatingIfNeeded: row.integer(3))), release: row.optionalText(4),
      reason: row.optionalText(5), duration: row.optionalInteger(6).map(Milliseconds.init(rawValue:)),
      channel: row.text(7), network: row.optionalText(8))
  }
}
