/// Writes what a fold changed in packed shards.
struct FoldedParts: ~Copyable {
  private let journey, device, wake, trail, noDevicePart, noFurther: Statement

  init(_ connection: borrowing Connection) throws(StoreError) {
    let journey = try connection.prepare(
      "INSERT INTO journey VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO UPDATE SET packed = ?5")
    let device = try connection.prepare(
      "INSERT INTO device VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET packed = ?4")
    let wake = try connection.prepare(
      "INSERT INTO wake VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO UPDATE SET packed = ?5")
    let trail = try connection.prepare(
      "INSERT INTO trail VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET packed = ?4")
    let noDevicePart = try connection.prepare("DELETE FROM device WHERE app = ? AND shard = ? AND part = ?")
    let noFurther = try connection.prepare("DELETE FROM device WHERE app = ? AND shard = ? AND part BETWEEN ? AND ?")
    self.journey = journey
    self.device = device
    self.wake = wake
    self.trail = trail
    self.noDevicePart = noDevicePart
    self.noFurther = noFurther
  }

  func write(_ shards: [FoldedShard]) throws(StoreError) {
    for shard in shards {
      for (place, parts) in shard.journeys {
        for (part, bytes) in parts {
          try journey.run(place.release, place.channel, Int64(place.shard), part, bytes: bytes)
        }
      }
      for (place, parts) in shard.devices { try write(parts, of: place) }
    }
    for shard in shards {
      for (place, parts) in shard.wakes {
        for (part, bytes) in parts { try wake.run(place.app, Int64(place.shard), place.week, part, bytes: bytes) }
      }
      for (place, parts) in shard.trails {
        for (part, bytes) in parts { try trail.run(Int64(place.shard), place.era, part, bytes: bytes) }
      }
    }
  }

  private func write(_ parts: FoldedShard.Parts, of place: DevicePlace) throws(StoreError) {
    for (part, bytes) in parts {
      if bytes.isEmpty {
        try noDevicePart.run(.integer(place.app), .integer(Int64(place.shard)), .integer(part))
      } else {
        try write(ColumnPieces.rows(part, bytes), of: part, place)
      }
    }
  }

  /// In place of all rows that the part had.
  private func write(_ rows: FoldedShard.Parts, of part: Int64, _ place: DevicePlace) throws(StoreError) {
    for (number, bytes) in rows { try device.run(place.app, Int64(place.shard), number, bytes: bytes) }
    guard ColumnPieces.parts.contains(part) else { return }
    let rest = ColumnPieces.numbers(from: rows.count, of: part)
    try noFurther.run(
      .integer(place.app), .integer(Int64(place.shard)), .integer(rest.lowerBound), .integer(rest.upperBound))
  }
}
