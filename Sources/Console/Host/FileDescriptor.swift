internal import Glibc
internal import Synchronization

/// Writes all bytes; a short write goes on, an interrupted one is repeated.
func writeAll(_ bytes: [UInt8], to descriptor: CInt, named name: String) throws(Failure) {
  var offset = 0
  while offset < bytes.count {
    let count = unsafe bytes.withUnsafeBytes { buffer in
      unsafe Glibc.write(descriptor, buffer.baseAddress?.advanced(by: offset), bytes.count - offset)
    }
    guard count < 0 else {
      offset += count
      continue
    }
    switch errno {
    case EINTR: continue
    case EPIPE where !outlivesReaders.load(ordering: .relaxed): leaveQuietly()
    default: throw systemFailure("write_failed", "cannot write to \(name)", errno)
    }
  }
}

private let outlivesReaders = Atomic(false)

/// From now on this process goes on where the reader of its pipe has gone: a service has more to do than to be read. Programs that it
/// starts do as they always do, since a handler, unlike a signal that is ignored, does not go over to them.
public func outliveReaders() {
  signal(SIGPIPE) { _ in }
  outlivesReaders.store(true, ordering: .relaxed)
}

/// The reader of our pipe has gone (`uptake … | head`): ends as every other program does then, even where SIGPIPE was
/// ignored by whoever started us.
private func leaveQuietly() -> Never {
  signal(SIGPIPE, SIG_DFL)
  raise(SIGPIPE)
  exit(128 + SIGPIPE)
}

/// The bytes of a file; nil where there is no such file.
public func contents(of path: String, limit: Int = .max) throws(Failure) -> [UInt8]? {
  let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else {
    if errno == ENOENT || errno == ENOTDIR { return nil }
    throw systemFailure("read_failed", "cannot read \(path)", errno)
  }
  defer { close(descriptor) }
  var (result, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
  while true {
    let count = unsafe read(descriptor, &chunk, chunk.count)
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { throw systemFailure("read_failed", "cannot read \(path)", errno) }
    if count == 0 { return result }
    result += chunk[..<count]
    guard result.count <= limit else {
      throw Failure("file_too_large", "\(path) is larger than \(grouped(limit)) bytes")
    }
  }
}

/// A failure with the system's own words as its reason.
func systemFailure(_ code: String, _ what: String, _ number: CInt) -> Failure {
  let reason = unsafe String(cString: strerror(number))
  return Failure(code, what, why: reason, hints: number == ENOSPC ? ["free some space, then run it again"] : [])
}
