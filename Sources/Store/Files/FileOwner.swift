import Glibc

/// Whose a file is that root's command leaves beside a database: that of a service that runs as another user, which could not open it
/// otherwise. SQLite does the same for its logs. For who is not root nothing is done.
public enum FileOwner {
  /// - Parameters:
  ///   - descriptor: of a file that was opened without following a link, or of a folder.
  ///   - path: a file or folder; nothing is done where it is not there.
  public static func hand(_ descriptor: Int32, toOwnerOf path: String) {
    var (own, other) = (stat(), stat())
    guard geteuid() == 0, fstat(descriptor, &own) == 0, stat(path, &other) == 0 else { return }
    // In a folder that others may write to a second name could be of any file of root's.
    guard own.st_nlink == 1 || own.st_mode & S_IFMT == S_IFDIR else { return }
    _ = fchown(descriptor, other.st_uid, other.st_gid)
  }

  /// Of a new folder.
  static func hand(folder path: String, toOwnerOf other: String) {
    let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    hand(descriptor, toOwnerOf: other)
  }

  /// Opens a file that only its owner reads, and makes it where there is none: that one is handed over. Answers -1, with `errno`, where
  /// it cannot be opened. A link is followed, and what it leads to stays whose it is.
  static func open(_ path: String, _ flags: Int32, likeOwnerOf other: String) -> Int32 {
    let new = Glibc.open(path, flags | O_CREAT | O_EXCL, 0o600)
    guard new < 0 else {
      hand(new, toOwnerOf: other)
      return new
    }
    return Glibc.open(path, flags | O_CREAT, 0o600)
  }
}
