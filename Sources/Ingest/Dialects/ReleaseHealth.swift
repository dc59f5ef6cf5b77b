import Lifecycle
import Store

/// react-native-release-health: `POST {"events": […]}` of its HTTP sink, to any address; any 2xx is thanks.
///
/// Its events name a session and no installation, so the app says which it is beside them.
extension Dialect {
  static let releaseHealthRoutes = [
    DialectRoute(
      "POST", "/release-health",
      Dialect(
        name: "release-health", proof: .beside { $0.headers["x-api-key"] }, hear: hearHealth, answer: answerHealth))
  ]

  @Sendable private static func hearHealth(_ request: ForeignRequest) throws(DialectProblem) -> ParsedRequest {
    guard let events = try request.json()["events"]?.array else {
      throw DialectProblem(.malformed, "\"events\" is missing")
    }
    guard let device = request.headers["x-uptake-device"] ?? request.query("device") else {
      throw DialectProblem(
        .malformed, "no device: give the sink a header X-Uptake-Device with the installation's id, as docs/clients says"
      )
    }
    var heard = ParsedRequest()
    heard.items = events.count
    for (item, event) in events.enumerated() { heard.take(event, device, item) }
    return heard
  }

  @Sendable private static func answerHealth(
    _ request: ForeignRequest, _ heard: ParsedRequest?, _ verdict: Verdict
  ) -> ForeignReply {
    switch verdict {
    case .stored(let decoded, let admitted):
      // Whatever is refused would be refused again: the sink sends the whole batch until it is thanked.
      return .json(#"{"accepted":\#(admitted.accepted),"rejected":\#(decoded.rejected.total)}"#)
    case .refused(let problem):
      return ForeignReply.json(
        #"{"error":{"code":"\#(problem.reason)","message":\#(jsonText(problem.message))}}"#, status: problem.status
      ).retry(after: problem.retryAfter)
    }
  }
}

extension ParsedRequest {
  fileprivate mutating func take(_ event: JSONValue, _ device: String, _ item: Int) {
    let type = event["type"]?.text ?? ""
    var base = Draft(.check, device: device, release: event["updateId"]?.word, at: Draft.time(event["timestamp"]))
    base.platform = event["platform"]?.text?.lowercased()
    base.appVersion = event["nativeVersion"]?.word
    base.sdkVersion = event["sdkVersion"]?.word
    base.item = item
    func draft(_ stage: Stage, _ reason: String? = nil) -> Draft {
      var draft = base
      (draft.stage, draft.reason) = (stage, reason)
      return draft
    }
    let reason = event["reason"]?.word
    switch type {
    case "session_start":
      if base.release == nil { base.release = Draft.storeBuild(base.appVersion) }
      drafts.append(base)
    case "update_downloaded": drafts += [draft(.downloadCompleted), draft(.ready)]
    case "update_apply_success": drafts += [draft(.applied), draft(.confirmed)]
    case "update_apply_failed": drafts.append(draft(reason == "crash-loop" ? .crashed : .failed, reason))
    case "crash": drafts.append(draft(.crashed, event["jsMessage"]?.word))
    case "rollback_executed" where event["success"]?.bool == true: drafts.append(draft(.rolledBack))
    case "healthy": drafts.append(draft(base.release == nil ? .check : .confirmed))
    case "rollback_recommended", "rollback_executed": drop("type_" + type)
    default: drop("type_other")
    }
  }
}
