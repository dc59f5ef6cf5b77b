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
  let wanted = Set(invocation.texts(.release))
  let labels = vocabulary.releases.filter { $0.app == app }.map(\.label)
  if let unknown = wanted.first(where: { name in !labels.contains { $0.rawValue == name } }) {
    _ = try Chosen(vocabulary, app: app, release: ReleaseLabel(rawValue: unknown), now: now)
  }
  var releases: [ReleaseAnswers] = []
  for label in labels where wanted.isEmpty || wanted.contains(label.rawValue) {
    let chosen = try Chosen(vocabulary, app: app, release: label, now: now)
    if let answers = try releaseAnswers(snapshot, chosen) { releases.append(answers) }
  }
  releases.sort { newer($0.facts, $1.facts) }
  return SiteAnswers(
    app: app, now: now, command: commandLine(invocation), version: invocation.program.version, releases: releases,
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

/// The questions that a release's page asks; nil where the release is to be published later.
private func releaseAnswers(_ snapshot: borrowing Snapshot, _ chosen: Chosen) throws -> ReleaseAnswers? {
  var options = TimeToUpdate.Options()
  options.points = 300
  func ask(_ change: (inout Selection) -> Void) throws -> Answer<TimeToUpdate> {
    var one = chosen
    change(&one.selection)
    return try TimeToUpdate.answer(snapshot, one, options)
  }
  let channels = try ask { $0.by = [.channel] }
  let facts = releaseFacts(chosen, channels)
  if let published = facts.publishedAt, published > chosen.selection.now { return nil }
  var lead = chosen
  lead.selection.channels = [facts.channel]
  func here(_ change: (inout Selection) -> Void) throws -> Answer<TimeToUpdate> {
    try ask { selection in
      selection.channels = [facts.channel]
      change(&selection)
    }
  }
  return ReleaseAnswers(
    facts: facts, speed: try here { _ in }, adoption: try here { $0.clock = .releaseAge },
    platforms: try here { $0.by = [.platform] }, versions: try here { $0.by = [.appVersion] }, channels: channels,
    funnel: try Funnel.answer(snapshot, lead))
}

private func releaseFacts(_ chosen: Chosen, _ channels: Answer<TimeToUpdate>) -> ReleaseFacts {
  let (timeline, target, now) = (chosen.timeline, chosen.target, chosen.selection.now)
  let busiest = channels.data.max {
    ($0.counts.devices, $1.group.channel ?? "") < ($1.counts.devices, $0.group.channel ?? "")
  }
  let named = Set(target.publications.map(\.channel) + target.sightings.map(\.channel)).sorted()
  let channel = busiest?.group.channel ?? target.publications.map(\.channel).min() ?? named.first ?? "production"
  let start = timeline.start(target.id, channel: channel, platform: nil)
  let end = timeline.supersededAt(target.id, channel: channel, platform: nil).flatMap { $0 <= now ? $0 : nil }
  return ReleaseFacts(
    label: target.label.rawValue, channel: channel, alsoOn: named.filter { $0 != channel },
    publishedAt: start?.publishedAt, isInferred: start?.isInferred ?? false, rollout: start?.rollout ?? [],
    mandatory: start?.mandatory ?? false, supersededAt: end, previous: previous(timeline, target, channel))
}

/// The release that was published there last before this one.
private func previous(_ timeline: Timeline, _ target: ReleaseRecord, _ channel: String) -> String? {
  func published(_ record: ReleaseRecord) -> Timestamp? {
    timeline.start(record.id, channel: channel, platform: nil)?.publishedAt
  }
  guard let own = published(target) else { return nil }
  let earlier = timeline.releases.compactMap { record in published(record).map { (record, $0) } }.filter { $0.1 < own }
  return earlier.max { $0.1 < $1.1 }?.0.label.rawValue
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
