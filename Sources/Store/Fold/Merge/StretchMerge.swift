/// Merges sorted stretches into the shards, a shard in a transaction of its own.
///
/// Killed anywhere, the next one goes on with the next shard; questions take what is merged from the shards and the rest
/// from the stretches.
struct StretchMerge {
  let generation: Int64
  let watermark: Int64
  let merging: Merging
  let folded: FoldedShard

  /// What numbers in events stand for, read once for all shards: none of the events has a number that was given after they were sorted.
  struct Words {
    fileprivate let generation, through: Int64
    fileprivate let origins: Origins
    fileprivate let ranks: NameRanks
  }
}

extension Folder {
  /// How many sorted events wait to be merged.
  func sortedEvents() throws(StoreError) -> Int {
    try connection.snapshot { () throws(StoreError) in
      try SortedStretch.all(connection, after: try Watermark.read(connection)).reduce(0) { $0 + $1.events }
    }
  }

  func summarised(_ kind: SummaryKind) throws(StoreError) -> Int64? {
    try connection.snapshot { () throws(StoreError) in try SummarisedEnd.read(connection, kind) }
  }

  func lastSorted() throws(StoreError) -> Int64 {
    try connection.snapshot { () throws(StoreError) in try SortedStretch.end(connection) }
  }

  /// Says that all stretches there are now are to be merged, or those that are summarised where these are most of them, as a whole
  /// or else of the newest releases; unless that was begun before. False where there are none.
  func beginMerging() throws(StoreError) -> Bool {
    try connection.transaction { () throws(StoreError) in
      let watermark = try Watermark.read(connection)
      if try Merging.read(connection, after: watermark) != nil { return true }
      let stretches = try SortedStretch.all(connection, after: watermark)
      guard let last = stretches.last?.last else { return false }
      let ends = [try SummarisedEnd.read(connection, .whole), try SummarisedEnd.read(connection, .open)]
      let summarised = ends.compactMap(\.self).first { stretches.areMost(upTo: $0) }
      try Merging(through: summarised ?? last, shards: 0).write(connection)
      return true
    }
  }

  /// Whether a merge that has begun has shards to go.
  func shardsLeft() throws(StoreError) -> Bool {
    try connection.snapshot { () throws(StoreError) in
      let merging = try Merging.read(connection, after: try Watermark.read(connection))
      return merging.map { $0.shards < Shards.count } ?? false
    }
  }

  /// Reads and packs the next shard; nothing is written. nil where none is left.
  ///
  /// - Parameter words: of the shard before, nil for the first.
  func prepareMerging(
    _ limit: RecentLimit = RecentLimit(), words: inout StretchMerge.Words?
  ) throws(StoreError) -> StretchMerge? {
    try connection.snapshot { () throws(StoreError) in try Self.nextMerge(connection, limit, &words) }
  }

  private static func nextMerge(
    _ connection: borrowing Connection, _ limit: RecentLimit, _ words: inout StretchMerge.Words?
  ) throws(StoreError) -> StretchMerge? {
    let watermark = try Watermark.read(connection)
    guard let merging = try Merging.read(connection, after: watermark), merging.shards < Shards.count else {
      return nil
    }
    let rows = try SortedRows(connection)
    var (events, columns) = ([FoldEvent](), SortedColumns())
    let stretches = try SortedStretch.all(connection, after: watermark).filter { $0.last <= merging.through }
    for part in try rows.parts(stretches, merging.shards) {
      try columns.unpack(part, into: &events, path: connection.path)
    }
    let known = try Self.words(connection, merging, &words)
    var merge = ShardMerge(known.origins, known.ranks, ReadingTurn(), limit)
    let folded = try merge.merge(&events, shard: merging.shards, try StoredParts(connection))
    return StretchMerge(generation: known.generation, watermark: watermark, merging: merging, folded: folded)
  }

  /// Those of the shard before, unless numbers were taken back or other events are merged.
  private static func words(
    _ connection: borrowing Connection, _ merging: Merging, _ words: inout StretchMerge.Words?
  ) throws(StoreError) -> StretchMerge.Words {
    let generation = try Generation.read(connection)
    if let words, words.generation == generation, words.through == merging.through { return words }
    let fresh = StretchMerge.Words(
      generation: generation, through: merging.through, origins: try Origins(connection),
      ranks: try NameRanks(connection))
    words = fresh
    return fresh
  }

  /// One transaction. Where others have folded or forgotten meanwhile, what they did stands.
  func store(_ merge: StretchMerge) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      guard try Generation.read(connection) == merge.generation, try Watermark.read(connection) == merge.watermark,
        try Merging.read(connection, after: merge.watermark) == merge.merging
      else { return }
      try Self.write(merge, connection)
    }
  }

  private static func write(_ merge: StretchMerge, _ connection: borrowing Connection) throws(StoreError) {
    try FoldedParts(connection).write([merge.folded])
    try Merging(through: merge.merging.through, shards: merge.merging.shards + 1).write(connection)
  }

  /// Once all shards are merged: the watermark moves, and the stretches go.
  func endMerging() throws(StoreError) {
    // Read before: requests wait for a transaction.
    let (generation, pages) = try connection.snapshot { () throws(StoreError) in
      (try Generation.read(connection), try VocabularyPages.Fresh(connection))
    }
    try connection.transaction { () throws(StoreError) in
      try Self.end(connection)
      if try Generation.read(connection) == generation { try VocabularyPages(connection).write(pages) }
    }
  }

  private static func end(_ connection: borrowing Connection) throws(StoreError) {
    let watermark = try Watermark.read(connection)
    guard let merging = try Merging.read(connection, after: watermark), merging.shards == Shards.count else { return }
    for stretch in try SortedStretch.all(connection, after: watermark) where stretch.last <= merging.through {
      try StretchHead.read(stretch, connection).sightings.store(connection)
    }
    try Watermark.write(connection, merging.through)
    try Merging.end(connection)
    try SortedStretch.removeFolded(connection, upTo: merging.through)
  }

  /// Brings a merge that has begun to its end, within a transaction: for who is about to change shards by other means.
  static func finishMerging(_ connection: borrowing Connection) throws(StoreError) {
    var words: StretchMerge.Words?
    while let merge = try nextMerge(connection, RecentLimit(), &words) { try write(merge, connection) }
    try end(connection)
  }
}
