internal import Answers
internal import Console
public import Lifecycle
public import Query
public import Report
public import Store

/// Which pages to make: what the command line names, or what the service makes them from.
public struct SiteOrder: Sendable {
  var database: String
  /// May be left out where the database holds one.
  var app: String?
  /// Empty means those that `newest` leads to.
  var releases: [String] = []
  /// So many of the releases that were published last have pages, beside others that matter; 0 means all.
  var newest = Site.newestReleases
  /// The folder of own pages.
  var pages: String?
  /// By what releases are judged.
  var judging: Verdict.Options
  /// Groups of fewer devices are withheld.
  var minCell: Int
  /// What limits of curves hold for.
  var bands: Bands
  /// Whether a page to choose on is made as well.
  var explorer: Bool
  var now: Timestamp
  var version: String

  public init(
    database: String, app: String?, releases: [String] = [], newest: Int = Site.newestReleases, pages: String? = nil,
    judging: Verdict.Options = .init(),
    minCell: Int = Site.smallestGroup, bands: Bands = .pointwise, explorer: Bool = false, now: Timestamp,
    version: String
  ) {
    (self.database, self.app, self.releases) = (RemoteDatabases.shown(database), app, releases)
    (self.newest, self.pages, self.judging, self.minCell) = (newest, pages, judging, minCell)
    (self.bands, self.explorer, self.now, self.version) = (bands, explorer, now, version)
  }

  public func answers(_ snapshot: borrowing Snapshot) throws -> SiteAnswers {
    let asking = try Asking(self, snapshot.vocabulary)
    for label in releases { _ = try asking.chosen(snapshot, ReleaseLabel(rawValue: label)) }
    let paged = try paged(snapshot, asking)
    let answers = try pages(snapshot, asking, paged.records).sorted { newer($0.standing.facts, $1.standing.facts) }
    let leads = answers.filter(\.standing.facts.isLead)
    let newest = leads.first.map { ReleaseLabel(rawValue: $0.standing.facts.label) }
    let taken =
      (leads.first { $0.updates >= 100 } ?? leads.filter { $0.updates > 0 }.max { $0.updates < $1.updates })?
      .standing.facts
    var site = try site(snapshot, asking, answers, newest, taken, paged.glance)
    site.explored?.older += paged.leftOut
    site.unpaged = paged.leftOut > 0 ? UnpagedReleases(paged.leftOut, newest: self.newest) : nil
    return site
  }

  private func site(
    _ snapshot: borrowing Snapshot, _ asking: Asking, _ pages: [ReleaseAnswers], _ newest: ReleaseLabel?,
    _ taken: ReleaseFacts?, _ known: Asked<Releases>?
  ) throws -> SiteAnswers {
    let current = try asking.current(snapshot, known: pages.map(\.standing))
    let versus = try asking.versus(snapshot)
    let glance = if let known { Planned([]) { _, _ in known } } else { try asking.glance(snapshot) }
    let mix = try newest.map { try asking.mix(snapshot, $0) }
    let mechanisms = try taken.map { try asking.mechanisms(snapshot, $0, by: nil) }
    let byChannel = try taken.map { try asking.mechanisms(snapshot, $0, by: .channel) }
    let (push, byPlatform) = (try asking.push(snapshot, by: nil), try asking.push(snapshot, by: .platform))
    let (diagnosis, ledger) = (try asking.diagnosis(snapshot), Ledger())
    let findings = asking.findings(diagnosis)
    try snapshot.count(
      current.flatMap(\.counts) + versus.flatMap(\.counts) + glance.counts + (mix?.counts ?? [])
        + (mechanisms?.counts ?? [])
        + (byChannel?.counts ?? []) + push.counts + byPlatform.counts + findings.counts, into: ledger)
    let (glanced, found) = (try glance.value(ledger, snapshot), try findings.value(ledger, snapshot))
    return SiteAnswers(
      app: asking.app, now: now, smallestGroup: minCell, command: commandLine, version: version, glance: glanced,
      pages: pages, current: try current.map { try $0.value(ledger, snapshot) },
      versus: try versus.map { try $0.value(ledger, snapshot) },
      mix: try mix?.value(ledger, snapshot), mechanisms: try mechanisms?.value(ledger, snapshot),
      mechanismsByChannel: try byChannel?.value(ledger, snapshot), push: try push.value(ledger, snapshot),
      pushByPlatform: try byPlatform.value(ledger, snapshot), findings: found,
      health: try asking.health(snapshot, glanced, found, diagnosis.repeats(ledger)),
      explored: explorer ? try asking.explored(snapshot, pages.filter(\.standing.facts.isLead)) : nil)
  }

  private func newer(_ one: ReleaseFacts, _ other: ReleaseFacts) -> Bool {
    let (left, right) = (one.publishedAt?.rawValue ?? .min, other.publishedAt?.rawValue ?? .min)
    if left != right { return left > right }
    return (one.label, one.isLead ? 0 : 1, one.channel) < (other.label, other.isLead ? 0 : 1, other.channel)
  }

  /// As it would be typed again, with the present that it took; only the folder is the reader's own.
  var commandLine: ShellCommand {
    var command = ShellCommand("uptake", "report").option("db", database).option("out", "DIR")
    if let app { command = command.option("app", app) }
    if let pages { command = command.option("pages", pages) }
    if minCell != Site.smallestGroup { command = command.option("min-cell", "\(minCell)") }
    if bands != .pointwise { command = command.option("bands", bands.rawValue) }
    if explorer { command = command.option("explorer") }
    for label in releases { command = command.option("release", label) }
    if newest != Site.newestReleases { command = command.option("newest", "\(newest)") }
    return command.option("now", now.rfc3339)
  }
}
