import Lifecycle

/// Sentry: breadcrumbs that name lifecycle stages become events; everything else is accepted, counted and dropped.
extension Dialect {
  static let sentryRoutes = [
    DialectRoute(
      "POST", "/api/{project}/envelope/", isAnywhere: true,
      Dialect(
        name: "sentry", proof: .besideOrFirstLine(presentedKey, keyOfEnvelope), hear: hearEnvelope, answer: answer)),
    DialectRoute(
      "POST", "/api/{project}/store/", isAnywhere: true,
      Dialect(name: "sentry", proof: .beside(presentedKey), hear: hearStore, answer: answer)),
  ]

  @Sendable private static func hearEnvelope(_ request: ForeignRequest) throws(DialectProblem) -> ParsedRequest {
    let envelope: SentryEnvelope
    do throws(JSONProblem) { envelope = try SentryEnvelope(request.body) } catch {
      throw DialectProblem(.malformed, "invalid event envelope: \(error.message)")
    }
    var heard = ParsedRequest()
    heard.sentAt = Draft.time(envelope.headers["sent_at"])
    heard.notes["id"] = envelope.headers["event_id"]?.text
    for item in envelope.items { heard.take(item, request) }
    if envelope.isCutShort { heard.drop("malformed_item") }
    return heard
  }

  /// What authenticates an envelope that says nothing beside it.
  @Sendable private static func keyOfEnvelope(_ firstLine: ArraySlice<UInt8>) -> String? {
    guard firstLine.count <= SentryEnvelope.headersLimit else { return nil }
    return (try? JSONReader.read(Array(firstLine)))?["dsn"]?.text.flatMap(publicKey(ofDSN:))
  }

  @Sendable private static func hearStore(_ request: ForeignRequest) throws(DialectProblem) -> ParsedRequest {
    var heard = ParsedRequest()
    let event = try request.json()
    guard event.members != nil else { throw DialectProblem(.malformed, "invalid event: not an object") }
    heard.notes["id"] = event["event_id"]?.text
    heard.take(SentryEvent(event, project: request.path["project"] ?? ""))
    return heard
  }

  /// `Sentry sentry_version=7, sentry_key=…`, in either header, or in the query.
  @Sendable private static func presentedKey(_ request: ForeignRequest) -> String? {
    for header in ["x-sentry-auth", "authorization"] {
      guard let value = request.headers[header], value.lowercased().hasPrefix("sentry") else { continue }
      for part in value.dropFirst("sentry".count).split(separator: ",") {
        let pair = part.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " } }
        if pair.count == 2, pair[0] == "sentry_key", !pair[1].isEmpty { return pair[1] }
      }
    }
    return request.query("sentry_key")
  }

  /// `https://KEY[:SECRET]@host/project`
  private static func publicKey(ofDSN dsn: String) -> String? {
    guard let scheme = dsn.firstRange(of: "://"), let at = dsn.firstIndex(of: "@"), scheme.upperBound < at else {
      return nil
    }
    let key = dsn[scheme.upperBound..<at].prefix { $0 != ":" }
    return key.isEmpty ? nil : String(key)
  }

  @Sendable private static func answer(
    _ request: ForeignRequest, _ heard: ParsedRequest?, _ verdict: Verdict
  ) -> ForeignReply {
    switch verdict {
    case .stored:
      let id = heard?.notes["id"].map { $0.filter { $0.isHexDigit } } ?? ""
      return .json(id.isEmpty ? "{}" : #"{"id":"\#(id.lowercased())"}"#)
    case .refused(let problem):
      let body = #"{"detail":\#(jsonText(problem.message)),"causes":[\#(jsonText(problem.reason))]}"#
      // To SDKs both statuses are final; only this one is an authentication problem to them.
      guard let seconds = problem.retryAfter else {
        return .json(body, status: problem.status == 401 ? 403 : problem.status)
      }
      var reply = ForeignReply.json(body, status: 429)
      let scope = problem.status == 429 ? "key" : "organization"
      reply.headers = ["Retry-After": "\(seconds)", "X-Sentry-Rate-Limits": "\(seconds)::\(scope)"]
      return reply
    }
  }
}

extension ParsedRequest {
  fileprivate mutating func take(_ item: SentryEnvelope.Item, _ request: ForeignRequest) {
    switch item.type {
    case "event", "transaction":
      guard let event = try? JSONReader.read(item.payload), event.members != nil else {
        return drop("malformed_item")
      }
      if notes["id"] == nil { notes["id"] = event["event_id"]?.text }
      take(SentryEvent(event, project: request.path["project"] ?? ""))
    case "log":
      guard let logs = (try? JSONReader.read(item.payload))?["items"]?.array else { return drop("malformed_item") }
      for log in logs { take(SentryLog(log), project: request.path["project"] ?? "") }
    case "session", "sessions", "trace_metric", "check_in", "client_report", "attachment", "user_report",
      "feedback", "profile", "profile_chunk", "replay_event", "replay_recording", "replay_video", "span", "statsd",
      "metric_buckets", "raw_security":
      drop("item_" + item.type)
    default: drop("item_other")
    }
  }

  fileprivate mutating func take(_ log: SentryLog, project: String) {
    guard let draft = log.draft(project: project) else { return drop("item_log") }
    guard !draft.device.isEmpty else { return drop("no_device") }
    drafts.append(draft)
  }

  fileprivate mutating func take(_ event: SentryEvent) {
    for told in event.drafts {
      if told.isEmpty { drop("other_breadcrumb") }
      for draft in told { take(draft) }
    }
    if let crash = event.crash { take(crash) }
    if let check = event.check {
      take(check)
    } else if event.breadcrumbs.isEmpty {
      drop("event_without_breadcrumbs")
    }
  }

  private mutating func take(_ draft: Draft) {
    guard !draft.device.isEmpty else { return drop("no_device") }
    guard draft.release != nil || draft.stage.releaseMeaning != .subject else { return drop("no_release") }
    drafts.append(draft)
  }
}

/// A text as JSON writes it, quotes included.
func jsonText(_ text: String) -> String {
  var json: [UInt8] = []
  json.append(jsonString: text)
  return String(decoding: json, as: UTF8.self)
}
