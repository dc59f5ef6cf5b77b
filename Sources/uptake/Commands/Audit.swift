internal import Answers
internal import Console
internal import Lifecycle
internal import Store

private extension Option {
  static let last = Option(
    "last", .integer(1...100_000), fallback: "100", group: "FILTERS", help: "Show only this many of the newest entries")
}

extension Command {
  static let audit = Command(
    "audit", group: "SERVICE", purpose: "Show who published, forgot, made keys or changed limits",
    discussion: """
      The newest entry first. Each is written in the transaction of its act, and the database takes none back: who did it \
      is the number of a key, or the user of this machine who ran the program. No secret is in it, and no device.
      """,
    options: [.database, .app, .since, .until, .last, .now] + Option.answer,
    examples: [
      .init("What was done last", "uptake audit --last 20"),
      .init("Since the last deployment", "uptake audit --app com.example.demo --since 2d --format json"),
    ],
    exits: [.databaseUnusable], seeAlso: ["key", "forget", "release publish"]
  ) { invocation in
    try invocation.requirePeriod()
    let trail = AuditTrail(
      app: invocation.text(.app), since: invocation.timestamp(.since), until: invocation.timestamp(.until),
      limit: invocation.integer(.last) ?? 100)
    let entries = try trail.entries(path: invocation.databasePath())
    let more = entries.count == trail.limit ? ["older entries may be there: --last asks for more"] : []
    try invocation.show(
      auditPresentation(entries, notes: entries.isEmpty ? ["nothing was noted that fits"] : more))
    return .done
  }
}

extension Invocation {
  fileprivate func timestamp(_ option: Option) -> Timestamp? {
    instant(option).map { Timestamp(rawValue: $0.rawValue) }
  }
}
