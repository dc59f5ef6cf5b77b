internal import Answers
internal import Console
internal import Glibc
internal import HTTP
internal import Lifecycle
internal import Query
internal import Server
internal import Report
internal import Store

extension Option {
  /// Answers are of these alone, too.
  static let exportedReleases = Option(
    "release", .text, arity: .list, group: "FILTERS", completion: "releases",
    help: "These releases; where not given, the newest of each channel and those that changed since")
}

private extension Option {
  static let to = Option("to", .text, value: "URL", help: "Where the receiver is, where it is not the vendor's own")
  static let secretFile = Option(
    "secret-file", .path, completion: "files", help: "A file that holds the receiver's secret: a key, a token, a DSN")
  static let secretVariable = Option(
    "secret-env", .text, value: "NAME", help: "The environment variable that holds the secret, where not the usual one")
  static let kinds = Option(
    "only", .choice(RolloutFact.Kind.allCases.map(\.rawValue)), arity: .list, help: "Tell only of these")
  static let horizon = Option(
    "horizon", .duration, fallback: "7d", help: "Do not tell what happened longer ago than this")
  static let dryRun = Option("dry-run", help: "Print what would be sent, and send nothing; so it is without --send")
  static let send = Option("send", help: "Send, and remember what was sent")
  static let patience = Option(
    "patience", .duration, fallback: "30s",
    help: "Try again for so long where the receiver cannot be reached, or another process sends there")
  static let timeLimit = Option("timeout", .duration, fallback: "30s", help: "The longest that one request may take")
  static let fileFormat = Option(
    "format", .choice(["parquet"]), help: "Write events or journeys to the file that --output names")
  static let trust = Option(
    "trust", .path, completion: "files", help: "Trust the certificates of this file (PEM), not the system's")
}

private let needs = ExportTarget.Need.allCases.map { need in
  Option(need.rawValue, .text, group: "RECEIVER", help: "\(need.purpose)")
}

extension ExportTarget.Need {
  fileprivate var purpose: String {
    switch self {
    case .organization: "The organization, at Sentry"
    case .project: "The project at Sentry, the application at Raygun"
    case .dataset: "The dataset, at Honeycomb; all of them where not given"
    case .account: "The number of the account, at New Relic"
    case .pagesURL: "Where people find the pages, such as https://uptake.example.com, for a link in messages"
    case .environment: "The environment to name; the channel where not given"
    case .releaseName: "How releases are named there, from {app}, {release} and {channel}"
    case .encoding: "How OpenTelemetry is spoken: http/json, unless told otherwise, or http/protobuf"
    }
  }
}

extension Command {
  static let export = Command(
    "export", group: "DATA", purpose: "Send status to Sentry, Grafana and others",
    discussion: """
      Publications, steps, milestones, verdicts and findings go to crash reporters and dashboards as what they call events, \
      annotations, markers, deploys or logs. Each fact goes out once: what was sent is remembered in the database, what \
      could not be sent waits there, and a repeat carries the same id. Without --send nothing leaves this machine.

      Secrets are read from files or from the environment, and withheld in whatever is printed. docs/exports.md has each \
      receiver's recipe.
      """,
    arguments: [
      .init(
        "TARGET",
        choices: ExportTarget.all.map(\.name) + ["events", "journeys", "answers", "parquet"]
          + RolloutFile.allCases.map(\.rawValue),
        help:
          "Whom to tell; events sends single events as OpenTelemetry logs, or with --format parquet writes them to a file as journeys does; answers writes rows of a SQLite file, parquet adoption curves to a Parquet file; json and those behind it print a file"
      )
    ],
    options: [
      .database, .dryRun, .send, .kinds, .horizon, .app, .channel, .exportedReleases, .to, .secretFile, .secretVariable,
    ] + needs + [.patience, .timeLimit, .trust, .fileFormat, .output, .now] + Option.objective,
    examples: [
      .init("Look at what Sentry would get", "SENTRY_DSN=… uptake export sentry --db uptake.db"),
      .init("Send it", "uptake export sentry --db uptake.db --secret-file dsn.txt --send"),
      .init(
        "Figures of the newest releases, for a spreadsheet", "uptake export csv --db uptake.db --output rollouts.csv"),
      .init(
        "Journeys for a notebook: duckdb.read_parquet('journeys.parquet')",
        "uptake export journeys --db uptake.db --format parquet --output journeys.parquet"),
      .init("Answers as rows, for Datasette and Grafana", "uptake export answers --db uptake.db --output answers.db"),
      .init("Mark steps and verdicts in Grafana", "uptake export grafana --to https://grafana.example.com --send"),
    ],
    exits: [.notEnoughData, .databaseUnusable], seeAlso: ["breadcrumbs", "serve", "help environment"]
  ) { invocation in
    let name = invocation.arguments[0]
    if let file = RolloutFile(rawValue: name) { return try invocation.write(file) }
    if name == "parquet" { return try invocation.exportCurves() }
    if name == "journeys" { return try invocation.exportJourneys() }
    if name == "events" {
      return try invocation.text(.fileFormat) == nil ? invocation.ship() : invocation.exportEvents()
    }
    if name == "answers" { return try invocation.exportAnswers() }
    guard let target = ExportTarget.named(name) else { return .usage }
    return try invocation.export(target)
  }
}

