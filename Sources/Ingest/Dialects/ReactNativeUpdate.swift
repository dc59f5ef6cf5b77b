import Lifecycle

/// react-native-update: reports of one thing each, and checks. Clients have no clock and no channel.
extension Dialect {
  static let reactNativeUpdateRoutes = [
    DialectRoute(
      "POST", "/report/{appKey}",
      Dialect(name: "react-native-update", proof: appKey, hear: hearCInfo, answer: answerCInfo)),
    DialectRoute(
      "POST", "/checkUpdate/{appKey}",
      Dialect(
        name: "react-native-update", isCheck: true, proof: appKey, hear: hearCInfoCheck,
        answer: { _, _, verdict in
          if case .refused(let problem) = verdict { return refusal(problem) }
          return .json(#"{"upToDate":true}"#)
        },
        offer: { _, answer in
          let answer = try? JSONReader.read(answer)
          return answer?["update"]?.bool == true ? answer?["hash"]?.text : nil
        })),
  ]

  private static let appKey = Proof.beside { $0.path["appKey"] }

  @Sendable private static func hearCInfo(_ request: ForeignRequest) throws(DialectProblem) -> ParsedRequest {
    let report = try request.json()
    guard report.members != nil, let type = report["type"]?.text else {
      throw DialectProblem(.malformed, "\"type\" is missing")
    }
    var heard = ParsedRequest()
    guard let base = draft(report, request) else {
      heard.drop("no_device")
      return heard
    }
    guard let stages = stages[type] else {
      heard.drop("unknown_type")
      return heard
    }
    heard.drafts = stages.map { stage in
      var draft = base
      draft.stage = stage
      draft.release = report["hash"]?.text
      if stage == .failed { draft.reason = type }
      return draft
    }
    return heard
  }

  private static let stages: [String: [Stage]] = [
    "download_success": [.downloadCompleted, .ready], "download_fail": [.failed], "patch_fail": [.failed],
    "rollback": [.rolledBack], "mark_success": [.applied, .confirmed],
  ]

  @Sendable private static func hearCInfoCheck(_ request: ForeignRequest) throws(DialectProblem) -> ParsedRequest {
    let check = try request.json()
    var heard = ParsedRequest()
    guard var draft = draft(check, request) else {
      heard.drop("no_device")
      return heard
    }
    draft.release = check["hash"]?.text ?? Draft.storeBuild(draft.appVersion)
    heard.drafts = [draft]
    return heard
  }

  private static func draft(_ body: JSONValue, _ request: ForeignRequest) -> Draft? {
    guard let info = body["cInfo"], let device = info["uuid"]?.word else { return nil }
    var draft = Draft(.check, device: device)
    draft.app = request.path["appKey"]
    draft.appVersion = body["packageVersion"]?.word
    draft.sdkVersion = info["rnu"]?.word
    let system = info["os"]?.text?.split(separator: " ", maxSplits: 1).map(String.init) ?? []
    draft.platform = system.first?.lowercased()
    draft.osVersion = system.count > 1 ? system[1] : nil
    return draft
  }

  @Sendable private static func answerCInfo(
    _ request: ForeignRequest, _ heard: ParsedRequest?, _ verdict: Verdict
  ) -> ForeignReply {
    switch verdict {
    case .stored: .json(#"{"ok":1}"#)
    case .refused(let problem): refusal(problem)
    }
  }

  private static func refusal(_ problem: DialectProblem) -> ForeignReply {
    ForeignReply.json(#"{"message":\#(jsonText(problem.message))}"#, status: problem.status).retry(
      after: problem.retryAfter)
  }
}
