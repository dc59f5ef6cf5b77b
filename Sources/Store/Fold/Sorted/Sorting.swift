import Synchronization

/// The events after the sorted ones, sorted: a new stretch, which takes in some of the last ones.
struct Sorting {
  let generation: Int64
  let watermark: Int64
  /// No stretch goes beyond it.
  let summarised: Int64?
  /// As they were found; the last `taken` of them are in the new one.
  let stretches: [SortedStretch]
  let taken: Int
  let stretch: SortedStretch
  /// How many of the events were not sorted before.
  let fresh: Int
  let head: StretchHead
  /// By shard; nil where it has none.
  let packed: [[UInt8]?]
}

extension Folder {
  /// Reads and sorts; nothing is written and no lock is held. nil where there is nothing to sort.
  func prepareSorting(limit: Int) throws(StoreError) -> Sorting? {
    let (generation, watermark, stretches, tail) = try connection.snapshot { () throws(StoreError) in
      let (generation, watermark) = (try Generation.read(connection), try Watermark.read(connection))
      try Removed.requireNone(after: watermark, connection)
      let stretches = try SortedStretch.all(connection, after: watermark)
      let last = stretches.last?.last ?? watermark
      return (generation, watermark, stretches, try Tail(connection, after: last, limit: Int64(limit)))
    }
    let end = stretches.last?.last ?? watermark
    guard tail.last > end else { return nil }
    return try sorting(tail, generation, watermark, stretches, after: end)
  }

  private func sorting(
    _ tail: Tail, _ generation: Int64, _ watermark: Int64, _ stretches: [SortedStretch], after end: Int64
  ) throws(StoreError) -> Sorting {
    let (merging, summarised) = (try Merging.read(connection, after: watermark), try SummarisedEnd.read(connection))
    // Those that are being merged stay as they are, and those that are summarised.
    let free = stretches.filter { $0.last > max(merging?.through ?? watermark, summarised ?? watermark) }
    let taken = free.taken(by: tail.count)
    let old = Array(stretches.suffix(taken))
    var head = StretchHead(tail.sightings)
    for events in tail.shards {
      for event in events { if let origin = tail.origins.origin(event.context) { head.places.add(event, origin) } }
    }
    for stretch in old { head.add(try StretchHead.read(stretch, connection)) }
    return Sorting(
      generation: generation, watermark: watermark, summarised: summarised, stretches: stretches, taken: taken,
      stretch: SortedStretch(
        first: old.first?.first ?? end + 1, last: tail.last, events: old.reduce(tail.count) { $0 + $1.events }),
      fresh: tail.count, head: head, packed: try pack(tail, old))
  }

  private func pack(_ tail: Tail, _ old: [SortedStretch]) throws(StoreError) -> [[UInt8]?] {
    let rows = try SortedRows(connection)
    var (sort, columns, packed) = (DeviceSort(), SortedColumns(), [[UInt8]?]())
    for shard in 0..<Shards.count {
      var events: [FoldEvent] = []
      for stretch in old {
        guard let bytes = try rows.bytes(stretch, shard) else { continue }
        guard bytes.withUnsafeBytes({ columns.unpack($0, into: &events) }) else {
          throw SortedRows.damage(connection.path, "first \(stretch.first), shard \(shard)")
        }
      }
      events += tail.shards[shard]
      sort.sort(&events)
      packed.append(events.isEmpty ? nil : SortedColumns.pack(events))
    }
    return packed
  }

  /// One transaction. Where others have folded, sorted or forgotten meanwhile, what they did stands.
  ///
  /// - Returns: how many events are sorted that were not before.
  @discardableResult
  func store(_ sorting: Sorting) throws(StoreError) -> Int {
    try connection.transaction { () throws(StoreError) in
      guard try Generation.read(connection) == sorting.generation,
        try Watermark.read(connection) == sorting.watermark,
        try SummarisedEnd.read(connection) == sorting.summarised,
        try SortedStretch.all(connection, after: sorting.watermark) == sorting.stretches
      else { return 0 }
      try remove(from: sorting.stretch.first)
      let stretch = sorting.stretch
      try connection.prepare("INSERT INTO sorted_stretch VALUES (?, ?, ?, ?)").run(
        .integer(stretch.first), .integer(stretch.last), .integer(Int64(stretch.events)), .blob(sorting.head.packed))
      let insert = try connection.prepare("INSERT INTO sorted_event VALUES (?1, ?2, ?3)")
      for (shard, bytes) in sorting.packed.enumerated() {
        if let bytes { try insert.run(stretch.first, Int64(shard), bytes: bytes) }
      }
      return sorting.fresh
    }
  }

  /// Also rows that followed no watermark, and were of no use.
  private func remove(from first: Int64) throws(StoreError) {
    try connection.prepare("DELETE FROM sorted_event WHERE first >= ?").run(.integer(first))
    try connection.prepare("DELETE FROM sorted_stretch WHERE first >= ?").run(.integer(first))
  }
}
