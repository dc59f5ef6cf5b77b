import Lifecycle

/// Omaha, as Flatcar's and other update clients speak it: checks and events of one or more apps, in XML or in JSON.
///
/// The only protocol whose wire names a mechanism: `installsource` says whether a timer or somebody asked.
extension Dialect {
  static let omahaRoutes = [
    DialectRoute(
      "POST", "/v1/update",
      Dialect(
        name: "omaha", isCheck: true, proof: .inside, hear: hearOmaha, answer: answerOmaha, offer: offeredVersion))
  ]

  @Sendable private static func hearOmaha(_ request: ForeignRequest) throws(DialectProblem) -> ParsedRequest {
    let message = try OmahaMessage(request.body)
    let root = message.root
    guard root.name == "request" else { throw DialectProblem(.malformed, "the root is <\(root.name)>, not <request>") }
    var heard = ParsedRequest(credential: root.children("app").first?["appid"])
    heard.subjects = .offered
    let interactivity = request.headers["x-goog-update-interactivity"]
    for app in root.children("app") { heard.take(OmahaApp(app, in: root, interactivity: interactivity)) }
    return heard
  }

  @Sendable private static func answerOmaha(
    _ request: ForeignRequest, _ heard: ParsedRequest?, _ verdict: Verdict
  ) -> ForeignReply {
    switch verdict {
    case .stored:
      let message = try? OmahaMessage(request.body)
      let apps = (message?.root.children("app") ?? []).prefix(100)
      if let message, let version = message.jsonVersion { return .omaha(json: Array(apps), version: version) }
      return .omaha(#"<daystart elapsed_seconds="0"/>"# + apps.map(appAnswer).joined())
    case .refused(let problem):
      return ForeignReply.omaha(#"<app status="error-\#(problem.reason)"/>"#, status: problem.status).retry(
        after: problem.retryAfter)
    }
  }

  /// The version that an update server grants to the one app that asks.
  @Sendable private static func offeredVersion(_ request: ForeignRequest, _ answer: [UInt8]) -> String? {
    guard let apps = (try? OmahaMessage(answer))?.root.children("app"), apps.count == 1,
      let check = apps[0].children("updatecheck").first, check["status"] == "ok"
    else { return nil }
    return check.children("manifest").first?["version"] ?? check["nextversion"]
  }

  /// No update, and thanks for every event.
  private static func appAnswer(_ app: XMLElement) -> String {
    let parts = app.children.compactMap { child in
      switch child.name {
      case "ping": #"<ping status="ok"/>"#
      case "updatecheck": #"<updatecheck status="noupdate"/>"#
      case "event": #"<event status="ok"/>"#
      default: nil
      }
    }
    return #"<app appid="\#(xmlEscaped(app["appid"] ?? ""))" status="ok">\#(parts.joined())</app>"#
  }
}

extension ForeignReply {
  fileprivate static func omaha(_ content: String, status: Int = 200) -> Self {
    let text =
      #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
      + #"<response protocol="3.0" server="uptake">\#(content)</response>"# + "\n"
    return Self(status, "text/xml; charset=utf-8", Array(text.utf8))
  }
}

private func xmlEscaped(_ text: String) -> String {
  text.unicodeScalars.reduce(into: "") { escaped, scalar in
    switch scalar {
    case "&": escaped += "&amp;"
    case "<": escaped += "&lt;"
    case ">": escaped += "&gt;"
    case "\"": escaped += "&quot;"
    default: if scalar.value >= 0x20 { escaped.unicodeScalars.append(scalar) }
    }
  }
}

extension ParsedRequest {
  fileprivate mutating func take(_ app: OmahaApp) {
    guard !app.base.device.isEmpty else { return drop("no_device") }
    if app.isCheck { drafts.append(app.base) }
    for event in app.events {
      guard let events = app.drafts(of: event) else {
        drop(app.saysNothing(event) ? "no_previous_version" : "unknown_event")
        continue
      }
      drafts += events
    }
  }
}
