import Glibc

/// Which processes have a database open, as the system's table of locks tells: an open database always holds one.
public enum FileUsers {
  /// Without this process.
  public static func of(_ database: String) -> [Int] { holders(of: database) { _ in true } }

  /// Processes that hold a lock on some byte of a file for which `isMeant` is true.
  static func holders(of path: String, _ isMeant: (ClosedRange<Int>) -> Bool) -> [Int] {
    var status = stat()
    guard stat(path, &status) == 0 else { return [] }
    var found: Set<Int> = []
    for lock in table() where lock.inode == UInt64(status.st_ino) && isMeant(lock.bytes) { found.insert(lock.process) }
    return found.subtracting([Int(getpid())]).sorted()
  }

  private struct Lock {
    var process: Int
    var inode: UInt64
    var bytes: ClosedRange<Int>
  }

  /// `1: POSIX  ADVISORY  READ 4711 fe:01:123456 1073741826 1073742335`
  private static func table() -> [Lock] {
    guard let text = try? Text.read("/proc/locks") else { return [] }
    return text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 8, let process = Int(words[4]), let start = Int(words[6]),
        let inode = words[5].split(separator: ":").last.flatMap({ UInt64($0) })
      else { return nil }
      return Lock(process: process, inode: inode, bytes: start...max(start, Int(words[7]) ?? .max))
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
