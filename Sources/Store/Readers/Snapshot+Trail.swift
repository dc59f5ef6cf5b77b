public import Lifecycle

/// One event as it was stored, with its numbers put into words.
public struct TrailEvent: Sendable {
  public var at: Timestamp
  public var stage: Stage
  public var trigger: Trigger
  public var outcome: Outcome?
  public var release: String?
  public var from: String?
  public var reason: String?
  public var duration: Milliseconds?
  public var bytes: Int64?
  public var channel: String
  public var platform: String?
  public var appVersion: String?
  public var network: String?
  public var hasPush: Bool
}

extension Snapshot {
  /// Everything packed about the shard that a device lies in.
  public func page(of device: DeviceHash, app: String) throws -> WakePage? {
    guard let appID = appID(app) else { return nil }
    let stored = try StoredShards(connection)
    let shard = Shards.shard(device.rawValue)
    var weeks: [WakeShard] = []
    for week in Set(try storedWeeks(appID) + tail.wakes.keys.filter { $0.app == appID }.map(\.week)).sorted() {
      weeks.append(try wakes(WakePlace(app: appID, shard: shard, week: week), stored))
    }
    let places = try journeyPlaces(Set(vocabulary.releases.filter { $0.app == app }.map(\.id)))
    return WakePage(
      wakes: WakeShard.joined(weeks), devices: try devices(DevicePlace(shard: shard, app: appID), stored),
      journeys: try journeys(shard, places, stored, nameRanks))
  }

  /// The newest events of a device that are still stored singly, newest first. Reads the event table backwards.
  public func trail(of device: DeviceHash, app: String, limit: Int) throws -> [TrailEvent] {
    let select = try connection.prepare(
      """
      SELECT e.at, e.stage, e.trigger, e.outcome, r.label, f.label, n.text, e.duration, e.bytes, c.channel, p.platform,
        p.app_version, c.network, e.push IS NOT NULL
      FROM event e JOIN context c ON c.id = e.context JOIN profile p ON p.id = c.profile
        LEFT JOIN release r ON r.id = e.release LEFT JOIN release f ON f.id = e.from_release
        LEFT JOIN name n ON n.id = e.reason
      WHERE e.device = ?1 AND c.app = ?2 ORDER BY e.seq DESC LIMIT ?3
      """)
    return try select.rows(.integer(Int64(bitPattern: device.rawValue)), .text(app), .integer(Int64(limit))) {
      TrailEvent(
        at: Timestamp(rawValue: $0.integer(0)), stage: Stage(code: UInt8(truncatingIfNeeded: $0.integer(1))) ?? .check,
        trigger: Trigger(code: UInt8(truncatingIfNeeded: $0.integer(2))) ?? .unknown,
        outcome: Outcome(code: UInt8(truncatingIfNeeded: $0.integer(3))), release: $0.optionalText(4),
        from: $0.optionalText(5), reason: $0.optionalText(6),
        duration: $0.optionalInteger(7).map(Milliseconds.init(rawValue:)), bytes: $0.optionalInteger(8),
        channel: $0.text(9), platform: $0.optionalText(10), appVersion: $0.optionalText(11),
        network: $0.optionalText(12), hasPush: $0.integer(13) != 0)
    }
  }
}
