import Glibc

/// Checks that look at files and locks, not into the database.
enum FileChecks {
  static func permissions(_ path: String) -> Word {
    var status = stat()
    guard stat(path, &status) == 0 else { return .fail("cannot look at \(path)", fix: "check the path") }
    guard access(path, R_OK | W_OK) == 0, access(DurableFile.directory(of: path), W_OK) == 0 else {
      return .warn("this user cannot write the file or its directory", fix: "run as the user of the service")
    }
    let mode = status.st_mode & 0o777
    let words = "mode \(String(mode, radix: 8))"
    guard mode & 0o007 == 0 else {
      return .warn("\(words): everybody on this machine may read the keys in it", fix: "chmod o= -- \(name: path)")
    }
    return .ok(words)
  }

  /// - Parameter least: below which a service refuses events.
  static func freeDisk(_ path: String, least: Int) -> Word {
    let (free, size) = (DiskSpace.free(path), DiskSpace.size(path))
    let words = "\(free >> 20) MiB free, the database has \(size >> 20) MiB"
    if free < least {
      let fix: Remedy = "\(command: "retain", options: ["db": path])"
      return .fail(
        words + ": a service refuses events below \(least >> 20) MiB",
        fix:
          "make room on its disk; \(name: path + ".reserve") may be deleted at once. What \(fix) takes out leaves the file as large as it is until --vacuum, which needs room for a copy"
      )
    }
    return free < size
      ? .warn(words + ": no room for a copy beside it", fix: "make room before an upgrade or a vacuum") : .ok(words)
  }

  static func reserve(_ path: String) -> Word {
    let bytes = DiskSpace.size(path + ".reserve")
    if bytes > 0 { return .ok("\(bytes >> 20) MiB are held") }
    // A service that runs, and holds none, gave it back.
    guard DiskSpace.free(path) < 96 << 20, !FileUsers.of(path).isEmpty else {
      return .ok("none is held; a running service holds one, unless --reserve is 0")
    }
    return .warn(
      "none is held: a full disk has it given back", fix: "free some space; a running service then holds one again")
  }

  static func log(_ path: String) -> Word {
    let bytes = DiskSpace.size(path + "-wal")
    let words = "\(bytes >> 20) MiB"
    return bytes > 512 << 20
      ? .warn(words + ": it is not getting shorter", fix: "end the program that reads for long, see readers")
      : .ok(words)
  }

  /// A reader of an old moment keeps the write-ahead log from beginning anew.
  static func readers(_ path: String) -> Word {
    let readers = SnapshotReaders.behind(path)
    guard !readers.isEmpty else {
      let users = FileUsers.of(path)
      return .ok(
        users.isEmpty ? "nobody else has it open" : "open in \(FileUsers.words(users)); nobody reads an old moment")
    }
    let copier = FileUsers.listed(CopyClaim.path(path))
    if readers.allSatisfy({ copier.contains($0.process) && $0.frames < usualLag }) {
      return .ok(
        "\(FileUsers.words(copier)) keeps a copy of it, and reads from where that is; nobody else an old moment")
    }
    let who = readers.map { "\(FileUsers.words([$0.process])) (\($0.frames) pages behind)" }.joined(separator: ", ")
    let isCopier = readers.contains { copier.contains($0.process) }
    return .warn(
      "an old moment is read by \(who)",
      fix: isCopier
        ? "look for copy_failed in the log of the one that keeps the copy: its target may be too slow, or away"
        : "if it stays so, end that process")
  }
}

/// So many pages what keeps a copy may be behind: it lets the log begin anew by itself.
private let usualLag = 4096

/// Who reads a moment of the database that others have written past, as the log's index tells.
enum SnapshotReaders {
  struct Reader: Equatable {
    var process: Int
    var frames: Int
  }

  /// `FILE-shm`: the last valid page of the log at byte 16, the moments of five read marks from byte 100 on; byte 123 and
  /// the four after it are locked by whoever reads at the mark.
  static func behind(_ path: String) -> [Reader] {
    guard let index = try? bytes(path + "-shm", count: 136), index.count == 136 else { return [] }
    func word(_ place: Int) -> Int {
      index[place..<(place + 4)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    let newest = word(16)
    return (1..<5).flatMap { mark -> [Reader] in
      let moment = word(100 + mark * 4)
      guard moment != 0xffff_ffff, moment < newest else { return [] }
      return FileUsers.holders(of: path + "-shm", 123 + mark...123 + mark).map {
        Reader(process: $0, frames: newest - moment)
      }
    }
  }

  /// Opened and closed while this process has no connection to the database: closing would give up its locks.
  private static func bytes(_ path: String, count: Int) throws(StoreError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw DurableFile.failure(path) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: count)
    let found = read(descriptor, &bytes, count)
    return Array(bytes[..<max(0, found)])
  }
}
