/// Event numbers rise and are never given twice, also after the newest rows were removed.
enum EventSequence {
  static func newest(_ connection: borrowing Connection) throws(StoreError) -> Int64 {
    let stored = try connection.integer("SELECT max(seq) FROM event")
    return max(stored, try connection.integer("SELECT value FROM meta WHERE key = 'folded'"))
  }
}
