internal import Console
internal import Foundation
internal import Lifecycle
internal import Query
internal import Report
internal import Store

private extension Option {
  static let out = Option(
    "out", .text, value: "DIR", completion: "files", help: "The folder to write to; made where missing")
  static let release = Option(
    "release", .text, arity: .list, completion: "releases", help: "Only these releases; all where not given")
  static let pages = Option(
    "pages", .text, value: "DIR", completion: "files", help: "A folder with own pages, *.json; see dashboards/README.md"
  )
}

extension Command {
  static let writeReport = Command(
    "report", group: "DATA", purpose: "Write pages that show how releases fare",
    discussion: """
      Pages need no server, no script and no network: each is one file that opens by a double click. The same data and \
      the same --now give the same bytes.
      """,
    options: [.database, .out, .release, .pages, .app, .now],
    examples: [
      .init("Pages of everything in the database", "uptake report --db uptake.db --out site"),
      .init("With own pages", "uptake report --db uptake.db --out site --pages my-pages"),
    ],
    exits: [.databaseUnusable], seeAlso: ["time-to-update", "push", "help definitions"]
  ) { invocation in
    guard let folder = invocation.text(.out) else {
      throw Failure("no_folder", "no folder to write to is named", hints: ["name it with --out DIR"], exit: .usage)
    }
    let site = try site(invocation)
    let snapshot = try invocation.snapshot()
    let answers = try siteAnswers(invocation, snapshot)
    let files = try site.files(answers)
    for file in files { try write(file, below: folder) }
    let bytes = files.reduce(0) { $0 + $1.text.utf8.count }
    try invocation.print("\(folder)/index.html\t\(files.count) files\t\(bytes) bytes\n")
    return .done
  }
}

/// The built-in pages and those of `--pages`.
private func site(_ invocation: Invocation) throws -> Site {
  guard let folder = invocation.text(.pages) else { return try Site() }
  let names: [String]
  do {
    names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().filter { $0.hasSuffix(".json") }
  } catch {
    throw Failure("no_pages", "the folder \(folder) cannot be read", exit: .usage)
  }
  let pages = try names.map { name in
    (file: name, json: try String(contentsOfFile: folder + "/" + name, encoding: .utf8))
  }
  do { return try Site(pages: pages) } catch {
    throw Failure("bad_page", "\(folder)/\(error)", exit: .usage)
  }
}

private func siteAnswers(_ invocation: Invocation, _ snapshot: borrowing Snapshot) throws -> SiteAnswers {
  let vocabulary = snapshot.vocabulary
  let (app, now) = (try vocabulary.chosenApp(invocation.text(.app)), invocation.instant)
  let asking = Asking(app: app, now: now, cutOff: CutOff(vocabulary, app: app, now: now).at)
  let wanted = invocation.texts(.release)
  for label in wanted { _ = try asking.chosen(snapshot, ReleaseLabel(rawValue: label)) }
  var releases: [ReleaseAnswers] = []
  for record in vocabulary.releases
  where record.app == app && (wanted.isEmpty || wanted.contains(record.label.rawValue)) {
    if let answers = try asking.release(snapshot, record.label) { releases.append(answers) }
  }
  releases.sort { newer($0.standing.facts, $1.standing.facts) }
  let newest = releases.first.map { ReleaseLabel(rawValue: $0.standing.facts.label) }
  return SiteAnswers(
    app: app, now: now, command: commandLine(invocation), version: invocation.program.version, releases: releases,
    current: try asking.current(snapshot, known: releases.map(\.standing)),
    reach: try newest.map { try Reach.answer(snapshot, try asking.chosen(snapshot, $0)) },
    push: try Push.answer(snapshot, try Extent(vocabulary, app: app, now: now)))
}

private func newer(_ one: ReleaseFacts, _ other: ReleaseFacts) -> Bool {
  let (left, right) = (one.publishedAt?.rawValue ?? .min, other.publishedAt?.rawValue ?? .min)
  return left == right ? one.label < other.label : left > right
}

/// As it would be typed again, with the present that it took.
private func commandLine(_ invocation: Invocation) -> String {
  let quoted = { (word: String) in
    word.allSatisfy { $0.isLetter || $0.isNumber || "._-/:".contains($0) }
      ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
  var words = ["uptake", "report"]
  for (name, text) in [
    ("db", invocation.text(.database)), ("app", invocation.text(.app)), ("pages", invocation.text(.pages)),
  ] {
    if let text { words += ["--" + name, quoted(text)] }
  }
  for label in invocation.texts(.release) { words += ["--release", quoted(label)] }
  return (words + ["--now", invocation.instant.rfc3339]).joined(separator: " ")
}

/// Under a temporary name first, synced, then renamed: a reader sees the old page or the new one, whole.
private func write(_ file: SiteFile, below folder: String) throws {
  let target = URL(fileURLWithPath: folder).appendingPathComponent(file.path)
  try FileManager.default.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
  let temporary = target.deletingLastPathComponent().appendingPathComponent("." + target.lastPathComponent + ".new")
  guard FileManager.default.createFile(atPath: temporary.path, contents: nil) else {
    throw Failure("not_written", "\(temporary.path) cannot be written", exit: .failed)
  }
  let handle = try FileHandle(forWritingTo: temporary)
  try handle.write(contentsOf: Data(file.text.utf8))
  try handle.synchronize()
  try handle.close()
  guard rename(temporary.path, target.path) == 0 else {
    throw Failure("not_written", "\(target.path) cannot be replaced", exit: .failed)
  }
}
