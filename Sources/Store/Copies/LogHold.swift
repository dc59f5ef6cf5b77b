import CSQLite
import Lifecycle

/// A reader's lock on SQLite's write-ahead log: while it is held, the log does not begin anew, and what is written stays in it.
final class LogHold {
  private let reader: Connection
  private var isHeld = false
  /// How long the log was when it was last to begin anew.
  private var tried = 0
  /// In pages of 16 KB.
  private static let long = 512

  init(path: String) throws(StoreError) { reader = try Connection(path: path, mode: .read) }

  /// A log that is all in the database already cannot be held: something is written to it first. On a full disk nothing
  /// can be, and nothing is held.
  func begin(_ connection: borrowing Connection, _ at: Timestamp) throws(StoreError) {
    guard !isHeld else { return }
    try? connection.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('copy', ?)").run(.integer(at.rawValue))
    try reader.execute("BEGIN")
    isHeld = true
    _ = try reader.integer("SELECT count(*) FROM meta")
  }

  func end() {
    guard isHeld else { return }
    try? reader.execute("ROLLBACK")
    isHeld = false
  }

  func isDue(_ frames: Int) -> Bool {
    if frames < tried { tried = 0 }
    return frames >= tried + Self.long
  }

  /// Most of the log is copied into the database while others write; who reads for long puts it off.
  func turn(_ connection: borrowing Connection, frames: Int, _ at: Timestamp) throws(StoreError) {
    tried = frames
    end()
    try connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
    sqlite3_busy_timeout(connection.handle, 20)
    let restart = try connection.prepare("PRAGMA wal_checkpoint(RESTART)")
    _ = try? restart.step()
    restart.reset()
    sqlite3_busy_timeout(connection.handle, 10_000)
    try begin(connection, at)
  }
}
