internal import Answers
internal import Console
internal import Ingest
internal import Lifecycle
internal import Query
internal import Store

private extension Option {
  static let inputFormat = Option(
    "input-format", .choice(ImportOptions.Format.allCases.map(\.rawValue)),
    help: "How the files are written; found out where not given")
  /// `--format` is about the answer everywhere. For files that are no events it may as well say what they are.
  static let importFormat = {
    var format = Option.format
    let files: [ImportOptions.Format] = [.expoLog, .pushResults]
    format.kind = .choice((Console.Format.allCases.map(\.rawValue)) + files.map(\.rawValue))
    format.help += "; expo-log and push-results are the same as --input-format"
    return format
  }()
  static let map = Option(
    "map", .text, value: "FILE", completion: "files",
    help: "How another program's files become events: a map of your own, or a shipped one by its name")
  static let maps = Option("maps", help: "List the shipped maps; with their names as FILE, print them")
  static let rejects = Option(
    "rejects", .text, value: "FILE", completion: "files",
    help:
      "Write the lines that were refused here, as they are and below the row of their columns, to mend and import them")
  static let resume = Option("resume", help: "Go on where an interrupted import of the same file stopped")
  static let dryRun = Option("dry-run", help: "Read and check everything, store nothing; says what the import would")
  static let strict = Option("strict", help: "End with exit status 1 where a line was refused")
}

extension Command {
  static let `import` = Command(
    "import", group: "DATA", purpose: "Store events from files or standard input",
    discussion: """
      Reads NDJSON or CSV, plain or gzip, in any size. An event that is already stored is recognised and not stored \
      again, so importing a file twice does no harm. Lines may carry `received`, the time at which a server got them. \
      Archives of uptake retain go back where they came from.

      Two other kinds of lines are understood when they are named: access logs with the headers of Expo's update checks \
      (expo-log), and what APNs or FCM answered to pushes (push-results). What any other program exports is read by a \
      map (--map), which says where the fields of an event lie in its JSON lines, CSV, TSV or log; docs/maps.md has its keys.
      """,
    arguments: [.init("FILE", .many, completion: "files", help: "Files of events; - is standard input")],
    options: [.database, .app, .inputFormat, .map, .maps, .rejects, .resume, .dryRun, .strict, .now]
      + Option.answer.map { $0.name == Option.format.name ? .importFormat : $0 },
    examples: [
      .init("A file", "uptake import events.ndjson --db uptake.db"),
      .init("What another program writes", "zcat logs/*.gz | uptake import - --db uptake.db"),
      .init(
        "Update checks of Expo's client from an access log",
        "uptake import access.log --format expo-log --app com.example.demo"),
      .init(
        "Update checks of electron-updater from nginx", "uptake import access.log --map electron-updater --app demo"),
      .init("Begin a map of your own", "uptake import --maps posthog > map.toml"),
      .init("Keep what was refused", "uptake import events.csv --rejects refused.csv"),
    ],
    exits: [.importedInPart, .databaseUnusable], seeAlso: ["serve", "simulate"]
  ) { invocation in
    if invocation.flag(.maps) { return try invocation.showMaps() }
    let tally = try invocation.runImport()
    if tally.skipped > 0, tally.read == 0 {
      try invocation.note(["every row was skipped: none holds the map's conditions and says a stage that it lists"])
    }
    try invocation.show(presentation(tally, dryRun: invocation.flag(.dryRun)))
    guard tally.rejected.total > 0 else { return .done }
    return invocation.flag(.strict) || tally.accepted + tally.duplicate == 0 ? .failed : .importedInPart
  }
}

extension ImportOptions.Format {
  /// A form that is no form of an answer.
  fileprivate init?(special word: String) {
    guard Console.Format(rawValue: word) == nil, let format = Self(rawValue: word) else { return nil }
    self = format
  }
}

extension Invocation {
  /// Refusals that are told one by one; the rest is counted.
  private static let complaints = 20

  fileprivate func runImport() throws -> ImportTally {
    guard !arguments.isEmpty else {
      throw Failure(
        "missing_argument", "import needs FILE",
        hints: ["name files, or - for standard input; help: uptake import --help"],
        exit: .usage)
    }
    let options = try importOptions()
    let path = try flag(.dryRun) ? nil : newDatabasePath()
    var run = try importRun(options, path)
    var progress = Progress("importing", unit: "events", on: host.errors, glyphs: glyphs, quiet: flag(.quiet))
    do {
      defer { progress.finish() }
      for file in arguments { try run.run(file, &progress) }
    } catch let problem as ImportProblem {
      throw problem.failure(stored: run.tally.accepted, isOwn: isDatabase(problem))
    }
    let (tally, fold) = try run.finish()
    if let fold { try ticking("sorting by device") { try fold.finish() } }
    if let path { try ticking("counting releases") { try summarise(path) } }
    return tally
  }

