internal import Answers
internal import Console
internal import Store

private extension Option {
  static let force = Option("force", help: "Replace a backup of that name")
}

extension Command {
  static let backup = Command(
    "backup", group: "OPERATIONS", purpose: "Copy a database, checked, while it is in use",
    discussion: """
      The copy is one moment of the database: whole, examined, on disk before it gets its name. FILE.sha256 beside it \
      holds its checksum, as sha256sum writes it. It contains the keys that ids are hashed with, so only its owner may \
      read it. Never copy the file of a running service with cp.
      """,
    arguments: [.init("FILE", completion: "files", help: "The backup to write")],
    options: [.database, .force, .now] + Option.answer,
    examples: [
      .init("Every night", "uptake backup /backup/uptake-$(date +%F).db --db /var/lib/uptake/uptake.db")
    ],
    exits: [.databaseUnusable], seeAlso: ["restore", "doctor"]
  ) { invocation in
    let (path, target) = (try invocation.databasePath(), invocation.arguments[0])
    let made = try invocation.ticking("copying", unit: "MiB", { Backup.progress(of: path, at: target) }) {
      try Backup.make(of: path, at: target, replacing: invocation.flag(.force), now: invocation.instant)
    }
    let columns: [Table.Column] = [
      .init("BACKUP", key: "path"), .init("EVENTS", key: "events"), .init("BYTES", key: "bytes"),
      .init("SHA-256", key: "sha256"),
    ]
    let row: [Cell] = [.text(made.path), .count(Int(made.events)), .count(made.bytes), .text(made.digest)]
    let document: JSON = [
      "schema": "uptake.backup/1",
      "data": [
        [
          "path": .string(made.path), "events": .integer(Int(made.events)), "bytes": .integer(made.bytes),
          "sha256": .string(made.digest),
        ]
      ],
    ]
    try invocation.show(Presentation(table: Table(columns, rows: [row]), document: document))
    return .done
  }
}
