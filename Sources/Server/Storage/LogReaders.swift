internal import Glibc
internal import Locks

/// Who holds an old snapshot of the database: while one lasts, the write-ahead log cannot begin anew and grows.
///
/// SQLite's readers hold a shared lock on a byte of the `-shm` file, and Linux lists locks with their owners.
final class LogReaders: Sendable {
  struct Reader: Equatable, Sendable {
    var process: Int
    /// The program's name, as the system knows it; never its arguments.
    var program: String
    var seconds: Int
  }
  private let path: String
  private let firstSeen = Lock<[Int: Int]>([:])

  init(database path: String) { self.path = path }

  /// The processes that have held a reader's lock at every look so far, the oldest first.
  ///
  /// - Parameter now: seconds of any clock that does not jump.
  func look(now: Int, locks: String? = systemLocks()) -> [Reader] {
    let holders = Self.holders(locks ?? "", inode: inode(path + "-shm"))
    let seen = firstSeen.withLock { seen in
      seen = Dictionary(uniqueKeysWithValues: holders.map { ($0, seen[$0] ?? now) })
      return seen
    }
    return seen.map { Reader(process: $0.key, program: name($0.key), seconds: now - $0.value) }
      .sorted { ($1.seconds, $0.process) < ($0.seconds, $1.process) }
  }

  /// The bytes of the `-shm` file that readers lock: `WAL_READ_LOCK(0)` to `(4)` of SQLite's wal.c.
  private static let readerBytes = 123...127

  /// A line reads `12: POSIX  ADVISORY  READ  4711 08:01:1234 124 124`.
  static func holders(_ locks: String, inode: UInt64?) -> Set<Int> {
    guard let inode else { return [] }
    var found: Set<Int> = []
    for line in locks.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count >= 8, words[1] == "POSIX", words[3] == "READ",
        words[5].split(separator: ":").last.flatMap({ UInt64($0) }) == inode, let first = Int(words[6]),
        readerBytes.contains(first), let process = Int(words[4])
      else { continue }
      found.insert(process)
    }
    return found
  }

  private func name(_ process: Int) -> String {
    readSystemFile("/proc/\(process)/comm")?.split(separator: "\n").first.map(String.init) ?? "unknown"
  }
}

private func systemLocks() -> String? { readSystemFile("/proc/locks") }

private func inode(_ path: String) -> UInt64? {
  var status = stat()
  return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
}

/// A file of the system that says its size is 0.
private func readSystemFile(_ path: String) -> String? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var (bytes, piece) = ([UInt8](), [UInt8](repeating: 0, count: 16_384))
  while case let count = read(descriptor, &piece, piece.count), count > 0 { bytes += piece[..<count] }
  return String(decoding: bytes, as: UTF8.self)
}
