/// What became of keys after a backup was made: restored in its place, it must let nobody in whom the database kept out.
enum RevokedKeys {
  /// Revokes what the database at `target` knows as revoked, whether the backup knows it or not, and keeps a service closed
  /// that once had a key. Where that database cannot be read, nobody can tell whether it had one: it is kept closed.
  ///
  /// - Returns: how many keys were valid in the backup and are not any more.
  static func carry(from target: String, to part: String) throws(StoreError) -> Int {
    guard DurableFile.exists(target) else { return 0 }
    let restored = try Connection(path: part, mode: .write)
    guard let known = try? known(target) else {
      try AccessKey.close(restored)
      return 0
    }
    if !known.isOpen { try AccessKey.close(restored) }
    return try restored.transaction { () throws(StoreError) in
      let before = try valid(restored)
      try revoke(known.revoked, restored)
      return Int(before - (try valid(restored)))
    }
  }

  private static func valid(_ connection: borrowing Connection) throws(StoreError) -> Int64 {
    try connection.integer("SELECT count(*) FROM key WHERE revoked_at IS NULL")
  }

  private static func revoke(_ rows: [[Value]], _ connection: borrowing Connection) throws(StoreError) {
    let revoke = try connection.prepare(
      """
      INSERT INTO key (app, scope, hash, note, created_at, revoked_at, dialect, channel, platform)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (hash) DO UPDATE SET revoked_at = coalesce(revoked_at, excluded.revoked_at)
      """)
    for row in rows { try revoke.run(all: row) }
  }

  /// Of a file of any schema: the first knew no dialects, and those before the sixth no platforms.
  private static func known(_ path: String) throws(StoreError) -> (revoked: [[Value]], isOpen: Bool) {
    let connection = try Connection(path: path, mode: .read)
    let columns = try connection.integer("SELECT count(*) FROM pragma_table_info('key')")
    let ofOthers: StaticString =
      switch columns {
      case ...7: "NULL, NULL, NULL"
      case ...9: "dialect, channel, NULL"
      default: "dialect, channel, platform"
      }
    let select = try connection.prepare(
      joining: "SELECT app, scope, hash, note, created_at, revoked_at, ",
      ofOthers, " FROM key WHERE revoked_at IS NOT NULL")
    let revoked: [[Value]] = try select.rows {
      [
        .text($0.text(0)), .text($0.text(1)), .blob($0.blob(2)), .optional($0.optionalText(3)), .integer($0.integer(4)),
        .integer($0.integer(5)), .optional($0.optionalText(6)), .optional($0.optionalText(7)),
        .optional($0.optionalText(8)),
      ]
    }
    return (revoked, try AccessKey.isOpen(connection))
  }
}
