/// Reads packed shards back from the database.
struct StoredShards: ~Copyable {
  private let journeyParts: Statement
  private let devicePart: Statement
  private let wakePart: Statement
  private let trailPart: Statement

  init(_ connection: borrowing Connection) throws(StoreError) {
    let journeyParts = try connection.prepare(
      "SELECT part, packed FROM journey WHERE release = ? AND channel = ? AND shard = ?")
    let devicePart = try connection.prepare("SELECT packed FROM device WHERE app = ? AND shard = ? AND part = ?")
    let wakePart = try connection.prepare(
      "SELECT packed FROM wake WHERE app = ? AND shard = ? AND week = ? AND part = ?")
    let trailPart = try connection.prepare("SELECT packed FROM trail WHERE shard = ? AND era = ? AND part = ?")
    self.journeyParts = journeyParts
    self.devicePart = devicePart
    self.wakePart = wakePart
    self.trailPart = trailPart
  }

  /// Empty where there is none.
  func journeys(_ place: JourneyPlace) throws(StoreError) -> JourneyShard {
    var shard = JourneyShard()
    _ = try journeyParts.rows(.integer(place.release), .integer(place.channel), .integer(Int64(place.shard))) { row in
      row.withBlob(1) { shard.unpack(part: row.integer(0), $0) }
    }
    return shard
  }

  func devices(_ place: DevicePlace) throws(StoreError) -> DeviceShard {
    try DeviceShard { part, body throws(StoreError) in
      _ = try devicePart.rows(.integer(place.app), .integer(Int64(place.shard)), .integer(part)) { row in
        row.withBlob(0, body)
      }
    }
  }

  func trail(_ place: TrailPlace) throws(StoreError) -> TrailShard {
    try TrailShard { part, body throws(StoreError) in
      _ = try trailPart.rows(.integer(Int64(place.shard)), .integer(place.era), .integer(part)) { row in
        row.withBlob(0, body)
      }
    }
  }

  func wakes(_ place: WakePlace) throws(StoreError) -> WakeShard {
    try WakeShard { part, body throws(StoreError) in
      _ = try wakePart.rows(.integer(place.app), .integer(Int64(place.shard)), .integer(place.week), .integer(part)) {
        row in row.withBlob(0, body)
      }
    }
  }
}
