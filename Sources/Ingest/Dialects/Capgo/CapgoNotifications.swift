import Lifecycle

/// Capgo's native notifications: `POST /notifications/events`, one event, from the device or from Capgo's sender. The only
/// protocol that tells a push which woke the app from one that was tapped.
extension Dialect {
  static let capgoNotificationRoutes = [
    DialectRoute(
      "POST", "/notifications/events",
      Dialect(name: "capgo", proof: .inside, hear: hearNotification, answer: answerNotification))
  ]

  @Sendable private static func hearNotification(_ request: ForeignRequest) throws(DialectProblem) -> ParsedRequest {
    let body = try request.json()
    guard let event = body["event"]?.text else { throw DialectProblem(.malformed, "\"event\" is missing") }
    var heard = ParsedRequest(credential: body["appId"]?.text)
    guard let device = body[["nativeInstallId", "deviceKey"]]?.word else {
      heard.drop("no_device")
      return heard
    }
    guard var draft = draft(event, device.lowercased(), error: body["error"]?.word) else {
      heard.drop(uncounted.contains(event) ? "event_" + event : "event_other")
      return heard
    }
    draft.app = body["appId"]?.text
    draft.platform = body["platform"]?.text
    draft.push = body[["campaignId", "notificationId"]]?.word
    draft.at = Draft.time(body["occurredAt"])
    // Its ids name the event, the app, the campaign and the device, and are longer than ours may be.
    draft.id = body["eventId"]?.word.map { Draft.identity(["capgo", event, $0]) }
    heard.drafts = [draft]
    return heard
  }

  /// nil for what tells nothing of a push's way.
  private static func draft(_ event: String, _ device: String, error: String?) -> Draft? {
    var draft = Draft(.pushReceived, device: device)
    switch event {
    case "provider_accepted": (draft.stage, draft.outcome) = (.pushSent, .accepted)
    case "failed": (draft.stage, draft.outcome, draft.reason) = (.pushSent, .rejected, error)
    case "received": draft.trigger = .silentPush
    case "opened": draft.trigger = .foreground
    case "background_started": (draft.stage, draft.trigger) = (.wakeStarted, .silentPush)
    case "background_finished":
      (draft.stage, draft.trigger, draft.reason) = (.wakeFinished, .silentPush, error)
      draft.outcome = error == nil ? nil : .failed
    default: return nil
    }
    return draft
  }

  /// What is known and means nothing here.
  private static let uncounted: Set<String> = ["queued", "sent", "permission_changed", "badge_set", "badge_applied"]

  @Sendable private static func answerNotification(
    _ request: ForeignRequest, _ heard: ParsedRequest?, _ verdict: Verdict
  ) -> ForeignReply {
    switch verdict {
    case .stored(let decoded, _):
      guard let refused = decoded.rejections.first else { return .json(#"{"status":"ok"}"#) }
      return .json(#"{"error":"\#(refused.code.rawValue)","message":\#(jsonText(refused.message))}"#, status: 400)
    case .refused(let problem):
      let body = #"{"error":"\#(problem.reason)","message":\#(jsonText(problem.message))}"#
      return ForeignReply.json(body, status: problem.status).retry(after: problem.retryAfter)
    }
  }
}
