import Lifecycle

/// Stallion: up to nine events a request, which the client keeps until it reads `success`, and checks.
///
/// A download is mounted as the app starts, so `INSTALLED_PROD` says that the release runs. Until then checks, and crashes on iOS,
/// name the download as what runs.
extension Dialect {
  static let stallionRoutes = [
    DialectRoute(
      "POST", "/api/v1/analytics/log-bulk-events",
      Dialect(name: "stallion", proof: .inside, hear: hearStallionEvents, answer: answerStallionEvents)),
    DialectRoute(
      "POST", "/api/v1/promoted/get-update-meta",
      Dialect(
        name: "stallion", isCheck: true, proof: .inside, hear: hearStallionCheck, answer: answerStallionCheck,
        offer: offeredBundle)),
  ]

  @Sendable private static func hearStallionEvents(_ request: ForeignRequest) throws(DialectProblem) -> ParsedRequest {
    let body = try request.json()
    guard let events = body["eventData"]?.array else { throw DialectProblem(.malformed, "\"eventData\" is missing") }
    var heard = ParsedRequest(credential: body["projectId"]?.word ?? events.first?["projectId"]?.word)
    heard.subjects = .waiting
    for event in events { heard.take(stallion: event) }
    return heard
  }

  @Sendable private static func hearStallionCheck(_ request: ForeignRequest) throws(DialectProblem) -> ParsedRequest {
    let check = try request.json()
    let meta = check["deviceMeta"]
    var heard = ParsedRequest(credential: check["projectId"]?.word)
    guard let device = request.headers["uid"] ?? meta?["uid"]?.word, !device.isEmpty else {
      heard.drop("no_device")
      return heard
    }
    var draft = Draft(.check, device: device, release: runningRelease(check, "appliedBundleHash"))
    draft.describe(stallion: check)
    draft.osVersion = meta?["osVersion"]?.word
    draft.emulator = meta?["isEmulator"]?.bool
    heard.drafts = [draft]
    heard.subjects = .waiting
    return heard
  }

  /// What the update server offers a device.
  @Sendable private static func offeredBundle(_ request: ForeignRequest, _ answer: [UInt8]) -> String? {
    guard let hash = (try? JSONReader.read(answer))?["data"]?["newBundleData"]?["checksum"]?.word else { return nil }
    return hash.isEmpty ? nil : hash
  }

  @Sendable private static func answerStallionEvents(
    _ request: ForeignRequest, _ heard: ParsedRequest?, _ verdict: Verdict
  ) -> ForeignReply {
    switch verdict {
    // Whatever was refused would be refused again: the client sends it until it is thanked.
    case .stored: .json(#"{"success":true}"#)
    case .refused(let problem): stallionRefusal(problem)
    }
  }

  @Sendable private static func answerStallionCheck(
    _ request: ForeignRequest, _ heard: ParsedRequest?, _ verdict: Verdict
  ) -> ForeignReply {
    switch verdict {
    case .stored: .json(#"{"success":true,"data":{"appliedBundleData":null,"newBundleData":null}}"#)
    case .refused(let problem): stallionRefusal(problem)
    }
  }

  private static func stallionRefusal(_ problem: DialectProblem) -> ForeignReply {
    let body = #"{"success":false,"error":"\#(problem.reason)","message":\#(jsonText(problem.message))}"#
    return ForeignReply.json(body, status: problem.status).retry(after: problem.retryAfter)
  }
}

/// The build from the store has no hash.
private func runningRelease(_ value: JSONValue, _ name: String) -> String? {
  guard let hash = value[name]?.word, !hash.isEmpty else { return Draft.storeBuild(value["appVersion"]?.word) }
  return hash
}

extension ParsedRequest {
  fileprivate mutating func take(stallion event: JSONValue) {
    let type = event["eventType"]?.text ?? ""
    // A tester's choice among builds that were not published.
    guard !type.hasSuffix("_STAGE") else { return drop("type_stage") }
    guard let meanings = StallionEvent.meanings[type] else { return drop("type_other") }
    guard let device = event["uid"]?.word, !device.isEmpty else { return drop("no_device") }
    for (number, meaning) in meanings.enumerated() {
      var draft = Draft(meaning.stage, device: device, release: runningRelease(event, "releaseHash"))
      if meaning.isOfNoRelease { draft.release = nil }
      draft.describe(stallion: event)
      draft.app = draft.app ?? credential
      draft.at = Draft.time(event["eventTimestamp"])
      draft.sdkVersion = event["sdkVersion"]?.word
      // One event may be two of ours.
      draft.id = event["eventId"]?.word.map { number == 0 ? $0 : "\($0)+\(number)" }
      draft.reason = (meaning.tellsMore ? event["meta"]?.text.flatMap(StallionEvent.firstLine) : nil) ?? meaning.reason
      drafts.append(draft)
    }
  }
}

extension Draft {
  fileprivate mutating func describe(stallion value: JSONValue) {
    app = value["projectId"]?.word
    platform = value["platform"]?.text
    appVersion = value["appVersion"]?.word
  }
}
