internal import Answers
internal import Console
internal import Store

private extension Option {
  static let force = Option("force", help: "Replace the database; what was there is kept as FILE.before-restore")
  static let verify = Option("verify", help: "Also fold all events anew and compare: no shard may differ")
  static let deletions = Option(
    "deletions", .path, completion: "files", help: "A deletion log, where FILE.forgotten is not beside the database")
}

extension Command {
  static let restore = Command(
    "restore", group: "OPERATIONS", purpose: "Put a backup in place, after it was checked",
    discussion: """
      The checksum beside the backup, SQLite's examination of every page, and the schema decide before anything is \
      replaced; an older schema is upgraded. Devices that were forgotten after the backup was made are forgotten \
      again: FILE.forgotten beside the database names them. A database that is in use is never replaced.
      """,
    arguments: [.init("BACKUP", completion: "files", help: "What uptake backup wrote")],
    options: [.database, .verify, .force, .deletions] + Option.answer,
    examples: [
      .init("Beside the old one, examined thoroughly", "uptake restore backup.db --db restored.db --verify"),
      .init("In its place, while the service is stopped", "uptake restore backup.db --db uptake.db --force"),
    ],
    exits: [.databaseUnusable], seeAlso: ["backup", "forget", "doctor"]
  ) { invocation in
    var options = Restore.Options()
    options.replaces = invocation.flag(.force)
    options.verifies = invocation.flag(.verify)
    options.deletions = invocation.text(.deletions)
    let path = try invocation.newDatabasePath()
    let restored = try Restore.run(invocation.arguments[0], to: path, options)
    let columns: [Table.Column] = [
      .init("DATABASE", key: "path"), .init("SCHEMA", key: "schemaVersion"), .init("EVENTS", key: "events"),
      .init("FORGOTTEN", key: "forgottenDevices"), .init("VERIFIED", key: "verified"),
    ]
    let row: [Cell] = [
      .text(path), .count(restored.schema), .count(Int(restored.events)), .count(restored.forgotten),
      .text(restored.isVerified ? "yes" : "no"),
    ]
    let document: JSON = [
      "schema": "uptake.restore/1",
      "data": [
        [
          "path": .string(path), "schemaVersion": .integer(restored.schema), "events": .integer(Int(restored.events)),
          "forgottenDevices": .integer(restored.forgotten), "verified": .bool(restored.isVerified),
          "movedAside": restored.movedAside.map(JSON.string) ?? .null,
        ]
      ],
    ]
    let aside = restored.movedAside.map { ["the database that was there is now \($0)"] } ?? []
    let revoked =
      restored.revoked > 0
      ? ["keys that were revoked after the backup was made are revoked again: \(restored.revoked)"] : []
    try invocation.show(Presentation(table: Table(columns, rows: [row]), document: document, notes: aside + revoked))
    return .done
  }
}
