/// Event numbers rise and are never given twice, also after the newest rows were removed.
enum EventSequence {
  static func newest(_ connection: borrowing Connection) throws(StoreError) -> Int64 {
    let stored = try connection.integer("SELECT max(seq) FROM event")
    return max(stored, try connection.integer("SELECT max(value) FROM meta WHERE key IN ('folded', 'newest')"))
  }

  /// Before events are removed that are not folded yet: whoever ships events has told others their numbers.
  static func keep(_ connection: borrowing Connection) throws(StoreError) {
    try connection.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('newest', ?)").run(
      .integer(try newest(connection)))
  }
}
