internal import Answers
internal import Console
internal import Glibc
internal import Lifecycle
internal import Store

private extension Option {
  static let raw = Option("raw", .duration, help: "Keep single events that were received within this time")
  static let archive = Option(
    "archive", .path, value: "DIR", completion: "directories", help: "Put older ones into compressed archives there")
  static let drop = Option("drop", help: "Drop older ones")
  static let dryRun = Option("dry-run", help: "Only count them")
  static let vacuum = Option("vacuum", help: "Give their space back to the system; nothing else can write meanwhile")
}

extension Command {
  static let retain = Command(
    "retain", group: "OPERATIONS", purpose: "Archive or drop raw events; answers stay the same",
    discussion: """
      Journeys, contacts and wake-ups are kept for good; single events serve only the trail of a device and a fold from \
      nothing. They leave in small transactions, beside a running service; interrupted, the next run finishes. Their \
      space is used again by new events: the file stops growing, and shrinks with --vacuum. uptake import puts an \
      archive back. uptake serve --retain-raw does this every day.
      """,
    options: [.database, .raw, .archive, .drop, .vacuum, .dryRun, .now] + Option.answer,
    examples: [
      .init("Into archives", "uptake retain --raw 30d --archive /var/lib/uptake/archive"),
      .init("How many would go", "uptake retain --raw 30d --dry-run"),
    ],
    exits: [.databaseUnusable], seeAlso: ["import", "serve", "forget"]
  ) { invocation in
    try invocation.show(invocation.retain())
    return .done
  }
}

extension Invocation {
  fileprivate func retain() throws -> Presentation {
    let before = try Timestamp(rawValue: instant.rawValue - duration(needed: .raw).rawValue)
    let log = try EventLog(existing: databasePath())
    if flag(.dryRun) {
      return retention("WOULD GO", try log.retainable(before: before), archives: [], bytes: 0, isDry: true)
    }
    guard (text(.archive) == nil) == flag(.drop) else {
      throw Failure(
        "where_to", "say where old events go", hints: ["--archive DIR keeps them, --drop does not"], exit: .usage)
    }
    let directory = try text(.archive).map(madeDirectory)
    try log.settle()
    let report = try log.retain(before: before, archives: directory)
    if flag(.vacuum) { try log.vacuum() }
    return retention("REMOVED", report.events, archives: report.archives, bytes: report.bytes, isDry: false)
  }

  private func retention(
    _ title: String, _ events: Int64, archives: [String], bytes: Int, isDry: Bool
  ) -> Presentation {
    let document: JSON = [
      "schema": "uptake.retain/1",
      "data": [
        [
          "events": .integer(Int(events)), "archives": .array(archives.map(JSON.string)),
          "archiveBytes": .integer(bytes), "dryRun": .bool(isDry),
        ]
      ],
    ]
    return Presentation(
      table: Table(
        [.init(title, key: "events"), .init("ARCHIVES", key: "archives"), .init("BYTES", key: "archiveBytes")],
        rows: [[.count(Int(events)), .count(archives.count), .count(bytes)]]), document: document)
  }
}

/// The whole path of a directory, made where there is none; only its owner may read it.
func madeDirectory(_ path: String) throws(Failure) -> String {
  if mkdir(path, 0o700) != 0, errno != EEXIST {
    throw Failure("no_directory", "cannot create \(path)", why: String(cString: strerror(errno)))
  }
  guard let whole = realpath(path, nil) else {
    throw Failure("no_directory", "cannot use \(path)", why: String(cString: strerror(errno)))
  }
  defer { free(whole) }
  return String(cString: whole)
}
