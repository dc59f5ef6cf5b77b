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
    guard let step = try read(limit: limit) else { return nil }
    return try merge(step, cores: cores)
  }

  /// The events of one step; nil where there is none.
  ///
  /// - Parameters:
  ///   - watermark: where the step before ends, which may not be stored yet; nil where all are.
  ///   - origins: of these events, where they were read before.
  func read(after watermark: Int64? = nil, limit: Int, origins: Origins? = nil) throws(StoreError) -> FoldStep? {
    // One moment: another program may fold and take events out between two readings.
    let step = try connection.snapshot { () throws(StoreError) in
      let (generation, folded) = (try Generation.read(connection), try Watermark.read(connection))
      let from = watermark ?? folded
      // What another program has folded meanwhile it may have taken out; storing sees that this step is of no use.
      try Removed.requireNone(after: max(from, folded), connection)
      let tail = try Tail(connection, after: from, limit: Int64(limit), known: origins)
      return FoldStep(generation: generation, from: from, to: tail.last, origins: tail.origins, tails: [tail])
    }
    return step.to > step.from ? step : nil
  }

  /// Of all events there are.
  func origins() throws(StoreError) -> (generation: Int64, all: Origins) {
    try connection.snapshot { () throws(StoreError) in (try Generation.read(connection), try Origins(connection)) }
  }

  /// Merges what the step before has stored already.
  func merge(_ step: consuming FoldStep, cores: Int) throws(StoreError) -> Folded {
    let pages = try connection.snapshot { () throws(StoreError) in try VocabularyPages.Fresh(connection) }
    let (count, sightings) = (step.tails.reduce(0) { $0 + $1.count }, step.tails.map(\.sightings))
    let shards = try merge(step.takeLists(), step.origins, cores)
    return Folded(
      generation: step.generation, from: step.from, to: step.to, count: count, sightings: sightings, pages: pages,
      shards: shards)
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
      for sightings in folded.sightings { try sightings.store(connection) }
      try VocabularyPages(connection).write(folded.pages)
      try Watermark.write(connection, folded.to)
      try SortedStretch.removeFolded(connection, upTo: folded.to)
    }
  }

  /// - Parameter lists: held by nobody else, so that each shard's go as they are merged.
  private func merge(
    _ lists: consuming [FoldStep.ShardLists], _ origins: Origins, _ cores: Int
  ) throws(StoreError) -> [FoldedShard] {
    let stored = try StoredParts(connection)
    let (ranks, turn) = (try NameRanks(connection), ReadingTurn())
    let next = Atomic(0)
    var outcomes = lists.map { _ in Result<FoldedShard, StoreError>.success(FoldedShard()) }
    lists.withUnsafeMutableBufferPointer { lists in
      outcomes.withUnsafeMutableBufferPointer { outcomes in
        sideBySide(cores) { _ in
          var merge = ShardMerge(origins, ranks, turn, nil)
          while case let shard = next.wrappingAdd(1, ordering: .relaxed).oldValue, shard < lists.count {
            var events = lists[shard].take()
            guard !events.isEmpty else { continue }
            outcomes[shard] = Result { () throws(StoreError) in try merge.merge(&events, shard: shard, stored) }
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
  let sightings: [Sightings]
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
