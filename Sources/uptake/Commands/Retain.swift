internal import Answers
internal import Console
internal import Glibc
internal import Lifecycle
internal import Store

private extension Option {
  static let raw = Option("raw", .duration, help: "Keep single events that were received within this time")
  static let shipped = Option("shipped", help: "Only events that a warehouse has; see --older")
  static let older = Option(
    "older", .duration, help: "With --shipped: keep what was received within this time; default 1h")
  static let archive = Option(
    "archive", .path, value: "DIR", completion: "directories", help: "Put older ones into compressed archives there")
  static let drop = Option("drop", help: "Drop older ones")
  static let lost = Option(
    "lost", .path, value: "PATH", completion: "files",
    help: "Take an archive that is gone, or those of a folder, as lost: forgetting no longer waits for it")
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

      What a warehouse lacks that the file is shipped to never goes. With --shipped nothing goes that is in no warehouse, and \
      the rest as soon as it is an hour old: a node that only takes events and sends them on stays small. \
      uptake serve --retain-shipped does this every hour.

      A device that may be in an archive that is not there cannot be forgotten. Where the archive is gone for good, as with its disk, \
      --lost says so: its events count as dropped, the audit notes it, and what was to be forgotten is forgotten at once.
      """,
    options: [.database, .raw, .shipped, .older, .archive, .drop, .lost, .vacuum, .dryRun, .now] + Option.answer,
    examples: [
      .init("Into archives", "uptake retain --raw 30d --archive /var/lib/uptake/archive"),
      .init("How many would go", "uptake retain --raw 30d --dry-run"),
      .init("On a node of a warehouse", "uptake retain --shipped --drop"),
      .init("After an archive was lost for good", "uptake retain --lost /mnt/archive/events-1-1023.uptk"),
    ],
    exits: [.databaseUnusable], seeAlso: ["import", "serve", "ship", "forget"]
  ) { invocation in
    if let place = invocation.text(.lost) { return try invocation.giveUp(place) }
    try invocation.show(invocation.retain())
    return .done
  }
}

extension Invocation {
  fileprivate func retain() throws -> Presentation {
    let before = try Timestamp(rawValue: instant.rawValue - retained().rawValue)
    let (log, onlyShipped) = (try EventLog(existing: databasePath()), flag(.shipped))
    if onlyShipped { try tellShipped(log.path) }
    if flag(.dryRun) {
      let events = try log.retainable(before: before, onlyShipped: onlyShipped)
      return retention("WOULD GO", events, archives: [], bytes: 0, isDry: true)
    }
    guard (text(.archive) == nil) == flag(.drop) else {
      throw Failure(
        "where_to", "say where old events go", hints: ["--archive DIR keeps them, --drop does not"], exit: .usage)
    }
    let directory = try text(.archive).map { try ArchiveFolder.made($0, for: log.path) }
    try log.settle()
    let report = try log.retain(before: before, archives: directory, onlyShipped: onlyShipped)
    try log.noteRetention(Timestamp(rawValue: instant.rawValue))
    try log.noteRetention(failure: nil, at: Timestamp(rawValue: instant.rawValue))
    if flag(.vacuum) { try log.vacuum() }
    return retention("REMOVED", report.events, archives: report.archives, bytes: report.bytes, isDry: false)
  }

  /// Forgets what waited for the archives, too. Others that are missing may hold it up still: what was done is shown before that is told.
  fileprivate func giveUp(_ place: String) throws -> ExitCode {
    try requireAlone()
    let (log, whole) = (try EventLog(existing: databasePath()), wholePath(place))
    if flag(.dryRun) {
      try show(lostPresentation(try log.missingArchives(at: whole), isDry: true))
      return .done
    }
    let now = Timestamp(rawValue: instant.rawValue)
    try show(lostPresentation(try log.giveUpArchives(at: whole, now: now), isDry: false))
    let forgotten = try log.finishForgetting(now: now)
    if forgotten > 0 { try note([forgotten == 1 ? "1 device was forgotten" : "\(forgotten) devices were forgotten"]) }
    return .done
  }

  /// Nothing else is taken out meanwhile.
  private func requireAlone() throws(Failure) {
    let others: [Option] = [.raw, .shipped, .older, .archive, .drop, .vacuum]
    guard let other = others.first(where: { settings.setting($0).map { $0.origin != .fallback } ?? false }) else {
      return
    }
    throw Failure(
      "lost_alone", "--\(other.name) takes events out, --lost does not", place: "--lost",
      hints: ["leave it out here"], exit: .usage)
  }

  /// As retention writes paths down: without links, as far as it is there.
  private func wholePath(_ path: String) -> String {
    if let real = realPath(path) { return real }
    let whole = path.hasPrefix("/") ? path : (realPath(".") ?? "") + "/" + path
    let names = whole.split(separator: "/").filter { $0 != "." }
    let folder = "/" + names.dropLast().joined(separator: "/")
    return [realPath(folder) ?? folder, names.last.map(String.init) ?? ""].joined(separator: "/").replacing(
      "//", with: "/")
  }

  private func realPath(_ path: String) -> String? {
    guard let whole = realpath(path, nil) else { return nil }
    defer { free(whole) }
    return String(cString: whole)
  }

  private func lostPresentation(_ lost: LostArchives, isDry: Bool) -> Presentation {
    retention(
      isDry ? "WOULD BE LOST" : "LOST", lost.events, archives: lost.archives, bytes: 0, isDry: isDry, isLost: true)
  }

  /// For how long events are kept.
  private func retained() throws -> Console.Duration {
    guard flag(.shipped) else {
      guard duration(.older) == nil else {
        throw Failure(
          "older_unused", "--older is about what was shipped", place: "--older", hints: ["add --shipped, or use --raw"],
          exit: .usage)
      }
      return try duration(needed: .raw)
    }
    guard duration(.raw) == nil else {
      throw Failure(
        "two_ages", "--raw and --shipped both say what is kept", place: "--shipped",
        hints: ["give --shipped with --older, or --raw alone"], exit: .usage)
    }
    return duration(.older) ?? Console.Duration(rawValue: 3_600_000)
  }

  /// Of a file that is shipped nowhere nothing would go, which is not what was meant.
  private func tellShipped(_ path: String) throws {
    guard let lacking = try ShippingLog.lacking(path: path) else {
      throw Failure(
        "shipped_nowhere", "no warehouse has anything of \(path)", place: "--shipped",
        hints: ["send it first: uptake ship --to URL, or uptake serve --ship URL"])
    }
    if lacking > 0 {
      try note([
        lacking == 1 ? "1 event waits to be shipped; it stays" : "\(lacking) events wait to be shipped; they stay"
      ])
    }
  }

  private func retention(
    _ title: String, _ events: Int64, archives: [String], bytes: Int, isDry: Bool, isLost: Bool = false
  ) -> Presentation {
    let document: JSON = [
      "schema": "uptake.retain/1",
      "data": [
        [
          "events": .integer(Int(events)), "archives": .array(archives.map(JSON.string)),
          "archiveBytes": .integer(bytes), "lost": .bool(isLost), "dryRun": .bool(isDry),
        ]
      ],
    ]
    return Presentation(
      table: Table(
        [.init(title, key: "events"), .init("ARCHIVES", key: "archives"), .init("BYTES", key: "archiveBytes")],
        rows: [[.count(Int(events)), .count(archives.count), .count(bytes)]]), document: document)
  }
}
