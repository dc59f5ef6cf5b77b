/// Everything that is stored and not folded: sorted stretches, and the events that came after them.
struct WaitingEvents {
  /// The number of the last event that is in the shards.
  let watermark: Int64
  /// Shards below this hold the events of the first stretches already.
  let merging: Merging?
  let stretches: [SortedStretch]
  /// How many events came after the stretches.
  let count: Int
  /// The number of the last event of all.
  let last: Int64
  let head: StretchHead
  private let origins: Origins
  /// Events after the stretches, in the order of their numbers.
  private let tail: [[FoldEvent]]

  /// `connection` is within one transaction.
  init(_ connection: borrowing Connection) throws(StoreError) {
    watermark = try Watermark.read(connection)
    merging = try Merging.read(connection, after: watermark)
    stretches = try SortedStretch.all(connection, after: watermark)
    let tail = try Tail(connection, after: stretches.last?.last ?? watermark, needsOrigins: !stretches.isEmpty)
    var head = StretchHead(try Sightings(connection))
    for stretch in stretches { head.add(try StretchHead.read(stretch, connection)) }
    head.sightings.add(tail.sightings)
    for events in tail.shards {
      for event in events { if let origin = tail.origins.origin(event.context) { head.places.add(event, origin) } }
    }
    (self.head, count, last, origins) = (head, tail.count, tail.last, tail.origins)
    self.tail = tail.shards
  }

  /// Of a shard as they lie in the file, stretch by stretch.
  func read(_ shard: Int, _ rows: borrowing SortedRows) throws(StoreError) -> [SortedPart] {
    try rows.parts(stretches.filter { merging?.holds($0, shard) != true }, shard)
  }

  /// Whether events of a shard came after the stretches.
  func hasTail(_ shard: Int) -> Bool { !tail[shard].isEmpty }

  /// - Parameters:
  ///   - stored: what was read of the shard.
  ///   - some: of these devices alone, in order.
  ///   - numbers: of the events that are looked at: all, or those up to the last of a stretch, or those after it.
  func facts(
    _ shard: Int, _ stored: [SortedPart], _ kinds: ShardFacts.Kinds = .all, of some: [UInt64]? = nil,
    in numbers: EventNumbers = .all, path: String
  ) throws(StoreError) -> Facts {
    let (stored, tail) = (
      stored.filter { numbers.holds($0.stretch.last) }, numbers.holds(.max) ? tail[shard] : []
    )
    if stored.isEmpty, tail.isEmpty { return Facts() }
    var (events, columns) = ([FoldEvent](), SortedColumns())
    for part in stored { try columns.unpack(part, of: some, into: &events, path: path) }
    if let some { events += tail.filter { some.index(ofDevice: $0.device) != nil } } else { events += tail }
    var sort = DeviceSort()
    sort.sort(&events)
    return Facts(events, shard: shard, origins, kinds)
  }
}

extension StretchHead {
  static func read(_ stretch: SortedStretch, _ connection: borrowing Connection) throws(StoreError) -> StretchHead {
    let empty = try Sightings(connection)
    let found = try connection.prepare("SELECT head FROM sorted_stretch WHERE first = ?").first(.integer(stretch.first))
    {
      $0.withBlob(0) { StretchHead(packed: $0, empty) }
    }
    if let head = found ?? nil { return head }
    throw StoreError(
      .corrupt, path: connection.path,
      reason: "table sorted_stretch, first \(stretch.first): does not say what its events are about")
  }
}
