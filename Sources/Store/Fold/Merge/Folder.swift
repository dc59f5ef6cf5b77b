import Synchronization

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
      "PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -8192")
    self.connection = connection
  }

  /// As many events as a step takes where that many wait.
  ///
  /// Those of a large fleet touch every shard, so that the longer the step, the less is packed and written for each of
  /// them; until it ends they are in memory, at 48 bytes each.
  public static let longestStep = 2_000_000

  /// Folds until nothing is left, on all cores; answers how many events that were.
  @discardableResult
  public func foldAll(batch: Int = longestStep) throws(StoreError) -> Int {
    var total = 0
    while try watermark() < newest() { total += try fold(limit: batch) }
    return total
  }

  /// Folds the events among the next `limit` numbers, on all cores; answers how many there were.
  @discardableResult
  public func fold(limit: Int) throws(StoreError) -> Int {
    guard let folded = try prepare(limit: limit, cores: coreCount) else { return 0 }
    try store(folded)
    return folded.count
  }

  /// The number of the newest event, and of the last one that is folded.
  func newest() throws(StoreError) -> Int64 { try EventSequence.newest(connection) }
  func watermark() throws(StoreError) -> Int64 { try Watermark.read(connection) }

  /// Reads, merges and packs; nothing is written and no lock is held. nil where there is nothing to fold.
  ///
  /// - Parameter cores: how many shards are merged at once.
  func prepare(limit: Int, cores: Int) throws(StoreError) -> Folded? {
    // One moment: another program may fold and take events out between two readings.
    let (generation, watermark, found, pages) = try connection.snapshot { () throws(StoreError) in
      let (generation, watermark) = (try Generation.read(connection), try Watermark.read(connection))
      try Removed.requireNone(after: watermark, connection)
      let pages = try VocabularyPages.Fresh(connection)
      return (generation, watermark, try Tail(connection, after: watermark, limit: Int64(limit)), pages)
    }
    var tail = found
    guard tail.last > watermark else { return nil }
    return Folded(
      generation: generation, from: watermark, to: tail.last, count: tail.count, sightings: tail.sightings,
      pages: pages, shards: try merge(&tail, cores))
  }

  /// One transaction. Where another program has folded the same events meanwhile, its work stands; where one has
  /// forgotten devices, what was read before is worth nothing.
  func store(_ folded: Folded) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      guard try Watermark.read(connection) == folded.from, try Generation.read(connection) == folded.generation
      else { return }
      // Shards that hold more than others come first; what was read before is worth nothing then.
      if try Merging.read(connection, after: folded.from) != nil { return try Self.finishMerging(connection) }
      try FoldedParts(connection).write(folded.shards)
      try folded.sightings.store(connection)
      try VocabularyPages(connection).write(folded.pages)
      try Watermark.write(connection, folded.to)
      try SortedStretch.removeFolded(connection, upTo: folded.to)
    }
  }

  private func merge(_ tail: inout Tail, _ cores: Int) throws(StoreError) -> [FoldedShard] {
    let stored = try StoredParts(connection)
    let (ranks, origins, turn) = (try NameRanks(connection), tail.origins, ReadingTurn())
    let next = Atomic(0)
    var outcomes = tail.shards.map { _ in Result<FoldedShard, StoreError>.success(FoldedShard()) }
    tail.shards.withUnsafeMutableBufferPointer { events in
      outcomes.withUnsafeMutableBufferPointer { outcomes in
        sideBySide(cores) { _ in
          var merge = ShardMerge(origins, ranks, turn, nil)
          while case let shard = next.wrappingAdd(1, ordering: .relaxed).oldValue, shard < events.count {
            guard !events[shard].isEmpty else { continue }
            outcomes[shard] = Result { () throws(StoreError) in try merge.merge(&events[shard], shard: shard, stored) }
          }
        }
      }
    }
    var shards: [FoldedShard] = []
    for outcome in outcomes { shards.append(try outcome.get()) }
    return shards
  }
}

/// What a fold is about to store.
struct Folded {
  let generation: Int64
  /// The watermark before and after.
  let from, to: Int64
  let count: Int
  let sightings: Sightings
  let pages: VocabularyPages.Fresh
  let shards: [FoldedShard]
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
