import CSQLite
import Dispatch
import Synchronization

/// Moves pages from the write-ahead log into the database file beside the commits, so that no answer waits for it.
///
/// It copies whenever so much was added. Only a writer at rest lets the log begin anew, so the writer itself takes the
/// last few pages over once the log is long and all others were copied: `PASSIVE`, which waits for nobody.
final class Checkpointer: Sendable {
  /// In pages of 16 KB.
  private static let step = 512

  private let path: String
  private let length: FileLength
  private let isBusy = Atomic(false)
  private let copiedPages = Atomic(0)
  /// Whether a log that is long was copied but for what came meanwhile.
  private let isNearlyCopied = Atomic(false)
  private let queue = DispatchQueue(label: "uptake.checkpoint", qos: .utility)

  /// - Parameter length: of the file, as the writer knows it.
  init(path: String, _ length: FileLength) { (self.path, self.length) = (path, length) }

  /// - Parameter pages: how long the log is after a commit.
  /// - Returns: whether the writer should copy the rest itself.
  func note(pages: Int) -> Bool {
    let last = copiedPages.load(ordering: .relaxed)
    if pages < last {
      copiedPages.store(0, ordering: .relaxed)
      isNearlyCopied.store(false, ordering: .relaxed)
    }
    if pages - (pages < last ? 0 : last) >= Self.step {
      copiedPages.store(pages, ordering: .relaxed)
      if !isBusy.exchange(true, ordering: .acquiring) { queue.async { [self] in copy() } }
    }
    return pages > Connection.longestLog && isNearlyCopied.exchange(false, ordering: .acquiring)
  }

  /// What cannot be copied now is copied next time; nothing is lost by a failure here.
  private func copy() {
    let log = try? moveLog()
    let left = log.map { $0.pages - $0.moved } ?? .max
    isNearlyCopied.store(log?.pages ?? 0 > Connection.longestLog && left < Self.step, ordering: .releasing)
    isBusy.store(false, ordering: .releasing)
  }

  private func moveLog() throws(StoreError) -> (pages: Int, moved: Int) {
    let connection = try Connection(path: path, mode: .write)
    try connection.execute("PRAGMA synchronous = FULL")
    return try connection.moveLog(length)
  }
}

/// How many pages the write-ahead log of a connection holds after its last commit.
final class LogLength {
  private(set) var pages = 0

  /// Also ends SQLite's own checkpoints within a commit.
  func watch(_ connection: borrowing Connection) {
    let note: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, Int32) -> Int32 = {
      context, _, _, pages in
      if let context { Unmanaged<LogLength>.fromOpaque(context).takeUnretainedValue().pages = Int(pages) }
      return SQLITE_OK
    }
    sqlite3_wal_hook(connection.handle, note, Unmanaged.passUnretained(self).toOpaque())
  }
}
