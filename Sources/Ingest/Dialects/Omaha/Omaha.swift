import Lifecycle

/// Omaha, as Flatcar's and other update clients speak it: checks and events of one or more apps in XML.
///
/// The only protocol whose wire names a mechanism: `installsource` says whether a timer or somebody asked.
extension Dialect {
  static let omahaRoutes = [
    DialectRoute(
      "POST", "/v1/update",
      Dialect(
        name: "omaha", isCheck: true, proof: .inside, hear: hearOmaha, answer: answerOmaha, offer: offeredVersion))
  ]

  @Sendable private static func hearOmaha(_ request: ForeignRequest) throws(DialectProblem) -> Heard {
    let root: XMLElement
    do throws(XMLProblem) { root = try XMLReader.read(request.body) } catch {
      throw DialectProblem(.malformed, error.message)
    }
    guard root.name == "request" else { throw DialectProblem(.malformed, "the root is <\(root.name)>, not <request>") }
    var heard = Heard(credential: root.children("app").first?["appid"])
    for app in root.children("app") { heard.take(OmahaApp(app, in: root)) }
    return heard
  }

  @Sendable private static func answerOmaha(
    _ request: ForeignRequest, _ heard: Heard?, _ verdict: Verdict
  ) -> ForeignReply {
    switch verdict {
    case .stored:
      let root = try? XMLReader.read(request.body)
      let apps = (root?.children("app") ?? []).prefix(100).map(appAnswer).joined()
      return .omaha(#"<daystart elapsed_seconds="0"/>"# + apps)
    case .refused(let problem):
      var reply = ForeignReply.omaha(#"<app status="error-\#(problem.reason)"/>"#, status: problem.status)
      if let seconds = problem.retryAfter { reply.headers["Retry-After"] = String(seconds) }
      return reply
    }
  }

  /// The version that an update server grants to the one app that asks.
  @Sendable private static func offeredVersion(_ request: ForeignRequest, _ answer: [UInt8]) -> String? {
    guard let apps = (try? XMLReader.read(answer))?.children("app"), apps.count == 1,
      let check = apps[0].children("updatecheck").first, check["status"] == "ok"
    else { return nil }
    return check.children("manifest").first?["version"]
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

extension Heard {
  fileprivate mutating func take(_ app: OmahaApp) {
    guard !app.base.device.isEmpty else { return drop("no_device") }
    if app.isCheck { drafts.append(app.base) }
    for event in app.events {
      switch app.drafts(of: event) {
      case .events(let events): drafts += events
      case .dropped(let reason): drop(reason)
      }
    }
  }
}

/// What a request says about one app.
struct OmahaApp {
  enum Meaning: Equatable {
    case events([Draft])
    case dropped(String)
  }
  let base: Draft
  /// Whether it asked, or said that it is alive.
  let isCheck: Bool
  let events: [XMLElement]
  private let version: String?

  init(_ app: XMLElement, in request: XMLElement) {
    let os = request.children("os").first
    let device = app["machineid"] ?? request["userid"] ?? app["userid"] ?? app["bootid"]
    version = app["version"].flatMap { $0 == "0.0.0.0" ? nil : $0 }
    var base = Draft(.check, device: device ?? "", release: version)
    base.app = app["appid"]
    base.channel = app["track"]
    base.appVersion = version
    base.platform = os?["platform"]?.lowercased()
    base.osVersion = os?["version"]
    base.sdkVersion = request["updaterversion"] ?? request["version"]
    base.trigger = (app["installsource"] ?? request["installsource"]).map(Trigger.init(loosely:))
    self.base = base
    isCheck = !app.children("ping").isEmpty || !app.children("updatecheck").isEmpty
    events = Array(app.children("event").prefix(1000))
  }

  /// While an update is under way `version` is still the old one: what it is about stands in `nextversion`.
  func drafts(of event: XMLElement) -> Meaning {
    let next = event["nextversion"] ?? base.release(after: event["previousversion"])
    func told(_ stages: Stage...) -> Meaning {
      guard let next else { return .dropped("no_release") }
      return .events(
        stages.map { stage in
          var draft = base
          (draft.stage, draft.release) = (stage, next)
          if stage == .applied { draft.from = event["previousversion"] }
          return draft
        })
    }
    switch (event["eventtype"], event["eventresult"]) {
    case ("3", "0"):
      var draft = base
      (draft.stage, draft.release, draft.reason) = (.failed, next, event["errorcode"].map { "error " + $0 })
      return .events([draft])
    case ("3", "1"): return told(.applied)
    case ("3", "2"): return told(.applied, .confirmed)
    case ("13", "1"): return told(.downloadStarted)
    case ("14", "1"): return told(.downloadCompleted)
    case ("800", "1"): return told(.ready)
    default: return .dropped("unknown_event")
    }
  }
}

extension Draft {
  /// The version that runs now, where it is another than before.
  fileprivate func release(after previous: String?) -> String? {
    previous != nil && previous != release && previous != "0.0.0.0" ? release : nil
  }
}
