import Lifecycle

/// Shorebird: reports of patches, and checks for them. Only a check names the channel, so it is remembered.
extension Dialect {
  static let shorebirdRoutes = [
    DialectRoute(
      "POST", "/api/v1/patches/events",
      Dialect(name: "shorebird", proof: .inside, hear: hearPatch, answer: answerPatch)),
    DialectRoute(
      "POST", "/api/v1/patches/check",
      Dialect(
        name: "shorebird", isCheck: true, proof: .inside, hear: hearPatchCheck, answer: answerPatchCheck,
        offer: offeredPatch)),
  ]

  @Sendable private static func hearPatch(_ request: ForeignRequest) throws(DialectProblem) -> ParsedRequest {
    guard let event = try request.json()["event"], event.members != nil else {
      throw DialectProblem(.malformed, "\"event\" is missing")
    }
    let app = try text("app_id", event)
    var heard = ParsedRequest(credential: app)
    heard.channels = .recalled(otherwise: "stable")
    guard let patch = event["patch_number"]?.integer, let version = event["release_version"]?.text else {
      throw DialectProblem(.malformed, "\"patch_number\" and \"release_version\" are needed")
    }
    var draft = Draft(.applied, device: try text("client_id", event), release: label(version, patch))
    draft.describe(event)
    draft.at = Draft.time(event["timestamp"])
    draft.sdkVersion = nil
    heard.drafts = stages(draft, event)
    if heard.drafts.isEmpty { heard.drop("unknown_type") }
    return heard
  }

  private static func stages(_ base: Draft, _ event: JSONValue) -> [Draft] {
    func draft(_ stage: Stage, _ reason: String? = nil) -> Draft {
      var draft = base
      (draft.stage, draft.reason) = (stage, reason)
      return draft
    }
    // The words before the colon say what kind of failure it was.
    let kind = event["message"]?.text.map { String($0.prefix { $0 != ":" }) }
    switch event["type"]?.text {
    case "__patch_download__": return [draft(.downloadCompleted), draft(.ready)]
    case "__patch_install__": return [draft(.applied), draft(.confirmed)]
    case "__patch_install_failure__": return [draft(.rolledBack, kind ?? "install_failure")]
    case "__patch_update_failure__": return [draft(.failed, kind ?? "update_failure")]
    default: return []
    }
  }

  @Sendable private static func hearPatchCheck(_ request: ForeignRequest) throws(DialectProblem) -> ParsedRequest {
    let check = try request.json()
    let app = try text("app_id", check)
    let version = try text("release_version", check)
    var heard = ParsedRequest(credential: app)
    guard let device = check["client_id"]?.word else {
      heard.drop("no_device")
      return heard
    }
    // `patch_number`, of older clients, is the newest on the disk, which need not be what runs.
    let running = check["current_patch_number"]?.integer
    var draft = Draft(.check, device: device, release: running.map { label(version, $0) })
    draft.describe(check)
    draft.channel = check["channel"]?.text ?? "stable"
    heard.drafts = [draft]
    heard.channels = .remembered
    return heard
  }

  /// What the update server offers a device.
  @Sendable private static func offeredPatch(_ request: ForeignRequest, _ answer: [UInt8]) -> String? {
    guard let answer = try? JSONReader.read(answer), answer["patch_available"]?.bool == true,
      let patch = answer["patch"]?["number"]?.integer,
      let version = (try? JSONReader.read(request.body))?["release_version"]?.text
    else { return nil }
    return label(version, patch)
  }

  private static func label(_ version: String, _ patch: Int64) -> String {
    patch == 0 ? ReleaseLabel.storePrefix + version : "\(version):\(patch)"
  }

  private static func text(_ name: String, _ value: JSONValue) throws(DialectProblem) -> String {
    guard let text = value[name]?.word else { throw DialectProblem(.malformed, "\"\(name)\" is missing") }
    return text
  }

  @Sendable private static func answerPatch(
    _ request: ForeignRequest, _ heard: ParsedRequest?, _ verdict: Verdict
  ) -> ForeignReply {
    switch verdict {
    case .stored: .json("{}", status: 201)
    case .refused(let problem): refusal(problem)
    }
  }

  @Sendable private static func answerPatchCheck(
    _ request: ForeignRequest, _ heard: ParsedRequest?, _ verdict: Verdict
  ) -> ForeignReply {
    switch verdict {
    case .stored: .json(#"{"patch_available":false,"patch":null,"rolled_back_patch_numbers":[]}"#)
    case .refused(let problem): refusal(problem)
    }
  }

  private static func refusal(_ problem: DialectProblem) -> ForeignReply {
    ForeignReply.json(
      #"{"code":"\#(problem.reason)","message":\#(jsonText(problem.message))}"#, status: problem.status
    ).retry(after: problem.retryAfter)
  }
}

extension Draft {
  fileprivate mutating func describe(_ value: JSONValue) {
    app = value["app_id"]?.text
    appVersion = value["release_version"]?.text
    platform = value["platform"]?.text
  }
}
