/// Events of a stretch of numbers, sorted by device and stored beside the shards until they are merged into these.
///
/// They are copies: the events stay in the event table as long as they are not folded, and where a stretch is missing they
/// are read from there. So whoever takes events back only has to drop them.
struct SortedStretch: Equatable {
  var first: Int64
  var last: Int64
  var events: Int
}

extension SortedStretch {
  /// Those that follow the watermark without a gap, in order. Others are of no use.
  static func all(_ connection: borrowing Connection, after watermark: Int64) throws(StoreError) -> [SortedStretch] {
    let rows = try connection.prepare("SELECT first, last, events FROM sorted_stretch ORDER BY first")
    var (stretches, last): ([SortedStretch], Int64) = ([], watermark)
    while try rows.step() {
      let stretch = SortedStretch(first: rows.integer(0), last: rows.integer(1), events: Int(rows.integer(2)))
      if stretch.first <= last, stretch.last <= watermark { continue }
      guard stretch.first == last + 1, stretch.last >= stretch.first else { break }
      stretches.append(stretch)
      last = stretch.last
    }
    return stretches
  }

  /// The number of the last event that is folded or sorted.
  static func end(_ connection: borrowing Connection) throws(StoreError) -> Int64 {
    let watermark = try Watermark.read(connection)
    return try all(connection, after: watermark).last?.last ?? watermark
  }

  /// Those whose events are folded, and those that a fold cut in two or that follow one of these.
  static func removeFolded(_ connection: borrowing Connection, upTo watermark: Int64) throws(StoreError) {
    let kept = try all(connection, after: watermark)
    guard let first = kept.first?.first else { return try removeAll(connection) }
    for table in ["DELETE FROM sorted_event WHERE first < ?", "DELETE FROM sorted_stretch WHERE first < ?"]
      as [StaticString]
    {
      try connection.prepare(table).run(.integer(first))
    }
  }

  static func removeAll(_ connection: borrowing Connection) throws(StoreError) {
    try connection.execute("DELETE FROM sorted_event; DELETE FROM sorted_stretch")
  }
}

extension [SortedStretch] {
  /// How many of the last stretches a new one takes in, so that few are left and none is written often: eight of about
  /// the same size become one.
  func taken(by events: Int) -> Int {
    var (taken, total) = (0, events)
    while true {
      let alike = dropLast(taken).reversed().prefix { $0.level <= Self.level(total) }.count
      guard alike >= Self.fanOut - 1 else { return taken }
      total += self[(count - taken - alike)..<(count - taken)].reduce(0) { $0 + $1.events }
      taken += alike
    }
  }

  private static var fanOut: Int { 8 }

  fileprivate static func level(_ events: Int) -> Int {
    Swift.max(0, (Int.bitWidth - (events >> 10).leadingZeroBitCount + 2) / 3)
  }
}

extension SortedStretch {
  fileprivate var level: Int { [Self].level(events) }
}
