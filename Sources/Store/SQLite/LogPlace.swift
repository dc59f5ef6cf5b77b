import Locks

/// Whether a database's write-ahead log is still the file that a connection writes to. It looks like something temporary, and
/// whoever deletes it takes everything away that is in no page of the database yet.
final class LogPlace: Sendable {
  private let path: String
  private let seen = Lock<FileIdentity?>(nil)

  init(ofDatabase path: String) { self.path = path + "-wal" }

  /// To be asked within a transaction: then the log is open, and nobody but a stranger takes it away.
  var isKept: Bool {
    let found = FileIdentity(path)
    return seen.withLock { seen in
      guard let known = seen else {
        seen = found
        return true
      }
      return known == found
    }
  }
}