extension Invocation {
  fileprivate func export(_ target: ExportTarget) throws -> ExitCode {
    let order = try order(target)
    let rollouts = try order.choice.rollouts(path: try databasePath(), now: instant)
    let exporter = Exporter(order: order, registry: try Registry(path: databasePath()), clock: wall)
    let findings = try order.choice.findings(order.kinds, path: try databasePath(), now: instant)
    let news = try exporter.news(rollouts, findings) + exporter.withdrawn(snapshot().vocabulary, now: instant)
    return flag(.send) ? try send(exporter, try exporter.remember(news)) : try show(exporter, news)
  }

  /// Everything that waits and everything that is new, as the requests that would be made.
  private func show(_ exporter: Exporter, _ news: [RolloutFact]) throws -> ExitCode {
    let requests = try exporter.preview(news)
    try print(requests.joined())
    try note([
      requests.isEmpty
        ? "nothing to send: nothing has happened that \(exporter.order.target.title) was not told of"
        : "nothing was sent: these are the requests that --send would make, with secrets withheld"
    ])
    return .done
  }

  private func send(_ exporter: Exporter, _ new: Int) throws -> ExitCode {
    let deadline = patience
    var tally = try inTurn(until: deadline) { try exporter.send(client, isUrgent: true) }
    var (sent, refused) = (tally.sent, tally.refused)
    while wait(for: tally.nextAt, until: deadline) {
      tally = try inTurn(until: deadline) { try exporter.send(client) }
      (sent, refused) = (sent + tally.sent, refused + tally.refused)
    }
    try print("\(sent) sent, \(refused) refused, \(tally.waiting) waiting (\(new) new): \(exporter.identity)\n")
    guard refused > 0 || tally.waiting > 0 else { return .done }
    throw Failure(
      "not_all_sent", "\(exporter.order.target.title) did not take everything",
      why: tally.reason ?? tally.quiet, hints: tally.hints(refused: refused))
  }

  fileprivate func write(_ file: RolloutFile) throws -> ExitCode {
    guard !flag(.send) else {
      throw Failure(
        "nothing_to_send", "\(file.rawValue) is printed, not sent", hints: ["leave --send away"], exit: .usage)
    }
    let rollouts = try rollouts()
    try print(file.text(rollouts))
    if rollouts.isEmpty {
      try note(["no release is known there, so nothing is told: register one with uptake release publish"])
    }
    return rollouts.isEmpty ? .notEnoughData : .done
  }

  /// Of the choice, as files show them.
  func rollouts() throws -> [Rollout] { try rolloutChoice().rollouts(path: try databasePath(), now: instant) }

