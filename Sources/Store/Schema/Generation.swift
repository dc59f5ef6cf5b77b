/// Counts the times that rows were taken back which others may remember: numbers of strings, packed shards.
///
/// Whoever keeps such things between transactions compares, and reads anew where the count has changed.
enum Generation {
  /// Refuses a file that a newer program has upgraded meanwhile.
  static func read(_ connection: borrowing Connection) throws(StoreError) -> Int64 {
    let version = Int(try connection.integer("PRAGMA user_version"))
    guard version <= Schema.known else {
      throw StoreError(.newer(found: version, known: Schema.known), path: connection.path)
    }
    return try connection.integer("SELECT value FROM meta WHERE key = 'generation'")
  }

  /// Within the transaction that takes rows back.
  static func advance(_ connection: borrowing Connection) throws(StoreError) {
    let next = try read(connection) + 1
    try connection.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('generation', ?)").run(.integer(next))
    // What was derived from those rows goes with them.
    try connection.execute("DELETE FROM summary_state; DELETE FROM summary")
    try SortedStretch.removeAll(connection)
  }
}
