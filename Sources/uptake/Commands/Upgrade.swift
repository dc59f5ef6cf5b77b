internal import Answers
internal import Console
internal import Store

private extension Option {
  static let noSnapshot = Option("no-snapshot", help: "Keep no copy of the file as it was")
}

extension Command {
  static let upgrade = Command(
    "upgrade", group: "OPERATIONS", purpose: "Upgrade a database to this program's schema",
    discussion: """
      Whatever writes to an older database upgrades it by itself; questions only read, and ask for this command. A copy \
      of the file is left beside it as FILE.schema-N. Each step is one transaction: interrupted anywhere, the next run \
      goes on. Older programs refuse the file from then on; to go back, put the copy in its place.
      """,
    options: [.database, .noSnapshot],
    examples: [
      .init("After a new version was installed", "uptake upgrade --db uptake.db"),
      .init("Where a backup lies elsewhere", "uptake upgrade --db uptake.db --no-snapshot"),
    ],
    exits: [.databaseUnusable], seeAlso: ["backup", "doctor"]
  ) { invocation in
    let path = try invocation.databasePath()
    let (from, to) = try invocation.ticking("upgrading") {
      try Upgrade.run(path: path, snapshot: !invocation.flag(.noSnapshot))
    }
    if from == to {
      try invocation.note(["\(path) has schema \(to) already"])
    } else {
      let copy = invocation.flag(.noSnapshot) ? "" : "; as it was: \(Upgrade.snapshotPath(path, version: from))"
      try invocation.note(["\(path) was upgraded from schema \(from) to \(to)\(copy)"])
    }
    return .done
  }
}
