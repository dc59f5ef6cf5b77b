import Glibc

/// Reads the parts of packed shards.
struct StoredParts: ~Copyable {
  private let journeys, devices, wakes, trails: PartsQuery
  private let rows: DeviceRows

  init(_ connection: borrowing Connection) throws(StoreError) {
    let journeys = try PartsQuery(
      connection, .journey, "SELECT part, rowid FROM journey WHERE release = ? AND channel = ? AND shard = ?")
    let rows = try DeviceRows(connection)
    let devices = try PartsQuery(
      connection, .device, "SELECT part, rowid FROM device WHERE app = ? AND shard = ? AND part < 1 << 20", rows)
    let wakes = try PartsQuery(
      connection, .wake, "SELECT part, rowid FROM wake WHERE app = ? AND shard = ? AND week = ?")
    let trails = try PartsQuery(connection, .trail, "SELECT part, rowid FROM trail WHERE shard = ? AND era = ?")
    self.rows = rows
    self.journeys = journeys
    self.devices = devices
    self.wakes = wakes
    self.trails = trails
  }

  /// - Parameter wanted: nil for all.
  func read(_ place: JourneyPlace, _ wanted: Set<Int64>?, into parts: inout PackedParts) throws(StoreError) {
    try journeys.read([place.release, place.channel, Int64(place.shard)], wanted, into: &parts)
  }

  /// - Parameter wanted: nil for all.
  func read(_ place: DevicePlace, _ wanted: Set<Int64>?, into parts: inout PackedParts) throws(StoreError) {
    try devices.read([place.app, Int64(place.shard)], wanted, into: &parts)
  }

  /// nil where devices cannot be read in pieces.
  func fewDevices(_ place: DevicePlace) throws(StoreError) -> FewDevices? { try FewDevices.open(rows, place) }

  /// nil where spans cannot be read in pieces.
  func fewSpans(_ ranges: [Range<Int>], _ place: DevicePlace) throws(StoreError) -> FewSpans? {
    try FewSpans(ranges, rows, place)
  }

  /// nil where runs cannot be read in pieces.
  func fewRuns(_ place: DevicePlace) throws(StoreError) -> FewRuns? { try FewRuns.open(rows, place) }

  /// - Parameter wanted: nil for all.
  func read(_ place: WakePlace, _ wanted: Set<Int64>?, into parts: inout PackedParts) throws(StoreError) {
    try wakes.read([place.app, Int64(place.shard), place.week], wanted, into: &parts)
  }

  /// - Parameter wanted: nil for all.
  func read(_ place: TrailPlace, _ wanted: Set<Int64>?, into parts: inout PackedParts) throws(StoreError) {
    try trails.read([Int64(place.shard), place.era], wanted, into: &parts)
  }
}

/// The parts of one row of shards. An index tells where they lie; their bytes are read to where they stay, and those that are
/// not wanted are not read.
private struct PartsQuery: ~Copyable {
  private let select: Statement
  private let table: PackedParts.Source.Table
  private let database: StaticString
  /// Where columns lie in several rows.
  private let rows: DeviceRows?

  init(
    _ connection: borrowing Connection, _ table: PackedParts.Source.Table, _ select: StaticString,
    _ rows: DeviceRows? = nil
  ) throws(StoreError) {
    let statement = try connection.prepare(select)
    database = try connection.database(of: table.name)
    self.select = statement
    self.rows = rows
    self.table = table
  }

  func read(_ keys: [Int64], _ wanted: Set<Int64>?, into parts: inout PackedParts) throws(StoreError) {
    parts.clear(for: PackedParts.Source(path: select.path, table: table, keys: keys, wanted: wanted))
    defer { select.rewind() }
    for (place, key) in keys.enumerated() { select.bind(Int32(place + 1), key) }
    // Opened anew for each shard: an open one would hold on to what the file was then.
    var blob: BlobReader?
    while try select.step() {
      let (part, row) = (select.integer(0), select.integer(1))
      if let wanted, !wanted.contains(part) { continue }
      if try blob?.move(to: row) == nil { blob = try BlobReader(beside: select, database, table: table.name, row: row) }
      switch blob {
      case .some(let first): try read(part, keys, first, into: &parts)
      case .none: continue
      }
    }
  }

  /// All rows of a part, one behind the other.
  ///
  /// - Parameter first: the first of them.
  private func read(
    _ part: Int64, _ keys: [Int64], _ first: borrowing BlobReader, into parts: inout PackedParts
  ) throws(StoreError) {
    guard let rows, case let place = DevicePlace(shard: Int(keys[1]), app: keys[0]), ColumnPieces.parts.contains(part),
      let size = try first.columnSize, size > first.count,
      try rows.holds((size - 1) / first.count, of: part, place)
    else {
      return try parts.append(part: part, count: first.count) { (room) throws(StoreError) in try first.read(into: room)
      }
    }
    try parts.append(part: part, count: size) { (room) throws(StoreError) in
      try first.read(into: UnsafeMutableRawBufferPointer(rebasing: room[..<first.count]))
      let rest = UnsafeMutableRawBufferPointer(rebasing: room[first.count...])
      guard try rows.readFurther(part, of: place, into: rest) else { throw rows.lack(part, of: place) }
    }
  }
}

extension BlobReader {
  /// How many bytes a packed column has that begins here; nil where that is not told at its beginning.
  fileprivate var columnSize: Int? {
    get throws(StoreError) { StoredColumn.size(try read(0..<min(count, StoredColumn.head))[...]) }
  }
}
