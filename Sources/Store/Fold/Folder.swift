import Lifecycle

/// Folds events into journeys and devices: reads what came after the watermark, merges it into the shards it touches, and
/// stores them with the new watermark in one transaction.
public struct Folder: ~Copyable {
  private let connection: Connection

  /// The database must be there: a fold never creates one.
  public init(path: String) throws(StoreError) {
    let connection = try Connection(path: path, mode: .write)
    try Schema.check(connection)
    try connection.execute(
      "PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -65536")
    self.connection = connection
  }

  /// Folds until nothing is left; answers how many events that were.
  @discardableResult
  public func foldAll(batch: Int = 500_000) throws(StoreError) -> Int {
    var total = 0
    while case let folded = try fold(limit: batch), folded > 0 { total += folded }
    return total
  }

  /// Folds up to `limit` events; answers how many there were.
  @discardableResult
  public func fold(limit: Int) throws(StoreError) -> Int {
    let watermark = try Watermark.read(connection)
    let tail = try connection.snapshot { () throws(StoreError) in
      try Tail(connection, after: watermark, limit: Int64(limit))
    }
    guard tail.last > watermark else { return 0 }
    let merged = try merge(tail.facts, NameRanks(connection))
    try connection.execute("BEGIN IMMEDIATE")
    do throws(StoreError) {
      // Another program may have folded the same events meanwhile; its work stands.
      if try Watermark.read(connection) == watermark {
        try store(merged)
        try tail.sightings.store(connection)
        try Watermark.write(connection, tail.last)
      }
      try connection.execute("COMMIT")
    } catch {
      try? connection.execute("ROLLBACK")
      throw error
    }
    return tail.count
  }

  private struct Merged {
    var journeys: [(JourneyPlace, JourneyShard)] = []
    var devices: [(DevicePlace, DeviceShard)] = []
    var wakes: [(WakePlace, WakeShard)] = []
    var trails: [(TrailPlace, TrailShard)] = []
  }

  private func merge(_ facts: Facts, _ ranks: NameRanks) throws(StoreError) -> Merged {
    let stored = try StoredShards(connection)
    var merged = Merged()
    for (place, list) in facts.journeys.sorted {
      merged.journeys.append((place, try stored.journeys(place).merging(list, rank: ranks.rank)))
    }
    for (place, list) in facts.devices.sorted {
      merged.devices.append((place, try stored.devices(place).merging(list)))
    }
    for (place, list) in facts.trails.sorted { merged.trails.append((place, try stored.trail(place).merging(list))) }
    for (place, list) in facts.wakes.sorted { merged.wakes.append((place, try stored.wakes(place).merging(list))) }
    return merged
  }

  private func store(_ merged: Merged) throws(StoreError) {
    let journey = try connection.prepare(
      "INSERT INTO journey VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO UPDATE SET packed = ?5")
    for (place, shard) in merged.journeys {
      for (part, bytes) in shard.packed {
        try journey.run(
          .integer(place.release), .integer(place.channel), .integer(Int64(place.shard)), .integer(part), .blob(bytes))
      }
    }
    let device = try connection.prepare(
      "INSERT INTO device VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET packed = ?4")
    for (place, shard) in merged.devices {
      for (part, bytes) in shard.packed {
        try device.run(.integer(place.app), .integer(Int64(place.shard)), .integer(part), .blob(bytes))
      }
    }
    try store(merged.wakes)
    try store(merged.trails)
  }
}

extension Folder {
  private func store(_ wakes: [(WakePlace, WakeShard)]) throws(StoreError) {
    let wake = try connection.prepare(
      "INSERT INTO wake VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO UPDATE SET packed = ?5")
    for (place, shard) in wakes {
      for (part, bytes) in shard.packed {
        try wake.run(
          .integer(place.app), .integer(Int64(place.shard)), .integer(place.week), .integer(part), .blob(bytes))
      }
    }
  }
}

extension Folder {
  private func store(_ trails: [(TrailPlace, TrailShard)]) throws(StoreError) {
    let trail = try connection.prepare(
      "INSERT INTO trail VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET packed = ?4")
    for (place, shard) in trails {
      for (part, bytes) in shard.packed {
        try trail.run(.integer(Int64(place.shard)), .integer(place.era), .integer(part), .blob(bytes))
      }
    }
  }
}

/// The number of the last event that is folded.
enum Watermark {
  static func read(_ connection: borrowing Connection) throws(StoreError) -> Int64 {
    try connection.integer("SELECT value FROM meta WHERE key = 'folded'")
  }

  static func write(_ connection: borrowing Connection, _ sequence: Int64) throws(StoreError) {
    try connection.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('folded', ?)").run(.integer(sequence))
  }
}
