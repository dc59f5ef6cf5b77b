internal import Answers
internal import Console
public import Lifecycle
internal import Query
public import Report
public import Store

/// Which pages to make: what the command line names, or what the service makes them from.
public struct SiteOrder: Sendable {
  var database: String
  /// May be left out where the database holds one.
  var app: String?
  /// Empty means all.
  var releases: [String] = []
  /// The folder of own pages.
  var pages: String?
  var now: Timestamp
  var version: String

  public init(
    database: String, app: String?, releases: [String] = [], pages: String? = nil, now: Timestamp, version: String
  ) {
    (self.database, self.app, self.releases) = (database, app, releases)
    (self.pages, self.now, self.version) = (pages, now, version)
  }

  public func answers(_ snapshot: borrowing Snapshot) throws -> SiteAnswers {
    let asking = try Asking(self, snapshot.vocabulary)
    for label in releases { _ = try asking.chosen(snapshot, ReleaseLabel(rawValue: label)) }
    var answers: [ReleaseAnswers] = []
    for (index, record) in snapshot.vocabulary.releases.enumerated()
    where record.app == asking.app && (releases.isEmpty || releases.contains(record.label.rawValue)) {
      if let release = try asking.release(snapshot, record.label, "r\(index)") { answers.append(release) }
    }
    answers.sort { newer($0.standing.facts, $1.standing.facts) }
    let newest = answers.first.map { ReleaseLabel(rawValue: $0.standing.facts.label) }
    let taken =
      (answers.first { $0.updates >= 100 } ?? answers.filter { $0.updates > 0 }.max { $0.updates < $1.updates })?
      .standing
      .facts
    return SiteAnswers(
      app: asking.app, now: now, command: commandLine, version: version, glance: try asking.glance(snapshot),
      releases: answers, current: try asking.current(snapshot, known: answers.map(\.standing)),
      mix: try newest.map { try asking.mix(snapshot, $0) },
      mechanisms: try taken.map { try asking.mechanisms(snapshot, $0, by: nil) },
      mechanismsByChannel: try taken.map { try asking.mechanisms(snapshot, $0, by: .channel) },
      push: try asking.push(snapshot, by: nil), pushByPlatform: try asking.push(snapshot, by: .platform))
  }

  private func newer(_ one: ReleaseFacts, _ other: ReleaseFacts) -> Bool {
    let (left, right) = (one.publishedAt?.rawValue ?? .min, other.publishedAt?.rawValue ?? .min)
    return left == right ? one.label < other.label : left > right
  }

  /// As it would be typed again, with the present that it took; only the folder is the reader's own.
  var commandLine: ShellCommand {
    var command = ShellCommand("uptake", "report").option("db", database).option("out", "DIR")
    if let app { command = command.option("app", app) }
    if let pages { command = command.option("pages", pages) }
    for label in releases { command = command.option("release", label) }
    return command.option("now", now.rfc3339)
  }
}
