internal import Glibc
internal import Store

/// Space on the database's disk that is set aside while there is some, and given back when there is none: a full disk
/// also stops what would make room, checkpoints and the dropping of old events.
struct DiskReserve: ~Copyable, Sendable {
  private let path, database: String
  let size: Int
  private(set) var isHeld = false

  init(beside database: String, size: Int) {
    (path, self.database) = (database + ".reserve", database)
    self.size = size
  }

  /// Allocates the blocks: a file that is only long would hold nothing.
  mutating func hold() {
    guard !isHeld, size > 0 else { return }
    let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    FileOwner.hand(descriptor, toOwnerOf: database)
    isHeld = posix_fallocate(descriptor, 0, off_t(size)) == 0
    if !isHeld { unlink(path) }
  }

  /// Sees what is there: what an earlier start set aside, cut to size, or nothing any more. Whoever needs room in a hurry
  /// deletes what is large.
  mutating func check() {
    var status = stat()
    isHeld =
      lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && size > 0 && status.st_size >= size
      && status.st_blocks * 512 >= size
    if isHeld, status.st_size > size { isHeld = truncate(path, off_t(size)) == 0 }
  }

  mutating func release() {
    unlink(path)
    isHeld = false
  }
}
