import Glibc

/// What is done with events beside the appends: only storing the outcome keeps these waiting.
extension EventLog {
  /// Folds up to `limit` events beside the appends: only storing the outcome keeps them waiting.
  @discardableResult
  public func fold(limit: Int = Folder.longestStep) throws(StoreError) -> Int {
    try fold(limit: limit, cores: 1, with: Folder(path: path))
  }

  /// Folds everything that is stored now, and no more: others may go on storing without end. Answers how many events.
  ///
  /// - Parameter isAlone: whether it may take all cores, because nobody else waits for them.
  @discardableResult
  public func foldAll(batch: Int = Folder.longestStep, isAlone: Bool = false) throws(StoreError) -> Int {
    let folder = try Folder(path: path)
    let newest = try folder.newest()
    if isAlone { return try foldAlone(batch, upTo: newest, folder) }
    var total = 0
    while try folder.watermark() < newest { total += try fold(limit: batch, cores: 1, with: folder) }
    return total
  }

  /// On all cores: what a step has merged is stored while the events of the next one are read.
  private func foldAlone(_ batch: Int, upTo newest: Int64, _ folder: borrowing Folder) throws(StoreError) -> Int {
    func end(after watermark: Int64) -> Int64 { watermark + min(Int64(batch), newest - watermark) }
    var (total, watermark, ahead) = (0, try folder.watermark(), FoldStep?.none)
    while watermark < newest {
      // What was read is held nowhere else, so that each shard's events go as they are merged.
      let step =
        if let read = ahead.take() { read } else {
          try FoldStep.read(path, after: watermark, upTo: end(after: watermark))
        }
      let folded = try folder.merge(step, cores: coreCount)
      ahead = try store(folded, folder, reading: end(after: folded.to))
      watermark = try folder.watermark()
      // Where another program folded the same meanwhile, or forgot devices, neither counts.
      if watermark == folded.to { total += folded.count } else { ahead = nil }
    }
    return total
  }

  /// - Parameter last: where the next step ends.
  private func store(
    _ folded: Folded, _ folder: borrowing Folder, reading last: Int64
  ) throws(StoreError) -> FoldStep? {
    func store() throws(StoreError) { try exclusively { () throws(StoreError) in try folder.store(folded) } }
    if last == folded.to {
      try store()
      return nil
    }
    var stored = Result<Void, StoreError>.success(())
    let read = Result { () throws(StoreError) in
      try FoldStep.read(path, after: folded.to, upTo: last) {
        stored = Result { () throws(StoreError) in try store() }
      }
    }
    try stored.get()
    // At the commit somebody was reading, so that the log could not begin anew.
    try folder.connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
    return try read.get()
  }

  private func fold(limit: Int, cores: Int, with folder: borrowing Folder) throws(StoreError) -> Int {
    guard let folded = try folder.prepare(limit: limit, cores: cores) else { return 0 }
    // SQLite's own lock is won by asking again and again, which a busy writer rarely leaves time for.
    try exclusively { () throws(StoreError) in try folder.store(folded) }
    return folded.count
  }

  /// Sorts everything that is stored now by device, beside the shards: what questions then add to these costs little, and
  /// little is written. Answers how many events were sorted that had not been.
  ///
  /// - Parameter kept: stretches that end here are taken in by none, so that a summary that is being made knows what can be told.
  @discardableResult
  public func sort(atOnce limit: Int = 500_000, keeping kept: [ClosedRange<Int64>] = []) throws(StoreError) -> Int {
    let folder = try Folder(path: path)
    let newest = try folder.newest()
    var total = 0
    while let sorting = try folder.prepareSorting(limit: limit, keeping: kept) {
      // What others changed meanwhile is seen the next time.
      guard try store(sorting, folder) else { continue }
      total += sorting.fresh
      if sorting.stretch.last >= newest { break }
    }
    while let joining = try folder.prepareJoining(keeping: kept), try store(joining, folder) {}
    return total
  }

  private func store(_ sorting: Sorting, _ folder: borrowing Folder) throws(StoreError) -> Bool {
    try exclusively { () throws(StoreError) in try folder.store(sorting) }
  }

  /// About how many bytes a merge of events of many devices writes: all columns of devices but their settled runs, which
  /// only small shards write with them. Of pieces the index tells how many there are; none is read.
  public func expectedMergeBytes() throws(StoreError) -> Int {
    let connection = try Connection(path: path, mode: .read)
    let first = try connection.integer(
      """
      SELECT sum(length(packed)) FROM device
        WHERE rowid IN (SELECT rowid FROM device WHERE part < 1 << 20 AND part NOT IN (2, 4, 5))
      """)
    let further = try connection.integer("SELECT count(*) FROM device WHERE part >> 20 NOT IN (0, 3, 5, 6)")
    return Int(first) + Int(further) * ColumnPieces.length
  }

  /// Brings everything that is stored now into the shards, a shard at a time beside the appends.
  public func settle() throws(StoreError) {
    try sort()
    // One that had begun before took only what there was then, and the next two perhaps only what is summarised.
    for _ in 0..<4 { try merge() }
  }

  /// How many events are sorted, and not merged into the shards.
  public func sortedEvents() throws(StoreError) -> Int { try Folder(path: path).sortedEvents() }

  /// The last event that summaries of a kind know; nil where questions cannot make use of them while other events wait.
  public func summarised(_ kind: SummaryKind = .whole) throws(StoreError) -> Int64? {
    try Folder(path: path).summarised(kind)
  }

  /// The number of the last event that is folded or sorted.
  public func lastSorted() throws(StoreError) -> Int64 { try Folder(path: path).lastSorted() }

  /// Merges what is sorted into the shards, a shard at a time beside the appends.
  ///
  /// - Parameters:
  ///   - goesOn: asked before each shard; where it says no, the next merge goes on from there.
  ///   - note: told how many bytes were written, shard by shard.
  /// - Returns: whether it is done.
  @discardableResult
  public func merge(
    while goesOn: () -> Bool = { true }, _ note: (_ bytes: Int) -> Void = { _ in }
  ) throws(StoreError) -> Bool {
    try merge(RecentLimit(), while: goesOn, note)
  }

  @discardableResult
  func merge(
    _ limit: RecentLimit, while goesOn: () -> Bool = { true }, _ note: (_ bytes: Int) -> Void = { _ in }
  ) throws(StoreError) -> Bool {
    let folder = try Folder(path: path)
    guard try folder.beginMerging() else { return true }
    var words: StretchMerge.Words?
    while try folder.shardsLeft() {
      guard goesOn() else { return false }
      guard let merge = try folder.prepareMerging(limit, words: &words) else { break }
      try exclusively { () throws(StoreError) in try folder.store(merge) }
      note(merge.folded.bytes)
      var patience = LogPatience()
      try folder.connection.keepLogShort(&patience, while: goesOn) { connection throws(StoreError) in
        try exclusively { () throws(StoreError) in try connection.beginLogAnew() }
      }
    }
    try exclusively { () throws(StoreError) in try folder.endMerging() }
    return true
  }
}
