import Glibc

/// Held by the one process that sends to a place: what two send at once would arrive twice.
///
/// A lock on one byte of `FILE.exports`, beside the database; the place says which byte. It ends with the process at the
/// latest, and the system knows who holds it.
struct ExportClaim: ~Copyable {
  private let descriptor: Int32

  static func path(_ database: String) -> String { database + ".exports" }

  init(_ target: String, database: String) throws(StoreError) {
    let path = Self.path(database)
    let opened = open(path, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard opened >= 0 else { throw DurableFile.failure(path) }
    FileOwner.hand(opened, toOwnerOf: database)
    var claim = Self.lock(target)
    guard fcntl(opened, F_SETLK, &claim) == 0 else {
      defer { close(opened) }
      throw StoreError(.refused(.alreadySending(process: Self.holder(target, opened))), path: target)
    }
    descriptor = opened
  }
  deinit { close(descriptor) }

  private static func lock(_ target: String) -> flock {
    var lock = flock()
    (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
    (lock.l_start, lock.l_len) = (off_t(WordHash.of(target) >> 2), 1)
    return lock
  }

  /// nil where it has ended meanwhile.
  private static func holder(_ target: String, _ descriptor: Int32) -> Int? {
    var found = lock(target)
    guard fcntl(descriptor, F_GETLK, &found) == 0, found.l_type != Int16(F_UNLCK) else { return nil }
    return Int(found.l_pid)
  }
}

extension Registry {
  /// - Throws: `already_sending` where another process sends to that place.
  public func sending<Result>(to target: String, _ send: () throws -> Result) throws -> Result {
    let claim = try ExportClaim(target, database: path)
    let result = try send()
    _ = claim
    return result
  }
}

extension StoreError {
  /// It goes on once the other process is done.
  public var isOfOtherSender: Bool { if case .refused(.alreadySending) = kind { true } else { false } }
}
