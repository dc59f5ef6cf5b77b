public import Lifecycle

/// A copy of a database that was checked as it was made.
public struct Backup: Sendable {
  public var path: String
  public var bytes: Int
  public var events: Int64
  /// SHA-256 in hexadecimal digits, as in the file beside it.
  public var digest: String

  /// Copies a database while others write to it: one moment of it, whole and checked, under its name or not at all.
  ///
  /// The secret keys for hashing are part of it, so only its owner can read it.
  public static func make(
    of path: String, at target: String, replacing: Bool, now: Timestamp
  ) throws(StoreError) -> Backup {
    let connection = try Connection(path: path, mode: .read)
    if try Schema.check(connection) == 0 { throw StoreError(.emptyFile, path: path) }
    if DurableFile.areOne(path, target) { throw StoreError(.refused(.itself), path: target) }
    if !replacing, DurableFile.exists(target) { throw StoreError(.refused(.exists), path: target) }
    var (events, digest) = (Int64(0), "")
    let replaced = digests(of: target)
    try connection.copy(to: target) { part throws(StoreError) in
      let copy = try Connection(path: part, mode: .read)
      try Integrity.require(copy)
      events = try copy.integer("SELECT count(*) FROM event")
      // Before the name, and beside that of the file that has it: killed anywhere, what is there can be restored.
      digest = try Checksum.of(part)
      try Checksum.write([digest] + replaced, of: target)
    }
    if !replaced.isEmpty { try Checksum.write([digest], of: target) }
    try? note(now, path)
    return Backup(path: target, bytes: DiskSpace.size(target), events: events, digest: digest)
  }

  /// Of what is to be replaced: after a run that was killed amid that, two are written and one is right.
  private static func digests(of target: String) -> [String] {
    guard DurableFile.exists(target), let written = try? Checksum.written(of: target) else { return [] }
    guard written.count > 1 else { return written }
    guard let found = try? Checksum.of(target) else { return [] }
    return written.filter { $0 == found }
  }

  /// How much of a copy in the making is written, in MiB, and which part that is of the file it is made of: what the database has
  /// in its write-ahead log is not counted.
  public static func progress(of path: String, at target: String) -> (count: Int, part: Double?) {
    let (whole, done) = (DiskSpace.size(path), DiskSpace.size(target + ".part"))
    return (done >> 20, whole > 0 ? Double(done) / Double(whole) : nil)
  }

  /// For `uptake doctor`; a database that cannot be written has its backup all the same.
  private static func note(_ now: Timestamp, _ path: String) throws(StoreError) {
    try Connection(path: path, mode: .write).prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('backup', ?)")
      .run(.integer(now.rawValue))
  }
}

/// SQLite's own examination of a whole file.
enum Integrity {
  static func problems(_ connection: borrowing Connection) throws(StoreError) -> [String] {
    try connection.prepare("PRAGMA integrity_check(20)").rows { $0.text(0) }.filter { $0 != "ok" }
  }

  static func require(_ connection: borrowing Connection) throws(StoreError) {
    if let problem = try problems(connection).first {
      throw StoreError(.corrupt, path: connection.path, reason: problem)
    }
  }
}
