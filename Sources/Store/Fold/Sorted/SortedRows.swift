/// Reads the rows of sorted stretches. An index tells where they lie; their bytes are read to where they stay.
struct SortedRows: ~Copyable {
  private let select: Statement
  private let database: StaticString

  init(_ connection: borrowing Connection) throws(StoreError) {
    let select = try connection.prepare("SELECT rowid FROM sorted_event WHERE first = ? AND shard = ?")
    database = try connection.database(of: "sorted_event")
    self.select = select
  }

  /// What some stretches have of a shard.
  func parts(_ stretches: [SortedStretch], _ shard: Int) throws(StoreError) -> [SortedPart] {
    var found: [SortedPart] = []
    // Opened anew for each shard: an open one would hold on to what the file was then.
    var blob: BlobReader?
    for stretch in stretches {
      guard let row = try select.first(.integer(stretch.first), .integer(Int64(shard)), row: { $0.integer(0) }) else {
        continue
      }
      if try blob?.move(to: row) == nil {
        blob = try BlobReader(beside: select, database, table: "sorted_event", row: row)
      }
      switch blob {
      case .some(let reader): found.append(SortedPart(stretch: stretch, shard: shard, bytes: try reader.read()))
      case .none: continue
      }
    }
    return found
  }
}

extension SortedColumns {
  /// Adds the events of a part to others.
  ///
  /// - Parameter some: only of these devices, in order.
  mutating func unpack(
    _ part: SortedPart, of some: [UInt64]? = nil, into events: inout [FoldEvent], path: String
  ) throws(StoreError) {
    guard !part.bytes.withUnsafeBytes({ unpack($0, of: some, into: &events) }) else { return }
    throw StoreError(
      .corrupt, path: path,
      reason: "table sorted_event, first \(part.stretch.first), shard \(part.shard): is no list of events")
  }
}
