import Testing

@testable import Store

/// The few promises of SQLite that everything rests on, as this program uses it.
@Suite final class ConnectionTests {
  let scratch: Scratch
  let connection: Connection
  init() throws {
    scratch = try Scratch()
    let connection = try Connection(path: scratch.database, mode: .create)
    try connection.execute("CREATE TABLE t (a, b)")
    self.connection = connection
  }

  private func rows() throws -> Int64 { try count(scratch.database, "SELECT count(*) FROM t") }

  @Test func valuesComeBackAsTheyWere() throws {
    let values: [Value] = [
      .null, .integer(.min), .integer(.max), .integer(0), .real(-0.1), .text(""), .text("a\u{0}b"), .text("ü🙂"),
      .blob([]), .blob([0, 255]),
    ]
    for value in values {
      try connection.execute("DELETE FROM t")
      try connection.prepare("INSERT INTO t VALUES (?, 1)").run(value)
      let found = try connection.prepare("SELECT a, typeof(a) FROM t").first { row in
        switch value {
        case .null: row.isNull(0)
        case .integer(let number): row.integer(0) == number && row.text(1) == "integer"
        case .real(let number): row.real(0) == number
        case .text(let text): row.text(0) == text && row.text(1) == "text"
        case .blob(let bytes): row.blob(0) == bytes && row.text(1) == "blob"
        }
      }
      #expect(found == true, "\(value)")
    }
  }

  @Test func aTransactionIsWholeOrNotAtAll() throws {
    let stop = StoreError(.full, path: "x")
    #expect(throws: stop) {
      try connection.transaction { () throws(StoreError) in
        try connection.execute("INSERT INTO t VALUES (1, 1)")
        try connection.transaction { () throws(StoreError) in try connection.execute("INSERT INTO t VALUES (2, 2)") }
        throw stop
      }
    }
    #expect(try rows() == 0)
    try connection.transaction { () throws(StoreError) in try connection.execute("INSERT INTO t VALUES (1, 1)") }
    #expect(try rows() == 1)
  }

  /// A commit that is refused leaves the connection ready for the next one.
  @Test func aRefusedCommitIsTakenBack() throws {
    try connection.execute(
      "PRAGMA foreign_keys = ON; CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p REFERENCES p DEFERRABLE INITIALLY DEFERRED)"
    )
    #expect(throws: StoreError.self) {
      try connection.transaction { () throws(StoreError) in try connection.execute("INSERT INTO c VALUES (7)") }
    }
    try connection.transaction { () throws(StoreError) in try connection.execute("INSERT INTO t VALUES (1, 1)") }
    #expect(try count(scratch.database, "SELECT count(*) FROM c") == 0)
    #expect(try rows() == 1)
  }

  @Test func aSnapshotIsOneMoment() throws {
    try connection.execute("PRAGMA journal_mode = WAL")
    let reader = try Connection(path: scratch.database, mode: .read)
    let writer = try Connection(path: scratch.database, mode: .write)
    try reader.snapshot { () throws(StoreError) in
      let before = try reader.integer("SELECT count(*) FROM t")
      try writer.execute("INSERT INTO t VALUES (1, 1)")
      #expect(try reader.integer("SELECT count(*) FROM t") == before)
    }
    #expect(try reader.integer("SELECT count(*) FROM t") == 1)
  }

  @Test func errorsHaveTheirKinds() throws {
    #expect(throws: StoreError.self) {
      try Connection(path: scratch.database, mode: .read).execute("INSERT INTO t VALUES (1, 1)")
    }
    let holder = try Connection(path: scratch.database, mode: .write)
    try holder.execute("BEGIN IMMEDIATE")
    try connection.execute("PRAGMA busy_timeout = 1")
    do throws(StoreError) {
      try connection.execute("BEGIN IMMEDIATE")
      Issue.record("two writers")
    } catch { #expect(error.kind == .locked) }
    try holder.execute("ROLLBACK")
    #expect(StoreError(.corrupt, path: "p").hint != StoreError(.full, path: "p").hint)
  }

  /// What is removed is overwritten, whoever writes.
  @Test func removedRowsAreOverwritten() throws {
    try connection.execute("PRAGMA journal_mode = WAL")
    try connection.prepare("INSERT INTO t VALUES (?, 1)").run(.text("a secret that must go"))
    try connection.execute("DELETE FROM t; PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(try !String(decoding: bytes(scratch.database), as: UTF8.self).contains("a secret that must go"))
  }
}
