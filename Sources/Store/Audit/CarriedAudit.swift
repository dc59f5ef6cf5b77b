/// What was done after a backup was made: restored in the place of a database, it goes on telling of that.
enum CarriedAudit {
  /// Adds the entries of the database at `target` that the backup does not have. Where that one cannot be read, its entries
  /// stay in the file that is moved aside.
  static func carry(from target: String, to restored: borrowing Connection) throws(StoreError) {
    guard DurableFile.exists(target), let rows = try? entries(target) else { return }
    let insert = try restored.prepare(
      """
      INSERT INTO audit (id, at, act, app, key, os_user, facts)
      SELECT CASE WHEN EXISTS (SELECT 1 FROM audit WHERE id = ?1) THEN NULL ELSE ?1 END, ?2, ?3, ?4, ?5, ?6, ?7
      WHERE NOT EXISTS (SELECT 1 FROM audit WHERE id = ?1 AND at = ?2 AND act = ?3 AND facts = ?7)
      """)
    for row in rows { try insert.run(all: row) }
  }

  /// In their order. A file of an earlier schema has none.
  private static func entries(_ path: String) throws(StoreError) -> [[Value]] {
    let connection = try Connection(path: path, mode: .read)
    guard try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'audit'") > 0 else { return [] }
    return try connection.prepare("SELECT id, at, act, app, key, os_user, facts FROM audit ORDER BY id").rows {
      [
        .integer($0.integer(0)), .integer($0.integer(1)), .text($0.text(2)), .optional($0.optionalText(3)),
        .optional($0.optionalInteger(4)), .optional($0.optionalText(5)), .text($0.text(6)),
      ]
    }
  }
}
