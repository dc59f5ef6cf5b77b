/// A new stretch: of others that stand beside each other, and of the events after the sorted ones where it is the last.
struct Sorting {
  let found: SortedState
  /// Which of the stretches are in the new one.
  let taken: Range<Int>
  let stretch: SortedStretch
  /// How many of the events were not sorted before.
  let fresh: Int
  let head: StretchHead
  /// By shard; nil where it has none.
  let packed: [[UInt8]?]
}

extension Folder {
  /// Reads and sorts; nothing is written and no lock is held. nil where there is nothing to sort.
  ///
  /// - Parameter kept: where stretches that end here are taken in by none.
  func prepareSorting(limit: Int, keeping kept: [ClosedRange<Int64>] = []) throws(StoreError) -> Sorting? {
    let (found, tail) = try connection.snapshot { () throws(StoreError) in
      let found = try SortedState(connection, keeping: kept)
      try Removed.requireNone(after: found.watermark, connection)
      return (found, try Tail(connection, after: found.end, limit: Int64(limit)))
    }
    guard tail.last > found.end else { return nil }
    let taken = found.taken(by: tail.count)
    return try sorting(found, found.stretches.suffix(taken).indices, tail)
  }

  /// The same of what is sorted only, where so much has added up between two ends that it is worth to make one stretch of it.
  func prepareJoining(keeping kept: [ClosedRange<Int64>] = []) throws(StoreError) -> Sorting? {
    let found = try connection.snapshot { () throws(StoreError) in try SortedState(connection, keeping: kept) }
    guard let joinable = found.joinable else { return nil }
    return try sorting(found, joinable, nil)
  }

  private func sorting(_ found: SortedState, _ taken: Range<Int>, _ tail: Tail?) throws(StoreError) -> Sorting {
    let old = Array(found.stretches[taken])
    var head = StretchHead(try Sightings(connection))
    if let tail { head.add(tail) }
    for stretch in old { head.add(try StretchHead.read(stretch, connection)) }
    let fresh = tail?.count ?? 0
    return Sorting(
      found: found, taken: taken,
      stretch: SortedStretch(
        first: old.first?.first ?? found.end + 1, last: tail?.last ?? old.last?.last ?? found.end,
        events: old.reduce(fresh) { $0 + $1.events }),
      fresh: fresh, head: head, packed: try pack(tail, old))
  }

  private func pack(_ tail: Tail?, _ old: [SortedStretch]) throws(StoreError) -> [[UInt8]?] {
    let rows = try SortedRows(connection)
    var (sort, columns, packed) = (DeviceSort(), SortedColumns(), [[UInt8]?]())
    for shard in 0..<Shards.count {
      var events: [FoldEvent] = []
      let parts = try connection.snapshot { () throws(StoreError) in try rows.parts(old, shard) }
      for part in parts { try columns.unpack(part, into: &events, path: connection.path) }
      if let tail { events += tail.shards[shard] }
      sort.sort(&events)
      packed.append(events.isEmpty ? nil : SortedColumns.pack(events))
    }
    return packed
  }

  /// One transaction. Where others have folded, sorted, merged, summarised or forgotten meanwhile, what they did stands.
  ///
  /// - Returns: whether it was stored.
  func store(_ sorting: Sorting) throws(StoreError) -> Bool {
    try connection.transaction { () throws(StoreError) in
      guard try SortedState(connection, keeping: sorting.found.kept) == sorting.found else { return false }
      let stretch = sorting.stretch
      // After the last one there may be rows that followed no watermark, and were of no use.
      let isLast = sorting.taken.upperBound == sorting.found.stretches.count
      try remove(from: stretch.first, to: isLast ? .max : stretch.last)
      try connection.prepare("INSERT INTO sorted_stretch VALUES (?, ?, ?, ?)").run(
        .integer(stretch.first), .integer(stretch.last), .integer(Int64(stretch.events)), .blob(sorting.head.packed))
      let insert = try connection.prepare("INSERT INTO sorted_event VALUES (?1, ?2, ?3)")
      for (shard, bytes) in sorting.packed.enumerated() {
        if let bytes { try insert.run(stretch.first, Int64(shard), bytes: bytes) }
      }
      return true
    }
  }

  private func remove(from first: Int64, to last: Int64) throws(StoreError) {
    for table in [
      "DELETE FROM sorted_event WHERE first BETWEEN ? AND ?", "DELETE FROM sorted_stretch WHERE first BETWEEN ? AND ?",
    ] as [StaticString] {
      try connection.prepare(table).run(.integer(first), .integer(last))
    }
  }
}

extension StretchHead {
  fileprivate mutating func add(_ tail: Tail) {
    sightings.add(tail.sightings)
    for events in tail.shards {
      for event in events { if let origin = tail.origins.origin(event.context) { places.add(event, origin) } }
    }
  }
}
