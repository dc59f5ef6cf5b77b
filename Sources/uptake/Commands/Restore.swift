internal import Answers
internal import Console
internal import Glibc
internal import Lifecycle
internal import Store

private extension Option {
  static let force = Option("force", help: "Replace the database; what was there is kept as FILE.before-restore")
  static let verify = Option("verify", help: "Also fold all events anew and compare: no shard may differ")
  static let deletions = Option(
    "deletions", .path, completion: "files", help: "A deletion log, where FILE.forgotten is not beside the database")
  static let at = Option("at", .instant, help: "Of a copy of uptake replicate: the last state before this moment")
}

extension Command {
  static let restore = Command(
    "restore", group: "OPERATIONS", purpose: "Put a backup in place, after it was checked",
    discussion: """
      The checksum beside the backup, SQLite's examination of every page, and the schema decide before anything is \
      replaced; an older schema is upgraded. Devices that were forgotten after the backup was made are forgotten \
      again: FILE.forgotten beside the database names them. A database that is in use is never replaced. A folder or \
      s3://BUCKET/PREFIX is a copy of uptake replicate: its newest state, or that of --at, of which every part must be there and \
      as it was written.
      """,
    arguments: [.init("BACKUP", completion: "files", help: "What uptake backup or uptake replicate wrote")],
    options: [.database, .at, .verify, .force, .deletions] + Option.answer,
    examples: [
      .init("Beside the old one, examined thoroughly", "uptake restore backup.db --db restored.db --verify"),
      .init("A copy as it was at noon", "uptake restore /mnt/other/uptake --at 2025-03-03T12:00:00Z --db restored.db"),
      .init("In its place, while the service is stopped", "uptake restore backup.db --db uptake.db --force"),
    ],
    exits: [.databaseUnusable], seeAlso: ["backup", "replicate", "forget", "doctor"]
  ) { invocation in
    var options = Restore.Options()
    options.replaces = invocation.flag(.force)
    options.verifies = invocation.flag(.verify)
    options.deletions = invocation.text(.deletions)
    let path = try invocation.newDatabasePath()
    let restored = try invocation.restored(to: path, options)
    let columns: [Table.Column] = [
      .init("DATABASE", key: "path"), .init("SCHEMA", key: "schemaVersion"), .init("EVENTS", key: "events"),
      .init("FORGOTTEN", key: "forgottenDevices"), .init("VERIFIED", key: "verified"),
    ]
    let row: [Cell] = [
      .text(path), .count(restored.schema), .count(Int(restored.events)), .count(restored.forgotten),
      .flag(restored.isVerified),
    ]
    let document: JSON = [
      "schema": "uptake.restore/1",
      "data": [
        [
          "path": .string(path), "schemaVersion": .integer(restored.schema), "events": .integer(Int(restored.events)),
          "forgottenDevices": .integer(restored.forgotten), "notForgottenDevices": .integer(restored.notForgotten),
          "verified": .bool(restored.isVerified),
          "asOf": restored.at.map { .string($0.rfc3339) } ?? .null,
          "movedAside": restored.movedAside.map(JSON.string) ?? .null,
        ]
      ],
    ]
    let aside = restored.movedAside.map { ["the database that was there is now \($0)"] } ?? []
    let asOf = restored.at.map { ["everything that was stored before \($0.rfc3339) is in it"] } ?? []
    let revoked =
      restored.revoked > 0
      ? ["keys that were revoked after the backup was made are revoked again: \(restored.revoked)"] : []
    try invocation.show(
      Presentation(table: Table(columns, rows: [row]), document: document, notes: asOf + aside + revoked))
    try invocation.warnOfArchives(restored, path)
    return .done
  }
}

extension Invocation {
  /// A folder and what has a scheme are copies, a file is a backup.
  fileprivate func restored(to path: String, _ options: Restore.Options) throws -> Restore {
    let source = arguments[0]
    if source.contains("://") || source.hasPrefix("exec:") || isFolder(source) {
      let moment = instant(.at).map { Timestamp(rawValue: $0.rawValue) }
      return try Restore.run(try copyTarget(source), at: moment, to: path, options, now: self.instant)
    }
    guard instant(.at) == nil else {
      throw Failure(
        "one_moment", "a backup is one moment", place: "--at",
        hints: ["give the folder of uptake replicate, or leave --at out"], exit: .usage)
    }
    return try Restore.run(source, to: path, options, now: self.instant)
  }

  /// Also where notes are not wanted: people who are to be forgotten are in the file.
  fileprivate func warnOfArchives(_ restored: Restore, _ path: String) throws {
    guard restored.notForgotten > 0, let first = restored.unreadArchives.first else { return }
    let (count, others) = (restored.notForgotten, restored.unreadArchives.count - 1)
    let folder = first.lastIndex(of: "/").map { String(first[..<$0]) } ?? first
    let isThere = access(first, F_OK) == 0
    let remedy =
      isThere
      ? "copy it again from where it was kept" : Remedy.lostArchive(others > 0 ? folder : first, of: path)
    let warning = """
      warning: \(counted(count, "device")) that \(count == 1 ? "was" : "were") forgotten after the backup was made \
      \(count == 1 ? "is" : "are") in it again, as they may be in archives that cannot be read: \
      \(first)\(others > 0 ? " and \(others) more" : "")
      """
    let hint = "hint: \(remedy.words); uptake serve forgets them as it starts, once it can"
    for line in [warning, hint] { try host.errors.write(harmless(line) + "\n") }
  }

  private func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
