internal import Console
internal import Lifecycle
internal import Query

/// Sentry, and whatever speaks its protocol: an event for each change of the verdict, one issue for each release and
/// channel, with the rollout's story as breadcrumbs; and one for each change of a finding, one issue for each finding.
///
/// Sessions are not sent: they are counters without protection against repeats, and ours would distort the app's own.
extension ExportTarget {
  public static let sentry = ExportTarget(
    name: "sentry", title: "Sentry", kinds: [.verdict, .finding], secretVariable: "SENTRY_DSN",
    mayHave: [.environment, .releaseName], manners: sentryManners
  ) { fact, destination, sentAt in
    envelope(
      fact, destination, sentAt, type: ["type": "event"], payload: SentryEvent(fact, destination).json)
  }

  /// What happened in between, as log items.
  public static let sentryLogs = ExportTarget(
    name: "sentry-logs", title: "Sentry logs",
    kinds: RolloutFact.Kind.news.subtracting([.verdict, .finding]),
    secretVariable: "SENTRY_DSN", mayHave: [.environment, .releaseName], manners: sentryManners
  ) { fact, destination, sentAt in
    let type: [String: JSON] = [
      "type": "log", "item_count": 1, "content_type": "application/vnd.sentry.items.log+json",
    ]
    return envelope(
      fact, destination, sentAt, type: type,
      payload: ["version": 2, "items": [SentryEvent(fact, destination).log]])
  }

  private static var sentryManners: RetryPolicy { RetryPolicy(maxBody: 1_000_000, oldest: 29 * 86_400) }

  /// Three lines: whose envelope, what is in it, and that.
  private static func envelope(
    _ fact: RolloutFact, _ destination: Destination, _ sentAt: Timestamp, type: [String: JSON], payload: JSON
  ) -> Parcel? {
    guard let project = destination[.project] else { return nil }
    let client = destination.client.split(separator: "/").map(String.init)
    let payload = payload.text()
    var item = type
    item["length"] = .integer(payload.utf8.count)
    let head: JSON = [
      "event_id": .string(fact.id), "sent_at": .string(sentAt.rfc3339),
      "sdk": ["name": .string(client[0]), "version": .string(client.last ?? "0")],
    ]
    let lines = [head.text(), JSON.object(item).text(), payload, ""]
    return Parcel(
      "POST", "\(destination.place)/api/\(project)/envelope/",
      [
        "Content-Type": "application/x-sentry-envelope",
        "X-Sentry-Auth":
          "Sentry sentry_version=7, sentry_client=\(destination.client), sentry_key=\(destination.secret)",
      ], body: Array(lines.joined(separator: "\n").utf8), isPacked: true)
  }
}

extension Destination {
  /// Reads a DSN: `https://KEY@host/path/PROJECT`; nil where it is none. The key becomes the secret.
  public init?(dsn: String, details: [ExportTarget.Need: String] = [:], client: String = "uptake") {
    guard let at = dsn.firstIndex(of: "@"), let scheme = dsn.firstRange(of: "://"), scheme.upperBound < at,
      let slash = dsn.lastIndex(of: "/"), slash > at
    else { return nil }
    // An old DSN has a second key behind a colon, which nobody needs any more.
    let key = dsn[scheme.upperBound..<at].prefix { $0 != ":" }
    let (place, project) = (dsn[dsn.index(after: at)..<slash], dsn[dsn.index(after: slash)...])
    guard !key.isEmpty, !place.isEmpty, !project.isEmpty, project.allSatisfy({ $0.isLetter || $0.isNumber }) else {
      return nil
    }
    var details = details
    details[.project] = String(project)
    self.init(
      place: String(dsn[..<scheme.upperBound] + place), secret: String(key), details: details, client: client)
  }
}
