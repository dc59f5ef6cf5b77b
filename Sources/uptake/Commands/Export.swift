internal import Console
internal import Glibc
internal import HTTP
internal import Lifecycle
internal import Query
internal import Report
internal import Store

private extension Option {
  static let to = Option("to", .text, value: "URL", help: "Where the receiver is, where it is not the vendor's own")
  static let secretFile = Option(
    "secret-file", .path, completion: "files", help: "A file that holds the receiver's secret: a key, a token, a DSN")
  static let secretVariable = Option(
    "secret-env", .text, value: "NAME", help: "The environment variable that holds the secret, where not the usual one")
  static let kinds = Option(
    "only", .choice(RolloutFact.Kind.allCases.map(\.rawValue)), arity: .list, help: "Tell only of these")
  static let releases = Option(
    "release", .text, arity: .list, group: "FILTERS", completion: "releases",
    help: "These releases; where not given, the newest of each channel and those that changed since")
  static let horizon = Option(
    "horizon", .duration, fallback: "7d", help: "Do not tell what happened longer ago than this")
  static let dryRun = Option("dry-run", help: "Print what would be sent, and send nothing; so it is without --send")
  static let send = Option("send", help: "Send, and remember what was sent")
  static let patience = Option(
    "patience", .duration, fallback: "30s", help: "Try again for so long where the receiver cannot be reached")
  static let timeLimit = Option("timeout", .duration, fallback: "30s", help: "The longest that one request may take")
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
    case .environment: "The environment to name; the channel where not given"
    case .releaseName: "How releases are named there, from {app}, {release} and {channel}"
    }
  }
}

extension Command {
  static let export = Command(
    "export", group: "DATA", purpose: "Tell other programs how releases fare",
    discussion: """
      Publications, steps, milestones and verdicts go to crash reporters and dashboards as what they call events, \
      annotations, markers, deploys or logs. Each fact goes out once: what was sent is remembered in the database, what \
      could not be sent waits there, and a repeat carries the same id. Without --send nothing leaves this machine.

      Secrets are read from files or from the environment, and withheld in whatever is printed. docs/exports.md has each \
      receiver's recipe.
      """,
    arguments: [
      .init("TARGET", choices: ExportTarget.all.map(\.name), help: "What to tell")
    ],
    options: [
      .database, .dryRun, .send, .kinds, .horizon, .app, .channel, .releases, .to, .secretFile, .secretVariable,
    ] + needs + [.patience, .timeLimit, .trust, .now],
    examples: [
      .init("Look at what Sentry would get", "SENTRY_DSN=… uptake export sentry --db uptake.db"),
      .init("Send it", "uptake export sentry --db uptake.db --secret-file dsn.txt --send"),
      .init("Mark steps and verdicts in Grafana", "uptake export grafana --to https://grafana.example.com --send"),
    ],
    exits: [.databaseUnusable], seeAlso: ["breadcrumbs", "serve", "help environment"]
  ) { invocation in
    guard let target = ExportTarget.named(invocation.arguments[0]) else { return .usage }
    return try invocation.export(target)
  }
}

extension Invocation {
  fileprivate func export(_ target: ExportTarget) throws -> ExitCode {
    if flag(.dryRun), flag(.send) {
      throw Failure(
        "contradiction", "--dry-run and --send exclude each other", hints: ["give one of them"], exit: .usage)
    }
    var order = try ExportOrder(target, words(), host, client: "\(program.name)/\(program.version)")
    (order.app, order.releases, order.channels) = (text(.app), texts(.releases), texts(.channel))
    let wanted = Set(choices(.kinds, as: RolloutFact.Kind.self))
    if !wanted.isEmpty { order.kinds.formIntersection(wanted) }
    if let horizon = milliseconds(.horizon) { order.horizon = horizon }
    let rollouts = try order.rollouts(path: try databasePath(), now: instant)
    let exporter = Exporter(
      order: order, registry: try Registry(path: databasePath()),
      clock: { [clock = host.clock] in
        Timestamp(rawValue: clock().rawValue)
      })
    let news = try exporter.news(rollouts)
    guard flag(.send) else { return try show(exporter, news) }
    let new = try exporter.remember(news)
    return try send(exporter, new)
  }

  private func words() -> ExportOrder.Words {
    let details = ExportTarget.Need.allCases.enumerated().compactMap { place, need in
      text(needs[place]).map { (need, $0) }
    }
    return ExportOrder.Words(
      place: text(.to), secretFile: text(.secretFile), secretVariable: text(.secretVariable),
      details: Dictionary(details) { first, _ in first }, name: { "--" + $0 })
  }

  /// Everything that waits and everything that is new, as the requests that would be made.
  private func show(_ exporter: Exporter, _ news: [RolloutFact]) throws -> ExitCode {
    let requests = try exporter.preview(news)
    for request in requests { try print(request) }
    try note([
      requests.isEmpty
        ? "nothing to send: nothing has happened that \(exporter.order.target.title) was not told of"
        : "nothing was sent: these are the requests that --send would make, with secrets withheld"
    ])
    return .done
  }

  private func send(_ exporter: Exporter, _ new: Int) throws -> ExitCode {
    let client = HTTPClient(
      userAgent: "\(program.name)/\(program.version)",
      timeout: .milliseconds((duration(.timeLimit)?.rawValue ?? 30_000)),
      trustFile: text(.trust))
    let end = host.clock().rawValue + (duration(.patience)?.rawValue ?? 0)
    var (tally, sent, refused) = (try exporter.send(client, isUrgent: true), 0, 0)
    (sent, refused) = (tally.sent, tally.refused)
    while let next = tally.nextAt, next.rawValue <= end {
      usleep(UInt32(clamping: max(50, next.rawValue - host.clock().rawValue) * 1000))
      tally = try exporter.send(client)
      (sent, refused) = (sent + tally.sent, refused + tally.refused)
    }
    try print("\(sent) sent, \(refused) refused, \(tally.waiting) waiting (\(new) new): \(exporter.identity)\n")
    guard refused > 0 || tally.waiting > 0 else { return .done }
    throw Failure(
      "not_all_sent", "\(exporter.order.target.title) did not take everything", why: tally.reason,
      hints: tally.waiting > 0 ? ["what waits goes out with the next run: nothing of it is lost"] : [])
  }
}
