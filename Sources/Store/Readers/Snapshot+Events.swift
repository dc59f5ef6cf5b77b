public import Lifecycle

/// One event as it was stored, whole, with its numbers put into words.
public struct StoredEvent: Sendable {
  public var sequence: Int64
  public var at: Timestamp
  /// Null where it was imported without one.
  public var received: Timestamp?
  /// The keyed hash: the id itself is stored nowhere.
  public var device: DeviceHash
  /// A keyed hash of app and id.
  public var identity: UInt64
  public var app: String
  public var channel: String
  public var stage: Stage
  public var trigger: Trigger
  public var outcome: Outcome?
  public var release: String?
  public var from: String?
  public var reason: String?
  public var platform: String?
  public var osVersion: String?
  public var appVersion: String?
  public var sdkVersion: String?
  public var network: String?
  public var arm: String?
  public var isEmulator: Bool?
  public var duration: Milliseconds?
  public var bytes: Int64?
  public var bucket: Int64?
  /// A hash of the push's id.
  public var push: UInt64?
  /// Region, model and tags of the device.
  public var traits: DeviceTraits
}

extension Snapshot {
  /// The events behind a place in the order of storing, at most so many.
  ///
  /// - Parameter app: nil for all.
  public func events(after sequence: Int64, app: String?, limit: Int) throws(StoreError) -> [StoredEvent] {
    if let remote { throw Self.eventsOfFiles(remote) }
    return try connection.prepare(
      """
      SELECT e.seq, e.at, e.received, e.device, e.id_hash, c.app, c.channel, e.stage, e.trigger, e.outcome, r.label, f.label,
        n.text, p.platform, p.os_version, p.app_version, p.sdk_version, c.network, p.arm, p.emulator, e.duration, e.bytes,
        e.bucket, e.push, p.traits
      FROM event e JOIN context c ON c.id = e.context JOIN profile p ON p.id = c.profile
        LEFT JOIN release r ON r.id = e.release LEFT JOIN release f ON f.id = e.from_release
        LEFT JOIN name n ON n.id = e.reason
      WHERE e.seq > ?1 AND (?2 IS NULL OR c.app = ?2) ORDER BY e.seq LIMIT ?3
      """
    ).rows(.integer(sequence), .optional(app), .integer(Int64(limit)), row: StoredEvent.init)
  }

  /// How many events lie behind a place.
  public func eventCount(after sequence: Int64, app: String?) throws(StoreError) -> Int {
    if let remote { throw Self.eventsOfFiles(remote) }
    let count = try connection.prepare(
      "SELECT count(*) FROM event e JOIN context c ON c.id = e.context WHERE e.seq > ?1 AND (?2 IS NULL OR c.app = ?2)"
    ).first(.integer(sequence), .optional(app)) { $0.integer(0) }
    return Int(count ?? 0)
  }
}

extension Snapshot {
  private static func eventsOfFiles(_ remote: any RemoteDatabase) -> StoreError {
    StoreError(
      RemoteProblem(
        .unsupported, "only_in_files",
        "events in the order of their arrival cannot be had from \(remote.address): each node numbers its own",
        """
        ask each node for those that it holds: name its file with --db; all of them are in the warehouse's table `event`: \
        clickhouse-client -q 'SELECT DISTINCT * FROM event FORMAT Parquet'
        """), at: remote.address)
  }
}

extension StoredEvent {
  fileprivate init(_ row: borrowing Row) {
    self.init(
      sequence: row.integer(0), at: Timestamp(stored: row.integer(1)),
      received: row.optionalInteger(2).map(Timestamp.init(stored:)),
      device: DeviceHash(rawValue: UInt64(bitPattern: row.integer(3))), identity: UInt64(bitPattern: row.integer(4)),
      app: row.text(5), channel: row.text(6), stage: Stage(code: UInt8(truncatingIfNeeded: row.integer(7))) ?? .check,
      trigger: Trigger(code: UInt8(truncatingIfNeeded: row.integer(8))) ?? .unknown,
      outcome: Outcome(code: UInt8(truncatingIfNeeded: row.integer(9))), release: row.optionalText(10),
      from: row.optionalText(11), reason: row.optionalText(12), platform: row.optionalText(13),
      osVersion: row.optionalText(14), appVersion: row.optionalText(15), sdkVersion: row.optionalText(16),
      network: row.optionalText(17), arm: row.optionalText(18), isEmulator: row.optionalInteger(19).map { $0 != 0 },
      duration: row.optionalInteger(20).map(Milliseconds.init(rawValue:)), bytes: row.optionalInteger(21),
      bucket: row.optionalInteger(22), push: row.optionalInteger(23).map { UInt64(bitPattern: $0) },
      traits: DeviceTraits(row.optionalText(24)))
  }
}
