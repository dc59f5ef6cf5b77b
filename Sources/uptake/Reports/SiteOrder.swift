internal import Lifecycle
internal import Query
internal import Report
internal import Store

/// Which pages to make: what the command line names, or what the service makes them from.
struct SiteOrder: Sendable {
  var database: String
  /// May be left out where the database holds one.
  var app: String?
  /// Empty means all.
  var releases: [String] = []
  /// The folder of own pages.
  var pages: String?
  var now: Timestamp
  var version: String

  func answers(_ snapshot: borrowing Snapshot) throws -> SiteAnswers {
    let vocabulary = snapshot.vocabulary
    let app = try vocabulary.chosenApp(app)
    let asking = Asking(app: app, now: now, cutOff: CutOff(vocabulary, app: app, now: now).at)
    for label in releases { _ = try asking.chosen(snapshot, ReleaseLabel(rawValue: label)) }
    var answers: [ReleaseAnswers] = []
    for record in vocabulary.releases
    where record.app == app && (releases.isEmpty || releases.contains(record.label.rawValue)) {
      if let release = try asking.release(snapshot, record.label) { answers.append(release) }
    }
    answers.sort { newer($0.standing.facts, $1.standing.facts) }
    let newest = answers.first.map { ReleaseLabel(rawValue: $0.standing.facts.label) }
    return SiteAnswers(
      app: app, now: now, command: commandLine, version: version, releases: answers,
      current: try asking.current(snapshot, known: answers.map(\.standing)),
      reach: try newest.map { try Reach.answer(snapshot, try asking.chosen(snapshot, $0)) },
      push: try Push.answer(snapshot, try Extent(vocabulary, app: app, now: now)))
  }

  private func newer(_ one: ReleaseFacts, _ other: ReleaseFacts) -> Bool {
    let (left, right) = (one.publishedAt?.rawValue ?? .min, other.publishedAt?.rawValue ?? .min)
    return left == right ? one.label < other.label : left > right
  }

  /// As it would be typed again, with the present that it took; only the folder is the reader's own.
  var commandLine: String {
    var words = ["uptake", "report", "--db", shellWord(database), "--out", "DIR"]
    if let app { words += ["--app", shellWord(app)] }
    if let pages { words += ["--pages", shellWord(pages)] }
    for label in releases { words += ["--release", shellWord(label)] }
    return (words + ["--now", now.rfc3339]).joined(separator: " ")
  }
}

/// One word for a shell, in quotes where it needs them.
func shellWord(_ word: String) -> String {
  let isPlain = !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-/:".contains($0)) }
  return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
}
