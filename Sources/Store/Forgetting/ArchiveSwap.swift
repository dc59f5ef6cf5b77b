import Glibc

/// An archive that was written anew takes the place of the old one once the database says so.
enum ArchiveSwap {
  static func next(_ path: String) -> String { path + ".next" }

  /// The digest that the database holds tells whether the change was committed; if not, the old archive stands.
  ///
  /// In a transaction of its own or a caller's: another program that forgets has its new archives lying there until it
  /// commits.
  static func finish(_ connection: borrowing Connection) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      for removed in try Removed.all(connection) {
        guard let path = removed.archive, DurableFile.exists(next(path)) else { continue }
        if try isCommitted(removed, next(path), connection) {
          try DurableFile.rename(next(path), to: path)
        } else {
          unlink(next(path))
        }
      }
    }
  }

  private static func isCommitted(
    _ removed: Removed, _ path: String, _ connection: borrowing Connection
  ) throws(StoreError) -> Bool {
    let keys = try IdentityKeys.required(connection)
    guard let found = Archive.readable(path, keys), let origin = found.origin else { return false }
    if let written = try Removed.digest(of: removed.id, connection) { return written == origin.digest }
    // An earlier version wrote down how many events stayed, no digest.
    return removed.events == Int64(found.rows.count)
  }
}
