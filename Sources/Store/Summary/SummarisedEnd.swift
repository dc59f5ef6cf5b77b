/// The last event that summaries of a kind know.
///
/// A question can tell what was known then from what is known now, as long as shards hold no later event, and it is the last one
/// of them or of a sorted stretch. So no new stretch takes in events before and after it, and a merge goes up to it.
enum SummarisedEnd {
  /// The newest; nil where there is no summary, or what was known then cannot be told any more.
  static func read(_ connection: borrowing Connection, _ kind: SummaryKind) throws(StoreError) -> Int64? {
    let select: StaticString =
      switch kind {
      case .whole: "SELECT DISTINCT folded FROM summary_state WHERE app > 0 ORDER BY 1 DESC"
      case .open: "SELECT DISTINCT folded FROM summary_state WHERE app < 0 ORDER BY 1 DESC"
      }
    let ends = try connection.prepare(select).rows { $0.integer(0) }
    for end in ends where try tells(connection, upTo: end) { return end }
    return nil
  }

  static func tells(_ connection: borrowing Connection, upTo last: Int64) throws(StoreError) -> Bool {
    let watermark = try Watermark.read(connection)
    let stretches = try SortedStretch.all(connection, after: watermark)
    return stretches.tell(upTo: last, watermark, try Merging.read(connection, after: watermark))
  }
}

extension [SortedStretch] {
  /// Shards hold no event after it, and it is the last of them or of a stretch.
  func tell(upTo last: Int64, _ watermark: Int64, _ merging: Merging?) -> Bool {
    if let merging, merging.shards > 0, last < merging.through { return false }
    return last == watermark || contains { $0.last == last }
  }

  /// Whether half of the events, or more, lie before the end of a stretch.
  func areMost(upTo last: Int64) -> Bool {
    func events(_ stretches: some Sequence<SortedStretch>) -> Int { stretches.reduce(0) { $0 + $1.events } }
    return events(lazy.filter { $0.last <= last }) * 2 >= events(self)
  }
}

extension WaitingEvents {
  /// Whether what was known up to an event can be told from what is known now.
  func tells(upTo last: Int64) -> Bool { stretches.tell(upTo: last, watermark, merging) }

  /// The number of the last event that is folded or sorted.
  var sorted: Int64 { stretches.last?.last ?? watermark }
}

extension Snapshot {
  /// An event that was the last sorted one before, where what was known at it can be told; else `lastSorted`.
  public func lastSorted(upTo earlier: Int64?) -> Int64? {
    guard isFile, let earlier, waiting.tells(upTo: earlier) else { return lastSorted }
    return earlier
  }
}

extension Snapshot {
  /// Takes in what came since, and tells what was known up to an event all the same: the log of a file grows as long as somebody reads
  /// from it, so that nothing is read until a long one began anew. Answers false where that cannot be told any more; then nothing can be
  /// read from it either.
  public mutating func renew(upTo last: Int64) throws(StoreError) -> Bool {
    try renew(upTo: last, longestLog: Connection.longestLog)
  }

  /// - Parameter pages: of a log that is not long.
  mutating func renew(upTo last: Int64, longestLog pages: Int) throws(StoreError) -> Bool {
    guard isFile else { return true }
    let generation = try generation()
    try connection.execute("COMMIT")
    try Connection(path: connection.path, mode: .write).awaitNewLog(&logPatience, longerThan: pages)
    var fresh = try Snapshot(path: connection.path)
    fresh.logPatience = logPatience
    guard fresh.waiting.tells(upTo: last), try fresh.generation() == generation else { return false }
    self = fresh
    return true
  }
}
