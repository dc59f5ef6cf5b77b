/// When keys were used after a backup was made: restored in the place of a database, it knows what that one noted.
enum CarriedKeyUses {
  /// The notes begin anew: of uses since the backup nobody else tells, and a key that has none must not look unused. Where the
  /// database at `target` cannot be read, those of the backup are all there is.
  static func carry(from target: String, to part: String) throws(StoreError) {
    let known = DurableFile.exists(target) ? (try? uses(target)) ?? [] : []
    let restored = try Connection(path: part, mode: .write)
    try restored.transaction { () throws(StoreError) in
      try restored.execute("DELETE FROM meta WHERE key = 'key_uses'")
      // Keys have other numbers there.
      let note = try restored.prepare(
        """
        INSERT INTO meta (key, value) SELECT 'key_used ' || id, ?2 FROM key WHERE hash = ?1
        ON CONFLICT DO UPDATE SET value = max(value, excluded.value)
        """)
      for (hash, hour) in known { try note.run(.blob(hash), .integer(hour)) }
    }
  }

  private static func uses(_ path: String) throws(StoreError) -> [(hash: [UInt8], hour: Int64)] {
    try Connection(path: path, mode: .read).prepare(
      "SELECT hash, meta.value FROM key JOIN meta ON meta.key = 'key_used ' || key.id"
    ).rows { ($0.blob(0), $0.integer(1)) }
  }
}
