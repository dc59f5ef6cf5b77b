/// Writes what a fold changed in packed shards.
struct FoldedParts: ~Copyable {
  private let journey, device, wake, trail, noDevicePart: Statement

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
    self.journey = journey
    self.device = device
    self.wake = wake
    self.trail = trail
    self.noDevicePart = noDevicePart
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
        try device.run(place.app, Int64(place.shard), part, bytes: bytes)
      }
    }
  }
}
