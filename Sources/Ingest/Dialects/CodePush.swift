import Lifecycle

/// CodePush: reports of downloads and deployments, and update checks as signs of life.
///
/// Clients have no clock and no mechanism. Keys of the body and of the query come in two spellings.
extension Dialect {
  static let codePushRoutes = [
    DialectRoute("POST", "/v0.1/public/codepush/report_status/deploy", codePushDeploy),
    DialectRoute("POST", "/v0.1/public/codepush/report_status/download", codePushDownload),
    DialectRoute("GET", "/v0.1/public/codepush/update_check", codePushCheck),
    DialectRoute("POST", "/reportStatus/deploy", codePushDeploy),
    DialectRoute("POST", "/reportStatus/download", codePushDownload),
    DialectRoute("GET", "/updateCheck", codePushCamelCheck),
  ]

  private static let codePushDeploy = codePush { (request) throws(DialectProblem) in
    let body = try request.json()
    let key = try body.needed("deployment_key", "deploymentKey")
    let version = try body.needed("app_version", "appVersion")
    guard let device = body[["client_unique_id", "clientUniqueId"]]?.word else { return .nobody(key) }
    var draft = Draft(.check, device: device, release: Draft.storeBuild(version))
    draft.appVersion = version
    let previous = body[["previous_label_or_app_version", "previousLabelOrAppVersion"]]?.word
    // Without a label it is the build from the store that reports itself.
    guard let label = body["label"]?.word else { return ParsedRequest.codePush([draft], key, request) }
    draft.release = label
    draft.from = previous.map { $0.isCodePushLabel ? $0 : ReleaseLabel.storePrefix + $0 }
    switch body["status"]?.text {
    case "DeploymentSucceeded":
      // Sent by notifyApplicationReady: the release runs, and has proved it.
      draft.stage = .applied
      var confirmed = draft
      (confirmed.stage, confirmed.from) = (.confirmed, nil)
      return ParsedRequest.codePush([draft, confirmed].map(\.receivedOnly), key, request)
    case "DeploymentFailed": draft = draft.as(.rolledBack)
    case "Downloaded": return ParsedRequest.codePush(draft.fetched, key, request)
    default:
      var heard = ParsedRequest.codePush([], key, request)
      heard.drop("unknown_status")
      return heard
    }
    return ParsedRequest.codePush([draft], key, request)
  }

  private static let codePushDownload = codePush { (request) throws(DialectProblem) in
    let body = try request.json()
    let key = try body.needed("deployment_key", "deploymentKey")
    let label = try body.needed("label")
    guard let device = body[["client_unique_id", "clientUniqueId"]]?.word else { return .nobody(key) }
    return ParsedRequest.codePush(Draft(.downloadCompleted, device: device, release: label).fetched, key, request)
  }

  private static let codePushCheck = codePush(isCheck: true, proof: inQuery, hearCheck) { _, _ in .json(noUpdate) }
  private static let codePushCamelCheck = codePush(isCheck: true, proof: inQuery, hearCheck) { _, _ in
    .json(noCamelUpdate)
  }
  private static let inQuery = Proof.beside { $0.query("deployment_key", "deploymentKey") }
}

private func codePush(
  isCheck: Bool = false, proof: Proof = .inside,
  _ hear: @escaping @Sendable (ForeignRequest) throws(DialectProblem) -> ParsedRequest,
  _ reply: @escaping @Sendable (ForeignRequest, ParsedRequest?) -> ForeignReply = { _, _ in .text("OK") }
) -> Dialect {
  Dialect(
    name: "codepush", isCheck: isCheck, proof: proof, hear: hear,
    answer: { request, heard, verdict in
      switch verdict {
      // What was understood and could not be stored will not be better next time: the client is done with it.
      case .stored: return reply(request, heard)
      case .refused(let problem):
        return ForeignReply.text(problem.message, status: problem.status).retry(after: problem.retryAfter)
      }
    },
    offer: { _, answer in
      let info = (try? JSONReader.read(answer))?[["update_info", "updateInfo"]]
      return info?[["is_available", "isAvailable"]]?.bool == true ? info?["label"]?.word : nil
    })
}

@Sendable private func hearCheck(_ request: ForeignRequest) throws(DialectProblem) -> ParsedRequest {
  guard let key = request.query("deployment_key", "deploymentKey") else {
    throw DialectProblem(.malformed, "An update check must include a deployment key.")
  }
  guard let version = request.query("app_version", "appVersion") else {
    throw DialectProblem(.malformed, "An update check must include the version of the app.")
  }
  guard let device = request.query("client_unique_id", "clientUniqueId") else { return .nobody(key) }
  var draft = Draft(.check, device: device, release: request.query("label") ?? Draft.storeBuild(version))
  draft.appVersion = version
  return ParsedRequest.codePush([draft], key, request)
}

private let noUpdate = """
  {"update_info":{"is_available":false,"is_mandatory":false,"update_app_version":false,\
  "should_run_binary_version":false,"target_binary_range":""}}
  """
private let noCamelUpdate = """
  {"updateInfo":{"isAvailable":false,"isMandatory":false,"updateAppVersion":false,"shouldRunBinaryVersion":false,\
  "appVersion":""}}
  """

extension ParsedRequest {
  fileprivate static func codePush(_ drafts: [Draft], _ key: String, _ request: ForeignRequest) -> ParsedRequest {
    var heard = ParsedRequest(
      drafts.map { draft in
        var draft = draft
        draft.app = key
        draft.name(for: key)
        draft.sdkVersion = request.headers["x-codepush-sdk-version"] ?? request.headers["x-codepush-plugin-version"]
        return draft
      }, credential: key)
    // Checks name the newest update on the device, whether it runs or waits for the next start.
    heard.subjects = .waiting
    return heard
  }

  /// A report of no device: nothing to store, and nothing to send again.
  fileprivate static func nobody(_ key: String) -> ParsedRequest {
    var heard = ParsedRequest([], credential: key)
    heard.drop("no_device")
    return heard
  }
}

extension Draft {
  /// Reports are kept and sent again at a later launch, and carry no time: the time of receipt is an upper bound.
  fileprivate var receivedOnly: Draft {
    var draft = self
    draft.reason = Event.timeOfReceipt
    return draft
  }

  /// A report that is sent again, days later perhaps, is the one that came first: its time is the better bound. Checks are
  /// as many as there are.
  fileprivate mutating func name(for key: String) {
    guard stage != .check, let release else { return }
    id = Draft.identity(["codepush", key, device, release, stage.rawValue])
  }

  /// The report of a download comes once all is unpacked, merged with what runs, and verified.
  fileprivate var fetched: [Draft] { [self.as(.downloadCompleted), self.as(.verified)] }

  fileprivate func `as`(_ stage: Stage) -> Draft {
    var draft = self
    draft.stage = stage
    return draft.receivedOnly
  }
}

extension JSONValue {
  fileprivate func needed(_ names: String...) throws(DialectProblem) -> String {
    guard let value = self[names]?.word else { throw DialectProblem(.malformed, "\(names[0]) is missing.") }
    return value
  }
}

extension String {
  /// Deployments number their releases v1, v2, …
  fileprivate var isCodePushLabel: Bool {
    utf8.count > 1 && utf8.first == UInt8(ascii: "v") && utf8.dropFirst().allSatisfy { $0 &- 48 <= 9 }
  }
}