  /// - Parameter path: of the database; nil stores nothing, and only compares with what is there.
  private func importRun(_ options: ImportOptions, _ path: String?) throws -> ImportRun {
    let log = try path.map { path throws(StoreError) in try EventLog(path: path) }
    let registry = try path.map { path throws(StoreError) in try Registry(path: path) }
    let rehearsal = log == nil ? try Rehearsal(path: text(.database)) : nil
    guard let keys = log?.identityKeys ?? rehearsal?.identityKeys else { preconditionFailure("one of them is there") }
    // Lines as they came, with the ids of devices.
    let rejects: AtomicFile? =
      if let file = text(.rejects) { try AtomicFile(file, isPrivate: true) } else { nil }
    var told = 0
    return ImportRun(
      log: log, rehearsal: rehearsal, registry: registry, keys: keys, options: options, isResumed: flag(.resume),
      rejects: rejects
    ) { words in
      told += 1
      if told <= Self.complaints { try self.note([words]) }
      if told == Self.complaints + 1 { try self.note(["… more were refused; see the counts, or --rejects FILE"]) }
    }
  }

  private func importOptions() throws -> ImportOptions {
    let form = choice(.inputFormat) ?? text(.importFormat).flatMap(ImportOptions.Format.init(special:))
    var options = ImportOptions(format: form, app: text(.app), now: instant)
    options.map = try eventMap(text(.map), besides: form)
    return options
  }

  /// Whether it is one of Uptake's own, as opposed to another program's.
  private func isDatabase(_ problem: ImportProblem) -> Bool {
    guard case .database(let path) = problem, path != "-" else { return false }
    return (try? Vocabulary(path: path)) != nil
  }

  /// Derived from what is stored: without it questions take longer, and answer the same, so the import is done all the same.
  private func summarise(_ path: String) throws {
    do { try Summary.refresh(path: path) } catch {
      try note(["every event is stored; no summary was made, so questions take longer: \(error)"])
    }
  }
}

extension ImportProblem {
  fileprivate func failure(stored: Int, isOwn: Bool) -> Failure {
    let again = "mend the file and import it again: what is stored is recognised, or go on with --resume"
    let kept = "\(counted(stored, "event")) before that \(stored == 1 ? "is" : "are") stored"
    return Failure(
      "import_stopped", description, why: stored > 0 ? kept : nil,
      hints: databaseHints(isOwn: isOwn) ?? (stored > 0 ? [again] : []), exit: stored > 0 ? .importedInPart : .failed)
  }

  /// nil where it is no database.
  private func databaseHints(isOwn: Bool) -> [String]? {
    guard case .database(let path) = self else { return nil }
    guard isOwn else {
      return ["export its rows as NDJSON or CSV; where its fields are not those of events: --map FILE"]
    }
    return [
      "it is one of Uptake's own; to ask it: \(ShellCommand("uptake", "status").option("db", path))",
      "to put it in place, as a backup: \(ShellCommand("uptake", "restore").argument(path).option("db", "FILE"))",
    ]
  }
}

private func presentation(_ tally: ImportTally, dryRun: Bool) -> Presentation {
  let reasons = RejectionCode.allCases.filter { tally.rejected[$0] > 0 }
  var rows: [[Cell]] = [
    [.term("accepted", words: dryRun ? "would be accepted" : "accepted"), .count(tally.accepted)],
    [.text("duplicate"), .count(tally.duplicate)],
  ]
  if tally.clashing > 0 { rows.append([.term("clashing", words: "  id of another device"), .count(tally.clashing)]) }
  rows.append([.text("rejected"), .count(tally.rejected.total)])
  rows += reasons.map { [.term($0.rawValue, words: "  " + $0.rawValue), .count(tally.rejected[$0])] }
  if tally.skipped > 0 { rows.append([.text("skipped"), .count(tally.skipped)]) }
  if tally.clockAhead > 0 { rows.append([.term("clockAhead", words: "clock ahead"), .count(tally.clockAhead)]) }
  if tally.ignoredFields > 0 {
    rows.append([.term("ignoredFields", words: "ignored fields"), .count(tally.ignoredFields)])
  }
  let document: JSON = [
    "schema": "uptake.import/1",
    "data": [
      [
        "accepted": .integer(tally.accepted), "duplicate": .integer(tally.duplicate),
        "clashing": .integer(tally.clashing), "rejected": .integer(tally.rejected.total),
        "rejectedBy": .object(
          Dictionary(uniqueKeysWithValues: reasons.map { ($0.rawValue, .integer(tally.rejected[$0])) })),
        "clockAhead": .integer(tally.clockAhead), "ignoredFields": .integer(tally.ignoredFields),
        "skipped": .integer(tally.skipped),
        "dryRun": .bool(dryRun),
      ]
    ],
  ]
  let table = Table([.init("EVENTS", key: "events"), .init("COUNT", key: "count")], rows: rows)
  return Presentation(table: table, document: document, notes: clashNotes(tally, dryRun: dryRun) + ignoredNotes(tally))
}

private func clashNotes(_ tally: ImportTally, dryRun: Bool) -> [String] {
  guard tally.clashing > 0 else { return [] }
  let lost = tally.clashing == 1 ? "1 event has" : "\(grouped(tally.clashing)) events have"
  return [
    "\(lost) the id of another device's event, \(dryRun ? "and would be " : "")taken for a resend and lost: an id is of one event of the app,"
      + " so one that is counted on each device needs the device's id before it; or send none"
  ]
}

private func ignoredNotes(_ tally: ImportTally) -> [String] {
  guard !tally.ignoredNames.isEmpty else { return [] }
  let names = tally.ignoredNames.map { name in
    "\"\(name)\"" + (fieldSuggestion(for: name).map { " (did you mean \"\($0)\"?)" } ?? "")
  }
  return ["fields that are not read: " + names.joined(separator: ", ")]
}
