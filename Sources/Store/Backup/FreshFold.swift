/// Folds the events of a database anew, beside it, and compares: shards must be what their events say.
///
/// Temporary tables of the same names stand before the stored ones meanwhile, so this is the fold itself, and nothing of
/// the file changes. Where single events were removed, those that are left must change nothing when they are merged again.
enum FreshFold {
  /// The tables that the fold makes.
  private static let tables: [StaticString] = ["journey", "device", "wake", "trail", "sighting", "lag"]
  /// Those that a shard's own events decide.
  private static let sharded: [StaticString] = ["journey", "device", "wake", "trail"]

  /// - Parameter shard: only this one, else all.
  /// - Returns: the names of the tables that differ.
  static func differences(_ connection: consuming Connection, shard: Int? = nil) throws(StoreError) -> [String] {
    let folder = Folder(connection)
    return try folder.connection.snapshot { () throws(StoreError) in
      let isPartial = try Removed.any(folder.connection)
      let watermark = try Watermark.read(folder.connection)
      try shadow(folder.connection, shard: shard, filled: isPartial)
      try fold(folder, upTo: watermark)
      var different: [String] = []
      for table in shard == nil ? tables : sharded where !isPartial || table.description != "lag" {
        if try differs(table, shard, folder.connection) { different.append(table.description) }
      }
      return different
    }
  }

  private static func shadow(_ connection: borrowing Connection, shard: Int?, filled: Bool) throws(StoreError) {
    for table in tables {
      try connection.createTemporaryTwin(of: table)
      if filled { try connection.prepare(joining: "INSERT INTO temp.", table, " SELECT * FROM main.", table).run() }
    }
    try connection.createTemporaryTwin(of: "meta")
    // The twins hold what removed events came to, so this fold may begin where their events are gone.
    try connection.createTemporaryTwin(of: "removed")
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
    // Outlines of devices are derived from runs, and files of before have none until a fold touches the shard.
    let hasOutlines = table.description == "device"
    let rows: StaticString =
      switch (shard, hasOutlines) {
      case (nil, false): ""
      case (nil, true): " WHERE part < 10"
      case (_, false): " WHERE shard = ?1"
      case (_, true): " WHERE shard = ?1 AND part < 10"
      }
    for (one, other) in [("main." as StaticString, "temp." as StaticString), ("temp.", "main.")] {
      let statement = try connection.prepare(
        joining: "SELECT 1 FROM (SELECT * FROM ", one, table, rows, " EXCEPT SELECT * FROM ", other, table, rows,
        ") LIMIT 1")
      if let shard { statement.bind(1, Int64(shard)) }
      if try statement.step() { return true }
    }
    return false
  }
}
