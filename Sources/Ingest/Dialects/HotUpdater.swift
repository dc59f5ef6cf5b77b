import Lifecycle

/// hot-updater: `POST /events` of one report with a strict set of fields, answered by 204.
extension Dialect {
  static let hotUpdaterRoutes =
    ["/events", "/hot-updater/events", "/api/events", "/api/hot-updater/events"].map {
      DialectRoute(
        "POST", $0,
        Dialect(
          name: "hot-updater", proof: .beside { $0.headers["x-api-key"] }, hear: hearReport, answer: answerHotUpdater))
    }
    + hotUpdaterCheckRoutes

  private static let limit = 16 << 10
  private static let texts = [
    "installId", "platform", "appVersion", "channel", "cohort", "fingerprintHash", "fromBundleId", "toBundleId",
    "fromReleaseId", "toReleaseId", "updateStrategy", "sdkVersion", "userId", "username", "type",
  ]
  private static let needed = ["type", "installId", "platform", "appVersion", "channel", "cohort", "toBundleId"]
  private static let nullable = [
    "fingerprintHash", "fromBundleId", "fromReleaseId", "toReleaseId", "updateStrategy", "sdkVersion",
  ]
  private static let identities = ["installId", "userId"]
  private static let notAReport = DialectProblem(.malformed, "Invalid event payload")

  @Sendable private static func hearReport(_ request: ForeignRequest) throws(DialectProblem) -> ParsedRequest {
    guard request.body.count <= limit else { throw DialectProblem(.tooLarge, "Event body too large") }
    guard let report = try? request.json() else { throw notAReport }
    try check(report)
    func text(_ name: String) -> String? { report[name]?.text }
    let device = text("installId") ?? ""
    var draft = Draft(.check, device: device, release: bundle(text("toBundleId"), text("appVersion")))
    draft.app = "hot-updater"
    (draft.platform, draft.appVersion, draft.channel) = (text("platform"), text("appVersion"), text("channel"))
    draft.sdkVersion = text("sdkVersion")
    return ParsedRequest(stages(draft, report, from: bundle(text("fromBundleId"), text("appVersion"))))
  }

  private static func stages(_ running: Draft, _ report: JSONValue, from: String?) -> [Draft] {
    func draft(_ stage: Stage, _ release: String?) -> Draft {
      var draft = running
      (draft.stage, draft.release) = (stage, release)
      return draft
    }
    switch report["type"]?.text {
    case "UPDATE_DOWNLOADED":
      guard let release = running.release, !release.hasPrefix(ReleaseLabel.storePrefix) else { return [running] }
      return [draft(.downloadCompleted, release), draft(.ready, release)]
    case "UPDATE_APPLIED", "RELEASE_ADOPTED":
      // A device that goes back to what the store gave it applies nothing.
      guard let release = running.release, !release.hasPrefix(ReleaseLabel.storePrefix) else { return [running] }
      var applied = draft(.applied, release)
      applied.from = from
      return [applied, draft(.confirmed, release)]
    case "RECOVERED":
      // The bundle that it came from had crashed.
      var crashed = draft(.rolledBack, from)
      crashed.reason = "crash"
      return from?.hasPrefix(ReleaseLabel.storePrefix) ?? true ? [running] : [crashed, running]
    default: return [running]
    }
  }

  /// As strict as every version of the real server is. Where versions differ, what one of them takes is taken.
  private static func check(_ report: JSONValue) throws(DialectProblem) {
    func invalid(_ name: String) -> DialectProblem { DialectProblem(.malformed, "Invalid event field: \(name)") }
    guard let members = report.members, members.allSatisfy({ texts.contains($0.name) }) else { throw notAReport }
    for member in members {
      if member.value == .null, nullable.contains(member.name) { continue }
      guard let text = member.value.text, text.utf16.count <= (identities.contains(member.name) ? 255 : 1024) else {
        throw invalid(member.name)
      }
    }
    for name in needed where report[name]?.text == nil { throw invalid(name) }
    guard ["ios", "android"].contains(report["platform"]?.text) else { throw invalid("platform") }
    guard ["fingerprint", "appVersion", nil].contains(report["updateStrategy"]?.text) else {
      throw invalid("updateStrategy")
    }
    let types = ["UPDATE_APPLIED", "RECOVERED", "UNCHANGED", "RELEASE_ADOPTED", "UPDATE_DOWNLOADED"]
    guard types.contains(report["type"]?.text ?? "") else { throw invalid("type") }
  }

  /// What came from the store has no bundle, or one whose id was made as the app was built: all zeros in a debug build,
  /// else the time of the build as a UUIDv7 that has zeros where others are random. Two builds of one version differ in it.
  private static func bundle(_ id: String?, _ version: String?) -> String? {
    guard let id, id.contains(where: { $0 != "0" && $0 != "-" }), !id.lowercased().hasSuffix(builtIn) else {
      return Draft.storeBuild(version)
    }
    return id
  }

  private static let builtIn = "-7000-8000-000000000000"

  @Sendable static func answerHotUpdater(
    _ request: ForeignRequest, _ heard: ParsedRequest?, _ verdict: Verdict
  ) -> ForeignReply {
    switch verdict {
    case .stored(let decoded, _):
      guard let first = decoded.rejections.first, decoded.batch.events.isEmpty else {
        return ForeignReply(204, "application/json", [])
      }
      return .json(#"{"error":\#(jsonText("Invalid event field: \(first.message)"))}"#, status: 400)
    case .refused(let problem):
      return ForeignReply.json(#"{"error":\#(jsonText(problem.message))}"#, status: problem.status).retry(
        after: problem.retryAfter)
    }
  }
}
