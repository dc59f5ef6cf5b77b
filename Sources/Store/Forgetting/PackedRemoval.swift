/// Takes devices out of the packed shards, so that these are what they were if the devices had never been.
enum PackedRemoval {
  static func remove(_ devices: Set<UInt64>, _ connection: borrowing Connection) throws(StoreError) {
    for (shard, members) in Dictionary(grouping: devices, by: Shards.shard) {
      let members = Set(members)
      try removeJourneys(members, shard, connection)
      try removeDevices(members, shard, connection)
      try removeWakes(members, shard, connection)
      try removeTrails(members, shard, connection)
    }
  }

  private static func removeJourneys(
    _ devices: Set<UInt64>, _ shard: Int, _ connection: borrowing Connection
  ) throws(StoreError) {
    let stored = try StoredShards(connection)
    let places = try connection.prepare("SELECT DISTINCT release, channel FROM journey WHERE shard = ?").rows(
      .integer(Int64(shard))
    ) { JourneyPlace(shard: shard, release: $0.integer(0), channel: $0.integer(1)) }
    let delete = try connection.prepare("DELETE FROM journey WHERE release = ? AND channel = ? AND shard = ?")
    let insert = try connection.prepare("INSERT INTO journey VALUES (?, ?, ?, ?, ?)")
    for place in places {
      let key: [Value] = [.integer(place.release), .integer(place.channel), .integer(Int64(shard))]
      guard let rest = try stored.journeys(place).removing(devices) else { continue }
      try replace(delete, insert, key, rest.devices.isEmpty ? [] : rest.packed)
    }
  }

  private static func removeDevices(
    _ devices: Set<UInt64>, _ shard: Int, _ connection: borrowing Connection
  ) throws(StoreError) {
    let stored = try StoredShards(connection)
    let apps = try connection.prepare("SELECT DISTINCT app FROM device WHERE shard = ?").rows(.integer(Int64(shard))) {
      $0.integer(0)
    }
    let delete = try connection.prepare("DELETE FROM device WHERE app = ? AND shard = ?")
    let insert = try connection.prepare("INSERT INTO device VALUES (?, ?, ?, ?)")
    for app in apps {
      guard let rest = try stored.devices(DevicePlace(shard: shard, app: app)).removing(devices) else { continue }
      let rows = rest.devices.isEmpty ? [] : rest.packed.flatMap { ColumnPieces.rows($0.part, $0.bytes) }
      try replace(delete, insert, [.integer(app), .integer(Int64(shard))], rows)
    }
  }

  private static func removeWakes(
    _ devices: Set<UInt64>, _ shard: Int, _ connection: borrowing Connection
  ) throws(StoreError) {
    let stored = try StoredShards(connection)
    let places = try connection.prepare("SELECT DISTINCT app, week FROM wake WHERE shard = ?").rows(
      .integer(Int64(shard))
    ) { WakePlace(app: $0.integer(0), shard: shard, week: $0.integer(1)) }
    let delete = try connection.prepare("DELETE FROM wake WHERE app = ? AND shard = ? AND week = ?")
    let insert = try connection.prepare("INSERT INTO wake VALUES (?, ?, ?, ?, ?)")
    for place in places {
      guard let rest = try stored.wakes(place).removing(devices) else { continue }
      try replace(
        delete, insert, [.integer(place.app), .integer(Int64(shard)), .integer(place.week)],
        rest.devices.isEmpty ? [] : rest.packed)
    }
  }

  private static func removeTrails(
    _ devices: Set<UInt64>, _ shard: Int, _ connection: borrowing Connection
  ) throws(StoreError) {
    let stored = try StoredShards(connection)
    let delete = try connection.prepare("DELETE FROM trail WHERE shard = ? AND era = ?")
    let insert = try connection.prepare("INSERT INTO trail VALUES (?, ?, ?, ?)")
    for place in try Trails.places(shard, connection) {
      guard let rest = try stored.trail(place).removing(devices) else { continue }
      try replace(
        delete, insert, [.integer(Int64(shard)), .integer(place.era)], rest.devices.isEmpty ? [] : rest.packed)
    }
  }

  private static func replace(
    _ delete: borrowing Statement, _ insert: borrowing Statement, _ key: [Value], _ parts: FoldedShard.Parts
  ) throws(StoreError) {
    try delete.run(all: key)
    for (part, bytes) in parts { try insert.run(all: key + [.integer(part), .blob(bytes)]) }
  }
}

/// The trail shards: they name every device of which there was any event.
enum Trails {
  static func places(_ shard: Int, _ connection: borrowing Connection) throws(StoreError) -> [TrailPlace] {
    try connection.prepare("SELECT DISTINCT era FROM trail WHERE shard = ? ORDER BY era").rows(.integer(Int64(shard))) {
      TrailPlace(shard: shard, era: $0.integer(0))
    }
  }

  /// Every device that is known, folded or not.
  static func devices(_ connection: borrowing Connection) throws(StoreError) -> Set<UInt64> {
    let stored = try StoredShards(connection)
    var devices: Set<UInt64> = []
    for shard in 0..<Shards.count {
      for place in try places(shard, connection) { devices.formUnion(try stored.trail(place).devices) }
    }
    let tail = try connection.prepare("SELECT DISTINCT device FROM event WHERE seq > ?")
    let watermark = try Watermark.read(connection)
    return devices.union(try tail.rows(.integer(watermark)) { UInt64(bitPattern: $0.integer(0)) })
  }

  /// Devices of which a channel or a release is remembered, though they may have sent no event.
  static func askers(_ connection: borrowing Connection) throws(StoreError) -> [UInt64] {
    try connection.prepare("SELECT device FROM remembered_channel UNION SELECT device FROM remembered_release").rows {
      UInt64(bitPattern: $0.integer(0))
    }
  }

  /// Stretches of event numbers that hold all folded events of some devices, ascending.
  static func stretches(
    _ devices: Set<UInt64>, _ connection: borrowing Connection
  ) throws(StoreError) -> [(device: UInt64, numbers: ClosedRange<Int64>)] {
    let stored = try StoredShards(connection)
    var found: [(device: UInt64, numbers: ClosedRange<Int64>)] = []
    for (shard, members) in Dictionary(grouping: devices, by: Shards.shard).sorted(by: { $0.key < $1.key }) {
      for place in try places(shard, connection) {
        let trail = try stored.trail(place)
        for device in members { found += trail.blocks(of: device).map { (device, place.rows($0)) } }
      }
    }
    return found.sorted { $0.numbers.lowerBound < $1.numbers.lowerBound }
  }
}
