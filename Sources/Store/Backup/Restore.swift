import Glibc
public import Lifecycle

/// Puts a backup where a database is to be, after everything that can be checked was.
public struct Restore: Sendable {
  public var schema: Int
  public var events: Int64
  /// Devices that were forgotten after the backup was made, and are forgotten again.
  public var forgotten: Int
  /// Devices that were forgotten likewise and are in it again: an archive that may hold them cannot be read. A service forgets them as
  /// it starts, once it can.
  public var notForgotten: Int { waiting.count }
  /// Those archives.
  public var unreadArchives: [String] = []
  /// Keys that were revoked after the backup was made, and are revoked again.
  public var revoked: Int
  /// Whether all shards were compared with a fresh fold of the events.
  public var isVerified: Bool
  /// Where the database that was there before lies now.
  public var movedAside: String?
  /// Of a continuous copy: everything that was committed before is in it.
  public var at: Timestamp?
  private var waiting: [DeletionLog.Entry] = []

  public struct Options: Sendable {
    /// Replace what is at the target; it is moved aside.
    public var replaces = false
    /// Compare all shards with a fresh fold.
    public var verifies = false
    /// A deletion log beside the one of the target.
    public var deletions: String?
    public init() {}
  }

  public static func run(
    _ backup: String, to target: String, _ options: Options, now: Timestamp
  ) throws(StoreError) -> Restore {
    guard DurableFile.exists(backup) else { throw StoreError(.refused(.backupMissing), path: backup) }
    return try run(to: target, options, now) { part throws(StoreError) in
      try copy(backup, to: part)
      return nil
    }
  }

  /// Of a continuous copy: its newest state, or the last one before a moment.
  public static func run(
    _ copy: any CopyTarget, at moment: Timestamp?, to target: String, _ options: Options, now: Timestamp
  ) throws(StoreError) -> Restore {
    let source = try CopyRestore(copy, at: moment)
    var restore = try run(to: target, options, now) { part throws(StoreError) in
      let file = try PartFile(part, ownedLike: owner(part))
      try source.write(to: file)
      let forgotten = part + ".forgotten"
      return try source.writeForgotten(to: forgotten) ? forgotten : nil
    }
    restore.at = source.at
    return restore
  }

  /// - Parameter fill: makes the file of this name, and answers where a deletion log lies that belongs to it, to be removed.
  private static func run(
    to target: String, _ options: Options, _ now: Timestamp, fill: (String) throws(StoreError) -> String?
  ) throws(StoreError) -> Restore {
    if !options.replaces, DurableFile.exists(target) { throw StoreError(.refused(.exists), path: target) }
    let users = FileUsers.of(target)
    if !users.isEmpty { throw StoreError(.refused(.inUse(processes: users)), path: target) }
    let part = target + ".part"
    // What a killed run left beside it would be applied to the new file.
    remove(part)
    do throws(StoreError) {
      let deletions = try fill(part)
      defer { if let deletions { unlink(deletions) } }
      let logs = [DeletionLog.path(target), options.deletions, deletions].compactMap(\.self)
      var restore = try examine(part, options, replacing: target, logs, now)
      restore.revoked = try RevokedKeys.carry(from: target, to: part)
      try CarriedKeyUses.carry(from: target, to: part)
      try restore.note(part, now: now)
      try restore.noteWaiting(beside: target)
      restore.movedAside = try moveAside(target)
      try DurableFile.rename(part, to: target)
      return restore
    } catch {
      remove(part)
      throw error
    }
  }

  /// Of the database in whose place it comes; of a new one that of its folder, as a service would make it.
  private static func owner(_ part: String) -> String {
    let target = String(part.dropLast(".part".count))
    return DurableFile.exists(target) ? target : DurableFile.directory(of: target)
  }

  private static func remove(_ part: String) {
    for suffix in ["", "-wal", "-shm", "-journal", ".forgotten"] { unlink(part + suffix) }
  }

  /// The very bytes that are copied are held against the checksum.
  private static func copy(_ backup: String, to part: String) throws(StoreError) {
    let expected = try Checksum.written(of: backup)
    let file = try PartFile(part, ownedLike: owner(part))
    let found = try Checksum.reading(backup) { piece throws(StoreError) in try file.write(piece) }
    guard expected.contains(found) else {
      throw StoreError(.refused(.checksumDiffers(expected: expected.first ?? "", found: found)), path: backup)
    }
  }

  /// - Parameter logs: which devices were forgotten since.
  private static func examine(
    _ part: String, _ options: Options, replacing target: String, _ logs: [String], _ now: Timestamp
  ) throws(StoreError) -> Restore {
    let connection = try Connection(path: part, mode: .write)
    if try Schema.check(connection) == 0 { throw StoreError(.emptyFile, path: part) }
    try Integrity.require(connection)
    try connection.execute("PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")
    try Schema.migrate(connection, .none)
    if options.verifies {
      let different = try FreshFold.differences(Connection(path: part, mode: .read))
      if !different.isEmpty { throw StoreError(.refused(.shardsDiffer(tables: different)), path: part) }
    }
    try CarriedAudit.carry(from: target, to: connection)
    try ArchiveMount.leave(connection)
    let forgetting = try Forgetting(path: part)
    let replay = try forgetting.replay(logs, now: now)
    if replay.forgotten.devices > 0 { _ = try forgetting.scrub() }
    let events = try forgetting.connection.integer("SELECT count(*) FROM event")
    var restore = Restore(
      schema: Schema.known, events: events, forgotten: replay.forgotten.devices, revoked: 0,
      isVerified: options.verifies, movedAside: nil)
    (restore.waiting, restore.unreadArchives) = (replay.waiting, replay.archives)
    return restore
  }

  /// Into the log that the next start reads: another one that was named is not there then.
  private func noteWaiting(beside target: String) throws(StoreError) {
    let known = Set(try DeletionLog.read(DeletionLog.path(target)))
    let missing = waiting.filter { !known.contains($0) }
    if !missing.isEmpty { try DeletionLog.append(missing, database: target) }
  }

  private func note(_ part: String, now: Timestamp) throws(StoreError) {
    let connection = try Connection(path: part, mode: .write)
    var facts = [("events", events), ("forgottenDevices", Int64(forgotten)), ("revokedKeys", Int64(revoked))]
    if notForgotten > 0 { facts.append(("notForgotten", Int64(notForgotten))) }
    try connection.transaction { () throws(StoreError) in
      try AuditEntry.write(.restore, by: .thisUser, at: now, facts.map { .init($0.0, $0.1) }, connection)
    }
  }

  /// A write-ahead log belongs to one file alone: it moves with it, so that it can never be applied to another. What it
  /// holds goes into its file before, as far as that can still be written: killed in between, nothing is torn apart.
  ///
  /// Nothing that was moved aside earlier is replaced.
  private static func moveAside(_ target: String) throws(StoreError) -> String? {
    guard DurableFile.exists(target) else { return nil }
    try? Connection(path: target, mode: .write).execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let aside = freeName(target + ".before-restore")
    for suffix in ["-wal", "-shm", ""] where DurableFile.exists(target + suffix) {
      guard rename(target + suffix, aside + suffix) == 0 else { throw DurableFile.failure(aside + suffix) }
    }
    return aside
  }

  private static func freeName(_ stem: String) -> String {
    let names = (1...).lazy.map { $0 == 1 ? stem : "\(stem)-\($0)" }
    return names.first { name in ["", "-wal", "-shm"].allSatisfy { !DurableFile.isTaken(name + $0) } } ?? stem
  }
}
