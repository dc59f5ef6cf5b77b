import Lifecycle

/// What a push server got back from APNs or FCM: who was sent what, and whether the gateway took it.
///
/// Three shapes, because senders keep three: a result per device; a list of devices beside the answers in the same order,
/// as FCM's multicast gives them; and a list of devices with one answer for all.
extension Dialect {
  static let pushRoutes = [
    DialectRoute("POST", "/v1/push-results", Dialect(name: "push", hear: hearPushes, answer: answerPushes))
  ]

  @Sendable private static func hearPushes(_ request: ForeignRequest) throws(DialectProblem) -> ParsedRequest {
    let body = try request.json()
    guard body.members != nil || body.array != nil else {
      throw DialectProblem(.malformed, "send an object with \"devices\" or \"results\", or an array of results")
    }
    var heard = ParsedRequest()
    for draft in PushResults.drafts(body) {
      guard !draft.device.isEmpty else {
        heard.drop("no_device")
        continue
      }
      heard.drafts.append(draft)
    }
    if heard.drafts.isEmpty {
      throw DialectProblem(.malformed, "no device is named: send \"devices\", or \"results\" with a \"device\" each")
    }
    return heard
  }

  @Sendable private static func answerPushes(
    _ request: ForeignRequest, _ heard: ParsedRequest?, _ verdict: Verdict
  ) -> ForeignReply {
    switch verdict {
    case .stored(let decoded, let admitted):
      let answer = decoded.answer(admitted)
      return ForeignReply(answer.status, "application/json", answer.body)
    case .refused(let problem):
      var reply = ForeignReply.json(
        #"{"error":{"code":"\#(problem.reason)","message":\#(jsonText(problem.message))}}"#, status: problem.status)
      if let seconds = problem.retryAfter { reply.headers["Retry-After"] = String(seconds) }
      return reply
    }
  }
}

enum PushResults {
  static func drafts(_ body: JSONValue) -> [Draft] {
    if let list = body.array { return list.flatMap { drafts($0, of: .null) } }
    guard let devices = body["devices"]?.array else {
      guard let results = body["results"]?.array else { return drafts(body, of: .null) }
      return results.flatMap { drafts($0, of: body) }
    }
    let answer = body[["response", "fcm", "apns", "answer"]]
    let each = (answer?[["responses", "results"]] ?? body[["responses", "results"]])?.array ?? answer?.array
    return devices.enumerated().map { place, device in
      let own = each.map { place < $0.count ? $0[place] : .null } ?? answer
      return draft(device.word ?? "", GatewayAnswer(own), of: body, or: .null)
    }
  }

  private static func drafts(_ result: JSONValue, of batch: JSONValue) -> [Draft] {
    let answer = result[["response", "apns", "fcm", "answer"]] ?? result
    return [draft(result["device"]?.word ?? "", GatewayAnswer(answer), of: result, or: batch)]
  }

  private static func draft(
    _ device: String, _ answer: GatewayAnswer, of value: JSONValue, or batch: JSONValue
  ) -> Draft {
    func said(_ names: String...) -> JSONValue? { value[names] ?? batch[names] }
    var draft = Draft(.pushSent, device: device, release: said("release", "releaseHash")?.word)
    draft.at = Draft.time(said("at", "ts", "sentAt", "timestamp"))
    draft.app = said("app", "topic", "apns-topic")?.text
    draft.channel = said("channel")?.text
    draft.platform = said("platform")?.text
    draft.push = said("push", "pushId", "campaign")?.word ?? answer.id
    draft.id = value["id"]?.word ?? answer.id.map { Draft.identity(["push", device, $0]) }
    draft.outcome = answer.isAccepted ? .accepted : .rejected
    draft.reason = answer.reason
    return draft
  }
}

/// What APNs or FCM said about one push.
struct GatewayAnswer: Equatable {
  var isAccepted = true
  /// In the gateway's own word: `Unregistered`, `BadDeviceToken`, `UNREGISTERED`, …
  var reason: String?
  /// `apns-id`, or the name of the message.
  var id: String?

  init(_ value: JSONValue?) {
    guard let value else { return }
    if case .string(let word) = value {
      isAccepted = word == "accepted" || word == "ok"
      reason = isAccepted || word == "rejected" ? nil : word
      return
    }
    id = value[["apns-id", "apnsId", "apns_id", "message_id", "messageId", "name"]]?.word
    let body = value["body"] ?? value
    reason = Self.reason(body)
    let status = value[["status", "statusCode", "status_code"]]
    let isRefused = value["success"]?.bool == false || reason != nil
    isAccepted = !isRefused && (status?.integer.map { (200..<300).contains($0) } ?? (status?.text != "rejected"))
    if !isAccepted, reason == nil { reason = status?.integer.map { "status \($0)" } }
  }

  /// APNs says `reason`; FCM says `error`, in its old way as a word, in its new one as an object with details.
  private static func reason(_ body: JSONValue) -> String? {
    if let reason = body["reason"]?.text { return reason }
    guard let error = body["error"] else { return nil }
    if let word = error.text { return word }
    let detail = error["details"]?.array?.lazy.compactMap { $0["errorCode"]?.text }.first
    return detail ?? error["status"]?.text ?? error["code"]?.word ?? "error"
  }
}
