import Locks

/// Releases, their publications, and keys: the little that people enter by hand.
public final class Registry: Sendable {
  private let connection: Lock<Connection>

  /// Of a database that is there: makes none where it was moved away.
  public init(existing path: String) throws(StoreError) {
    let connection = try Connection(path: path, mode: .write)
    try Schema.requireCurrent(connection)
    try connection.execute("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")
    self.connection = Lock(connection)
  }

  /// Creates the database where there is none.
  public init(path: String) throws(StoreError) {
    let connection = try Connection(path: path, mode: .create)
    try connection.execute("PRAGMA page_size = 16384")
    try Schema.check(connection)
    try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")
    try Schema.bringUpToDate(connection)
    // Copies of a file without events have the same keys, and may be nodes of one warehouse.
    _ = try IdentityKeys.loadOrCreate(connection)
    self.connection = Lock(connection)
  }

  var path: String { connection.withLock { $0.path } }

  func read<T: Sendable>(_ sql: StaticString, row: @Sendable (borrowing Row) -> T) throws(StoreError) -> [T] {
    try connection.withLock { connection throws(StoreError) in try connection.prepare(sql).rows(row: row) }
  }

  func each(_ sql: StaticString, _ body: (borrowing Row) -> Void) throws(StoreError) {
    try connection.withLock { connection throws(StoreError) in
      let statement = try connection.prepare(sql)
      while try statement.step() { body(statement.row) }
    }
  }

  func write<T>(_ body: (borrowing Connection) throws(StoreError) -> sending T) throws(StoreError) -> T {
    try connection.withLock { connection throws(StoreError) in
      try connection.execute("BEGIN IMMEDIATE")
      do throws(StoreError) {
        let result = try body(connection)
        try connection.commit()
        return result
      } catch {
        try? connection.execute("ROLLBACK")
        throw error
      }
    }
  }
}

extension Registry {
  /// Refuses a file that a newer program has upgraded meanwhile.
  public func requireKnownSchema() throws(StoreError) {
    try connection.withLock { connection throws(StoreError) in _ = try Schema.check(connection) }
  }

  /// How many releases and publications there are.
  public func announcements() throws(StoreError) -> Int {
    try connection.withLock { connection throws(StoreError) in
      Int(try connection.integer("SELECT (SELECT count(*) FROM release) + (SELECT count(*) FROM publication)"))
    }
  }
}
