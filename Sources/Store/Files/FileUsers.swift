import Glibc

/// Which processes have a database open: an open database always holds a lock, and the system tells of it.
public enum FileUsers {
  /// Stands for a process that cannot be named from here, such as one in another container.
  public static let unseen = 0

  /// Without this process. Called while this process has no connection to the database: looking would give up its locks.
  public static func of(_ database: String) -> [Int] { holders(of: database, sqliteLocks) }

  /// `process 4711, 4712`.
  public static func words(_ processes: [Int]) -> String {
    let named = processes.filter { $0 != unseen }
    if named.isEmpty { return "a process that cannot be seen from here, such as in another container" }
    return "process " + named.map(String.init).joined(separator: ", ")
  }

  /// From `PENDING_BYTE` to the last of the bytes that SQLite locks together in a database file (os.h, `SHARED_SIZE`).
  private static let sqliteLocks = 0x4000_0000...0x4000_0000 + 511

  /// Processes that hold a lock on some of these bytes of a file. The kernel knows it of every process that shares the file's disk;
  /// the table names only those that can be seen from here, and any with a file of the same number on another disk.
  static func holders(of path: String, _ bytes: ClosedRange<Int>) -> [Int] {
    guard isLocked(path, bytes) else { return [] }
    let listed = listed(path) { $0.overlaps(bytes) }
    return listed.isEmpty ? [unseen] : listed
  }

  /// Processes that the table of locks names, whichever kind of lock they hold.
  static func listed(_ path: String, _ isMeant: (ClosedRange<Int>) -> Bool = { _ in true }) -> [Int] {
    var status = stat()
    guard stat(path, &status) == 0 else { return [] }
    let locks = table().filter { $0.inode == UInt64(status.st_ino) && isMeant($0.bytes) }
    let device = Self.device(status.st_dev)
    // Some file systems tell of another device here than there.
    let here = locks.filter { $0.device == device }
    return Set((here.isEmpty ? locks : here).map(\.process)).subtracting([Int(getpid())]).sorted()
  }

  /// Major and minor number, as the C library packs them (sys/sysmacros.h).
  private static func device(_ packed: dev_t) -> [UInt64] {
    let packed = UInt64(packed)
    return [(packed >> 8 & 0xfff) | (packed >> 32 & ~0xfff), (packed & 0xff) | (packed >> 12 & ~0xff)]
  }

  /// Whether another process would keep this one from writing there.
  private static func isLocked(_ path: String, _ bytes: ClosedRange<Int>) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var lock = flock()
    (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
    (lock.l_start, lock.l_len) = (off_t(bytes.lowerBound), off_t(bytes.count))
    return fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
  }

  private struct Lock {
    var process: Int
    var device: [UInt64]
    var inode: UInt64
    var bytes: ClosedRange<Int>
  }

  /// `1: POSIX  ADVISORY  READ 4711 fe:01:123456 1073741826 1073742335`
  private static func table() -> [Lock] {
    guard let text = try? Text.read("/proc/locks") else { return [] }
    return text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 8, let process = Int(words[4]), let start = Int(words[6]),
        case let place = words[5].split(separator: ":"), place.count == 3, let inode = UInt64(place[2])
      else { return nil }
      return Lock(
        process: process, device: place.prefix(2).compactMap { UInt64($0, radix: 16) }, inode: inode,
        bytes: start...max(start, Int(words[7]) ?? .max))
    }
  }
}

enum Text {
  static func read(_ path: String) throws(StoreError) -> String {
    var bytes: [UInt8] = []
    _ = try Checksum.reading(path) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }
}