  /// Single events to a receiver of logs.
  fileprivate func ship() throws -> ExitCode {
    let (path, order) = (try databasePath(), try order(.otlp))
    _ = try Snapshot(path: path)
    let shipment = EventShipment(order: order, registry: try Registry(path: path), path: path, clock: wall)
    guard flag(.send) else { return try show(shipment) }
    let deadline = patience
    var tally = EventShipment.Tally()
    repeat {
      try inTurn(until: deadline) { try shipment.send(client, &tally) }
    } while wait(for: tally.nextAt, until: deadline)
    let refused = tally.refused > 0 ? ", \(tally.refused) refused" : ""
    try print("\(tally.sent) events sent, \(try shipment.left()) left\(refused): \(shipment.identity)\n")
    guard let reason = tally.reason ?? tally.refusal else { return .done }
    throw Failure(
      "not_all_sent", "the receiver did not take everything", why: reason,
      hints: tally.hints)
  }

  private func show(_ shipment: EventShipment) throws -> ExitCode {
    guard let (parcel, _, events) = try shipment.next() else {
      try note(["nothing to send: the receiver has every event"])
      return .done
    }
    try print(shipment.order.redaction(parcel.words))
    try note(["nothing was sent: this is the first request, with \(events) of \(try shipment.left()) events"])
    return .done
  }
}

/// What the options say.
extension Invocation {
  private func order(_ target: ExportTarget) throws -> ExportOrder {
    if flag(.dryRun), flag(.send) {
      throw Failure(
        "contradiction", "--dry-run and --send exclude each other", hints: ["give one of them"], exit: .usage)
    }
    var order = try ExportOrder(target, receiverWords, host, client: "\(program.name)/\(program.version)")
    let wanted = Set(choices(.kinds, as: RolloutFact.Kind.self))
    if !wanted.isEmpty { order.kinds.formIntersection(wanted) }
    try noteKindsInVain(target, wanted)
    order.choice = try rolloutChoice()
    return order
  }

  private func rolloutChoice() throws -> RolloutChoice {
    var choice = RolloutChoice(app: text(.app), releases: texts(.exportedReleases), channels: texts(.channel))
    if let horizon = milliseconds(.horizon) { choice.horizon = horizon }
    choice.judging = try judging()
    try noteStrangeChannels(choice)
    return choice
  }

  private var receiverWords: ExportOrder.Words {
    let details = ExportTarget.Need.allCases.enumerated().compactMap { place, need in
      text(needs[place]).map { (need, $0) }
    }
    return ExportOrder.Words(
      place: text(.to), secretFile: text(.secretFile), secretVariable: text(.secretVariable),
      details: Dictionary(details) { first, _ in first }, name: { "--" + $0 })
  }

  private var client: HTTPClient {
    HTTPClient(
      userAgent: "\(program.name)/\(program.version)",
      timeout: .milliseconds(duration(.timeLimit)?.rawValue ?? 30_000), trustFile: text(.trust))
  }

  private var wall: @Sendable () -> Timestamp {
    { [clock = host.clock] in Timestamp(rawValue: clock().rawValue) }
  }

  /// From now on, by the clock on the wall, whatever --now says.
  private var patience: Instant {
    Instant(rawValue: host.clock().rawValue + (duration(.patience)?.rawValue ?? 0))
  }

  /// One process at a time sends to a place: waits for another one.
  private func inTurn<Result>(until deadline: Instant, _ send: () throws -> Result) throws -> Result {
    while true {
      do { return try send() } catch let error as StoreError where error.isOfOtherSender {
        guard host.clock().rawValue < deadline.rawValue else { throw error }
        usleep(100_000)
      }
    }
  }

  /// Sleeps until then; false where that is beyond anybody's patience.
  private func wait(for next: Timestamp?, until deadline: Instant) -> Bool {
    guard let next, next.rawValue <= deadline.rawValue else { return false }
    let pause = next - Timestamp(rawValue: host.clock().rawValue)
    usleep(UInt32(min(max(50, pause.rawValue), 3_600_000)) * 1000)
    return true
  }
}
