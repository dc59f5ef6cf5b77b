/// The database's tables, version by version. A migration never changes once it was released; a new one is added below it.
enum Schema {
  static let known = migrations.count
  /// "Uptk", so that `file` and we tell our databases from others.
  static let applicationID: Int64 = 0x5570_746b

  /// Each version's statements, run in one transaction; the last of them sets `user_version`.
  static let migrations: [[StaticString]] = [
    [version1], version2, version3, version4, version5, version6, version7, version8,
    version9, version10, version11,
  ]

  /// Brings the file to the newest version, one transaction a step; refuses what a newer program wrote.
  ///
  /// A file that is in use already is copied first. Killed anywhere, the file is of the old version or of the new one, and
  /// the next attempt goes on from there.
  static func migrate(_ connection: borrowing Connection, _ snapshot: UpgradeSnapshot = .whereThereIsRoom)
    throws(StoreError)
  {
    var found = try check(connection)
    if found > 0, found < known { try snapshot.take(connection, version: found) }
    let isNew = found == 0
    while found < known {
      if found == 6, !isNew { try PageChecksums.introduce(connection) }
      try step(connection, from: found)
      found += 1
    }
    if isNew { try Remnants.noneSinceCreation(connection) }
  }

  /// The same for whatever opens a file to write: an upgrade on the way is told.
  static func bringUpToDate(_ connection: borrowing Connection) throws(StoreError) {
    let found = try check(connection)
    try migrate(connection)
    if found > 0, found < known { Upgrade.tell(.init(path: connection.path, from: found, to: known)) }
  }

  private static func step(_ connection: borrowing Connection, from found: Int) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      guard try connection.integer("PRAGMA user_version") == Int64(found) else { return }
      for statements in migrations[found] { try connection.execute(statements) }
    }
  }

  /// The file's version, 0 for a new one.
  @discardableResult
  static func check(_ connection: borrowing Connection) throws(StoreError) -> Int {
    let found = Int(try connection.integer("PRAGMA user_version"))
    let owner = try connection.integer("PRAGMA application_id")
    let tables = try connection.integer("SELECT count(*) FROM sqlite_schema")
    if owner != applicationID, tables > 0 { throw StoreError(.notAnUptakeDatabase, path: connection.path) }
    if found > known { throw StoreError(.newer(found: found, known: known), path: connection.path) }
    return found
  }

  /// For everything that does not upgrade a file: it must be of this program's version.
  static func requireCurrent(_ connection: borrowing Connection) throws(StoreError) {
    let found = try check(connection)
    if found == 0 { throw StoreError(.emptyFile, path: connection.path) }
    if found < known { throw StoreError(.older(found: found, known: known), path: connection.path) }
  }
}
