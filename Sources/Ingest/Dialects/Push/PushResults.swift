import Lifecycle

/// What a push server got back from APNs or FCM: who was sent what, and whether the gateway took it.
///
/// Five shapes, because senders keep five: a result per device; a list of devices beside the answers in the same order,
/// as FCM's multicast and Expo give them; a list of devices with one answer for all; the lists of node-apn, of those
/// that were sent to and of those that failed; and Expo's receipts by ticket. What no gateway's answer clearly accepts or rejects is refused, item by item.
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
      return ForeignReply.json(
        #"{"error":{"code":"\#(problem.reason)","message":\#(jsonText(problem.message))}}"#, status: problem.status
      ).retry(after: problem.retryAfter)
    }
  }
}

enum PushResults {
  static func drafts(_ body: JSONValue) -> [Draft] {
    let installations = Self.installations(body)
    guard !installations.isEmpty else { return answered(body) }
    return answered(body).map { draft in
      var draft = draft
      draft.device = installations[draft.device] ?? draft.device
      return draft
    }
  }

  /// Whose tokens they are that the gateway's answer names, by token.
  private static func installations(_ body: JSONValue) -> [String: String] {
    let named = (body["tokens"]?.members ?? []).compactMap { member in member.value.word.map { (member.name, $0) } }
    return Dictionary(named) { _, last in last }
  }

  private static func answered(_ body: JSONValue) -> [Draft] {
    if let list = body.array { return list.flatMap { drafts($0, of: .null) } }
    if let lists = listed(body, of: body) { return lists }
    // In a log line, beside what the logger writes.
    if let inner = body[["response", "result", "results"]], let lists = listed(inner, of: body) { return lists }
    if let receipts = named(body) { return receipts }
    guard let devices = body["devices"]?.array else {
      guard let results = body["results"]?.array else { return drafts(body, of: .null) }
      return results.flatMap { drafts($0, of: body) }
    }
    let answer = body[answers]
    let each = (answer?[lists] ?? body[lists])?.array ?? answer?.array
    let names = devices.map { $0.word ?? "" }
    return names.enumerated().map { index, device in
      let own = each.flatMap { $0.isEmpty ? nil : $0 }.map { index < $0.count ? $0[index] : .null } ?? answer ?? body
      return draft(device, GatewayAnswer(own, device: device, among: Set(names)), of: body, or: .null)
    }
  }

  private static let answers = ["response", "fcm", "apns", "answer", "ticket", "tickets", "receipt", "outcome"]
  private static let lists = ["responses", "results", "data"]

  /// Expo's receipts, each under the number of its ticket.
  private static func named(_ body: JSONValue) -> [Draft]? {
    guard body[["device", "devices", "results"]] == nil else { return nil }
    let answer = body[["receipts", "data"]] ?? body[answers]?["data"]
    guard let receipts = answer?.members, receipts.allSatisfy({ $0.value["status"] != nil }) else { return nil }
    return receipts.map { draft($0.name, GatewayAnswer($0.value), of: body, or: .null) }
  }

  /// node-apn: `sent` has who was sent to, `failed` who was not, and why.
  private static func listed(_ lists: JSONValue, of body: JSONValue) -> [Draft]? {
    guard lists["sent"]?.array != nil || lists["failed"]?.array != nil else { return nil }
    let sent = (lists["sent"]?.array ?? []).map { value in
      draft((value["device"] ?? value).word ?? "", GatewayAnswer(taken: value), of: body, or: .null)
    }
    let failed = (lists["failed"]?.array ?? []).map { value in
      draft(value["device"]?.word ?? "", GatewayAnswer(value), of: body, or: .null)
    }
    return sent + failed
  }

  private static func drafts(_ result: JSONValue, of batch: JSONValue) -> [Draft] {
    let device = result["device"]?.word ?? ""
    return [draft(device, GatewayAnswer(result[answers] ?? result), of: result, or: batch)]
  }

  private static func draft(
    _ device: String, _ answer: GatewayAnswer, of value: JSONValue, or batch: JSONValue
  ) -> Draft {
    func said(_ names: String...) -> JSONValue? { value[names] ?? batch[names] }
    var draft = Draft(.pushSent, device: device, release: said("release", "releaseHash")?.word)
    draft.at = Draft.time(said("at", "ts", "sentAt", "timestamp", "time"))
    draft.app = said("app", "topic", "apns-topic")?.text
    draft.channel = said("channel")?.text
    draft.platform = said("platform")?.text
    draft.push = said("push", "pushId", "campaign")?.word ?? answer.id
    draft.id = value["id"]?.word ?? answer.id.map { Draft.identity(["push", device, $0]) }
    (draft.outcome, draft.isUnclear) = (answer.outcome, answer.outcome == nil)
    draft.reason = answer.reason
    return draft
  }
}
