public import Lifecycle

/// A device that its platform vouched for.
public struct AttestedDevice: Sendable {
  public var device: DeviceHash
  public var app: String
  public var at: Timestamp
  /// The file's when its token came: whoever was forgotten since then stays forgotten.
  public var generation: Int64

  public init(device: DeviceHash, app: String, at: Timestamp, generation: Int64) {
    (self.device, self.app, self.at, self.generation) = (device, app, at, generation)
  }
}

extension EventLog {
  /// Counts the times that rows were taken back, such as those of a device that was forgotten.
  public func generation() throws(StoreError) -> Int64 { try Generation.read(Connection(path: path, mode: .read)) }

  /// Marks devices; those whose rows may have been taken back meanwhile stay as they are.
  public func attest(_ devices: [AttestedDevice]) throws(StoreError) {
    let connection = try Connection(path: path, mode: .write)
    try connection.execute("PRAGMA synchronous = FULL")
    let upsert = try connection.prepare(
      """
      INSERT INTO attested SELECT ?1, id, ?3 FROM name WHERE text = ?2
        ON CONFLICT DO UPDATE SET at = max(at, excluded.at)
      """)
    try exclusively { () throws(StoreError) in
      try connection.transaction { () throws(StoreError) in
        let generation = try Generation.read(connection)
        for one in devices where one.generation == generation {
          try upsert.run(
            .integer(Int64(bitPattern: one.device.rawValue)), .text(one.app), .integer(one.at.rawValue))
        }
      }
    }
  }
}

extension Snapshot {
  /// How many devices of an app their platform vouched for; nil for all apps.
  public func attestedDevices(of app: String?) throws(StoreError) -> Int {
    guard isFile else { return 0 }
    guard let app else { return Int(try connection.integer("SELECT count(*) FROM attested")) }
    return try connection.prepare(
      "SELECT count(*) FROM attested WHERE app = (SELECT id FROM name WHERE text = ?)"
    ).first(.text(app)) { Int($0.integer(0)) } ?? 0
  }
}
