internal import Glibc

/// A file that appears whole or not at all: written beside its place, synced, then renamed.
///
/// What is no regular file (`/dev/null`, a pipe) is written directly. Without `commit`, nothing remains; what a killed
/// process left behind is taken away by the next one of its number, as a container's always is.
public struct AtomicFile: ~Copyable {
  private let path: String
  private let temporary: String
  private let descriptor: CInt
  private var isCommitted = false

  /// - Parameter isPrivate: nobody but its owner may read it, whatever the user's mask says.
  public init(_ path: String, isPrivate: Bool = false) throws(Failure) {
    var status = stat()
    let exists = unsafe stat(path, &status) == 0
    let isDirect = exists && status.st_mode & S_IFMT != S_IFREG
    let temporary = isDirect ? path : "\(path).\(getpid()).tmp"
    let descriptor =
      isDirect ? unsafe open(path, O_WRONLY | O_CLOEXEC) : Self.create(temporary, isPrivate ? 0o600 : 0o666)
    guard descriptor >= 0 else { throw systemFailure("write_failed", "cannot write \(path)", errno) }
    self.path = path
    self.temporary = temporary
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
    if !isCommitted, temporary != path { _ = unsafe unlink(temporary) }
  }

  /// A new file, locked for as long as it is written; -1 with `errno` where there can be none.
  private static func create(_ path: String, _ mode: mode_t) -> CInt {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
    let descriptor = unsafe open(path, flags, mode)
    let created =
      descriptor >= 0 || errno != EEXIST || !removeAbandoned(path) ? descriptor : unsafe open(path, flags, mode)
    if created >= 0 { flock(created, LOCK_EX | LOCK_NB) }
    return created
  }

  /// Removes what nobody writes any more. A link is not followed.
  private static func removeAbandoned(_ path: String) -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    let isLink = descriptor < 0 && errno == ELOOP
    guard isLink || descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      errno = EEXIST
      return false
    }
    return unsafe unlink(path) == 0
  }

  public func write(_ text: String) throws(Failure) { try write(Array(text.utf8)) }

  public func write(_ bytes: [UInt8]) throws(Failure) { try writeAll(bytes, to: descriptor, named: path) }

  /// Makes the file durable and gives it its name.
  public consuming func commit() throws(Failure) {
    guard temporary != path else { return isCommitted = true }
    guard fsync(descriptor) == 0 else { throw systemFailure("write_failed", "cannot sync \(path)", errno) }
    guard unsafe rename(temporary, path) == 0 else {
      throw systemFailure("write_failed", "cannot replace \(path)", errno)
    }
    isCommitted = true
    let directory = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let folder = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }
}
