import Lifecycle

/// Folds events into journeys and devices: reads what came after the watermark, merges it into the shards it touches, and
/// stores them with the new watermark in one transaction.
public struct Folder: ~Copyable {
  let connection: Connection

  init(_ connection: consuming Connection) { self.connection = connection }

  /// The database must be there: a fold never creates one.
  public init(path: String) throws(StoreError) {
    let connection = try Connection(path: path, mode: .write)
    try Schema.requireCurrent(connection)
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
    guard let folded = try prepare(limit: limit) else { return 0 }
    try store(folded)
    return folded.count
  }

  /// The number of the newest event, and of the last one that is folded.
  func newest() throws(StoreError) -> Int64 { try EventSequence.newest(connection) }
  func watermark() throws(StoreError) -> Int64 { try Watermark.read(connection) }

  /// Reads, merges and packs; nothing is written and no lock is held. nil where there is nothing to fold.
  func prepare(limit: Int) throws(StoreError) -> Folded? {
    let generation = try Generation.read(connection)
    let watermark = try Watermark.read(connection)
    try Removed.requireNone(after: watermark, connection)
    let tail = try connection.snapshot { () throws(StoreError) in
      try Tail(connection, after: watermark, limit: Int64(limit))
    }
    guard tail.last > watermark else { return nil }
    var folded = Folded(
      generation: generation, from: watermark, to: tail.last, count: tail.count, sightings: tail.sightings)
    try merge(tail.facts, NameRanks(connection), into: &folded)
    return folded
  }

  /// One transaction. Where another program has folded the same events meanwhile, its work stands; where one has
  /// forgotten devices, what was read before is worth nothing.
  func store(_ folded: Folded) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      guard try Watermark.read(connection) == folded.from, try Generation.read(connection) == folded.generation
      else { return }
      try write(folded)
      try folded.sightings.store(connection)
      try Watermark.write(connection, folded.to)
    }
  }
}

/// What a fold is about to store: shards with new facts in them, packed.
struct Folded {
  typealias Parts = [(part: Int64, bytes: [UInt8])]
  let generation: Int64
  /// The watermark before and after.
  let from, to: Int64
  let count: Int
  let sightings: Sightings
  fileprivate(set) var journeys: [(JourneyPlace, Parts)] = []
  fileprivate(set) var devices: [(DevicePlace, Parts)] = []
  fileprivate(set) var wakes: [(WakePlace, Parts)] = []
  fileprivate(set) var trails: [(TrailPlace, Parts)] = []

  fileprivate init(generation: Int64, from: Int64, to: Int64, count: Int, sightings: Sightings) {
    self.generation = generation
    self.from = from
    self.to = to
    self.count = count
    self.sightings = sightings
  }
}

extension Folder {
  private func merge(_ facts: Facts, _ ranks: NameRanks, into folded: inout Folded) throws(StoreError) {
    let stored = try StoredShards(connection)
    for (place, list) in facts.journeys.sorted {
      folded.journeys.append((place, try stored.journeys(place).merging(list, rank: ranks.rank).packed))
    }
    for (place, list) in facts.devices.sorted {
      folded.devices.append((place, try stored.devices(place).merging(list).packed))
    }
    for (place, list) in facts.trails.sorted {
      folded.trails.append((place, try stored.trail(place).merging(list).packed))
    }
    for (place, list) in facts.wakes.sorted {
      folded.wakes.append((place, try stored.wakes(place).merging(list).packed))
    }
  }

  private func write(_ folded: Folded) throws(StoreError) {
    let journey = try connection.prepare(
      "INSERT INTO journey VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO UPDATE SET packed = ?5")
    for (place, parts) in folded.journeys {
      for (part, bytes) in parts {
        try journey.run(
          .integer(place.release), .integer(place.channel), .integer(Int64(place.shard)), .integer(part), .blob(bytes))
      }
    }
    let device = try connection.prepare(
      "INSERT INTO device VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET packed = ?4")
    for (place, parts) in folded.devices {
      for (part, bytes) in parts {
        try device.run(.integer(place.app), .integer(Int64(place.shard)), .integer(part), .blob(bytes))
      }
    }
    try write(folded.wakes)
    try write(folded.trails)
  }

  private func write(_ wakes: [(WakePlace, Folded.Parts)]) throws(StoreError) {
    let wake = try connection.prepare(
      "INSERT INTO wake VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO UPDATE SET packed = ?5")
    for (place, parts) in wakes {
      for (part, bytes) in parts {
        try wake.run(
          .integer(place.app), .integer(Int64(place.shard)), .integer(place.week), .integer(part), .blob(bytes))
      }
    }
  }

  private func write(_ trails: [(TrailPlace, Folded.Parts)]) throws(StoreError) {
    let trail = try connection.prepare(
      "INSERT INTO trail VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET packed = ?4")
    for (place, parts) in trails {
      for (part, bytes) in parts {
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
