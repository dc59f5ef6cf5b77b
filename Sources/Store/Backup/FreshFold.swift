/// Folds the events of a database anew, beside it, and compares: shards must be what their events say.
///
/// Temporary tables of the same names stand before the stored ones meanwhile, so this is the fold itself, and nothing of
/// the file changes. Where single events were removed, those that are left must change nothing when they are merged again.
enum FreshFold {
  /// The tables that the fold makes.
  private static let tables: [StaticString] = ["journey", "device", "wake", "trail", "sighting", "lag"]
  /// Those that a shard's own events decide.
  private static let sharded: [StaticString] = ["journey", "device", "wake", "trail"]
  /// Those that it writes beside.
  private static let beside: [StaticString] = ["meta", "removed", "sorted_stretch", "sorted_event"]

  /// - Parameter shard: only this one, else all.
  /// - Returns: the names of the tables that differ.
  static func differences(_ connection: consuming Connection, shard: Int? = nil) throws(StoreError) -> [String] {
    let folder = Folder(connection)
    return try folder.connection.snapshot { () throws(StoreError) in
      let isPartial = try Removed.any(folder.connection)
      let watermark = try Watermark.read(folder.connection)
      let merging = try Merging.read(folder.connection, after: watermark)
      try shadow(folder.connection, shard: shard, filled: isPartial)
      try fold(folder, upTo: watermark)
      var different: [String] = []
      for table in shard == nil ? tables : sharded where !isPartial || table.description != "lag" {
        let isHalfMerged = merging != nil && sharded.contains { $0.description == table.description }
        if !isHalfMerged, try differs(table, shard, folder.connection) { different.append(table.description) }
      }
      if let merging { different += try merged(merging, folder, shard) }
      return different
    }
  }

  /// Of shards that events are being merged into, some hold more than others.
  private static func merged(
    _ merging: Merging, _ folder: borrowing Folder, _ shard: Int?
  ) throws(StoreError) -> [String] {
    let shards = shard.map { $0..<($0 + 1) } ?? 0..<Shards.count
    func different(_ shards: Range<Int>) throws(StoreError) -> Set<String> {
      var found: Set<String> = []
      for shard in shards {
        for table in sharded where try differs(table, shard, folder.connection) { found.insert(table.description) }
      }
      return found
    }
    let behind = try different(shards.clamped(to: merging.shards..<Shards.count))
    try fold(folder, upTo: merging.through)
    return behind.union(try different(shards.clamped(to: 0..<merging.shards))).sorted()
  }

  private static func shadow(_ connection: borrowing Connection, shard: Int?, filled: Bool) throws(StoreError) {
    for table in tables {
      try connection.createTemporaryTwin(of: table)
      if filled { try connection.prepare(joining: "INSERT INTO temp.", table, " SELECT * FROM main.", table).run() }
    }
    // The twins hold what removed events came to, so this fold may begin where their events are gone.
    for table in beside { try connection.createTemporaryTwin(of: table) }
    guard let shard else { return }
    try connection.prepare("INSERT INTO temp.meta VALUES ('shard', ?)").run(.integer(Int64(shard)))
    try connection.execute(
      """
      CREATE TEMP VIEW event AS SELECT * FROM main.event
        WHERE (device >> 58) & 63 = (SELECT value FROM temp.meta WHERE key = 'shard')
      """)
  }

  private static func fold(_ folder: borrowing Folder, upTo watermark: Int64) throws(StoreError) {
    let end = min(watermark, try folder.newest())
    while case let folded = try folder.watermark(), folded < end {
      try folder.fold(limit: min(Int(end - folded), Folder.longestStep))
    }
  }

  private static func differs(
    _ table: StaticString, _ shard: Int?, _ connection: borrowing Connection
  ) throws(StoreError) -> Bool {
    if table.description == "device" { return try devicesDiffer(shard, connection) }
    if table.description == "lag" { return try lags("main.lag", connection) != lags("temp.lag", connection) }
    let rows: StaticString = shard == nil ? "" : " WHERE shard = ?1"
    for (one, other) in [("main." as StaticString, "temp." as StaticString), ("temp.", "main.")] {
      let statement = try connection.prepare(
        joining: "SELECT 1 FROM (SELECT * FROM ", one, table, rows, " EXCEPT SELECT * FROM ", other, table, rows,
        ") LIMIT 1")
      if let shard { statement.bind(1, Int64(shard)) }
      if try statement.step() { return true }
    }
    return false
  }

  /// Events by app, day and delay, as coarse as earlier programs rounded it.
  private static func lags(
    _ table: StaticString, _ connection: borrowing Connection
  ) throws(StoreError) -> [[Int64]: Int64] {
    var events: [[Int64]: Int64] = [:]
    let rows = try connection.prepare(joining: "SELECT app, day, seconds, events FROM ", table).rows { row in
      (0..<4).map { row.integer($0) }
    }
    for row in rows { events[[row[0], row[1], Sightings.asBefore(row[2])], default: 0] += row[3] }
    return events
  }

  /// By what is packed in them: recent runs are the same as settled ones, and files of before there were outlines have
  /// none until a fold touches the shard.
  private static func devicesDiffer(_ shard: Int?, _ connection: borrowing Connection) throws(StoreError) -> Bool {
    let stored = try connection.prepare(
      "SELECT part, packed FROM main.device WHERE app = ? AND shard = ? ORDER BY part")
    let fresh = try connection.prepare(
      "SELECT part, packed FROM temp.device WHERE app = ? AND shard = ? ORDER BY part")
    let places = try connection.prepare(
      "SELECT app, shard FROM main.device UNION SELECT app, shard FROM temp.device ORDER BY 1, 2"
    ).rows { DevicePlace(shard: Int($0.integer(1)), app: $0.integer(0)) }
    for place in places where shard.map({ $0 == place.shard }) ?? true {
      let expected = try packed(fresh, place)
      do throws(StoreError) {
        if try packed(stored, place) != expected { return true }
      } catch {
        guard error.kind == .corrupt else { throw error }
        return true
      }
    }
    return false
  }

  private static func packed(_ select: borrowing Statement, _ place: DevicePlace) throws(StoreError) -> [[UInt8]] {
    var parts = PackedParts()
    parts.clear(for: .init(path: select.path, table: .device, keys: [place.app, Int64(place.shard)], wanted: nil))
    defer { select.rewind() }
    select.bind(1, place.app)
    select.bind(2, Int64(place.shard))
    // The pieces of a part come in order, behind the first ones of all parts.
    var columns: [Int64: [UInt8]] = [:]
    while try select.step() {
      select.row.withBlob(1) { columns[ColumnPieces.part(select.integer(0)), default: []] += $0 }
    }
    for (part, bytes) in columns { bytes.withUnsafeBytes { parts.append(part: part, $0) } }
    return try DeviceShard(parts).packed.map(\.bytes)
  }
}
