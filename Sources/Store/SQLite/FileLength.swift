import Locks

/// How long a database's file was seen to be. What a program has read of a file stays with it, so that events can be stored
/// for long in one that was cut: questions find that pages are missing, commits do not.
final class FileLength: Sendable {
  private let seen = Lock(0)

  /// Whether the file is shorter than it was: cut, or written anew by `VACUUM` in fewer pages.
  func isLess(_ size: Int) -> Bool { seen.withLock { size < $0 } }

  /// Throws where pages are missing, which costs a look at the whole log where the file is shorter than it was.
  ///
  /// - Parameter size: of the file; negative where nobody can tell.
  func require(_ size: Int, _ connection: borrowing Connection) throws(StoreError) {
    if isLess(size) { try FileLength.requirePages(connection, size) }
    seen.withLock { $0 = max(0, size) }
  }

  /// Every page of a database is in its file or in its log.
  static func requirePages(_ connection: borrowing Connection, _ size: Int) throws(StoreError) {
    guard size >= 0 else { return }
    let pageSize = Int(try connection.integer("PRAGMA main.page_size"))
    let whole = size / pageSize
    let log =
      DiskSpace.size(connection.path + "-wal") == 0
      ? nil : try WriteAheadLog(database: connection.path, pageSize: pageSize).all()
    var count = log?.pageCount ?? 0
    if count == 0, whole > 0 { count = try DatabasePages(connection, size: pageSize).count() }
    let isWhole = count > 0 && (whole..<max(whole, count)).allSatisfy { log?.pages[UInt32($0 + 1)] != nil }
    if isWhole { return }
    throw StoreError(
      .corrupt, path: connection.path,
      reason: count == 0
        ? "it was cut: nothing of it is left"
        : "it was cut: it holds \(whole) of its \(count) pages, and its log not all of the others")
  }
}
