internal import HTTP
internal import Ingest
internal import Store

/// One row of the service's table: a method, a path, who may, and what happens.
struct Route: Sendable {
  enum Access: Sendable {
    case anybody
    case holder(of: Scope)
    /// The same, and a browser may send the key as the password that it asks for.
    case browser(of: Scope)
  }
  typealias Run = @Sendable (Service, Call, Responder) -> Void

  var method: String
  /// The path as it is written in the table, and as metrics name it.
  var name: String
  /// Its parts. `{name}` stands for one part of the path.
  var pattern: [String]
  var access: Access
  /// Whether a body is read at all, and up to how many bytes.
  var takesBody: Bool
  /// Whether the key may also come as a password, as in `https://any:KEY@host/`: a hook that posts can often say nothing else.
  var takesPassword: Bool
  /// Whether a slash at the end of the path makes no difference.
  var allowsSlash = false
  /// Whether the path may be the end of a longer one.
  var isAnywhere = false
  /// Where it is another system's: nothing but it knows how to refuse.
  var dialect: Dialect?
  var run: Run

  init(
    _ method: String, _ path: String, _ access: Access, takesBody: Bool = false, takesPassword: Bool = false,
    run: @escaping Run
  ) {
    self.method = method
    name = path
    pattern = path.split(separator: "/").map(String.init)
    self.access = access
    self.takesBody = takesBody
    self.takesPassword = takesPassword || access.isForBrowsers
    self.run = run
  }

  /// Whoever calls it proves inside the request that they may.
  init(_ row: DialectRoute) {
    self.init(row.method, row.path, .anybody, takesBody: row.method != "GET") { service, call, responder in
      hear(row.dialect, service, call, responder)
    }
    allowsSlash = true
    isAnywhere = row.isAnywhere
    dialect = row.dialect
  }

  /// What the placeholders stand for, or nil where the path is another.
  func match(_ segments: [String]) -> [String: String]? {
    var segments = segments[...]
    if allowsSlash, segments.count > pattern.count, segments.last == "" { segments.removeLast() }
    if isAnywhere { segments = segments.suffix(pattern.count) }
    guard segments.count == pattern.count else { return nil }
    var found: [String: String] = [:]
    for (part, segment) in zip(pattern, segments) {
      if part.hasPrefix("{") {
        found[String(part.dropFirst().dropLast())] = segment
      } else if part != segment {
        return nil
      }
    }
    return found
  }
}

/// A request that found its route and proved that it may.
struct Call: Sendable {
  /// What another system's client proved beside its body: a key, or nothing that could be told there.
  struct Proof: Sendable {
    var key: AccessKey?
  }

  /// Without its body while that is still to come.
  var request: Request
  var parameters: [String: String]
  /// The app that the key is for; nil where no key was ever made.
  var app: String?
  /// The key's number; nil where no key was ever made.
  var key: Int64?
  /// nil where nobody has looked yet.
  var proof: Proof?

  /// For the audit.
  var author: Author { key.map(Author.key) ?? .anybodyHere }
}

/// Every route, beside those of pages. `docs/http.md` and the tests read the same rows.
let routes: [Route] = ownRoutes + Dialect.routes.map(Route.init)

/// What is spoken here alone.
private let ownRoutes: [Route] = [
  Route("POST", "/v1/events", .holder(of: .ingest), takesBody: true, run: acceptEvents),
  Route("GET", "/v1/releases", .holder(of: .read), run: listReleases),
  Route("GET", "/v1/releases/{release}", .holder(of: .read), run: tellRelease),
  Route("PUT", "/v1/releases/{release}", .holder(of: .publish), takesBody: true, run: putRelease),
  Route("DELETE", "/v1/releases/{release}", .holder(of: .admin), run: deleteRelease),
  Route("GET", "/v1/answers/devices", .holder(of: .devices)) { answer("devices", $0, $1, $2) },
  Route("GET", "/v1/answers/{question}", .holder(of: .read), run: answerQuestion),
  Route("GET", "/v1/pulse", .holder(of: .read), run: tellPulse),
  Route("GET", "/v1/arm", .holder(of: .ingest), run: tellArm),
  Route("GET", "/v1/gate", .holder(of: .read), run: answerGate),
  Route("POST", "/v1/gate", .holder(of: .read), takesBody: true, takesPassword: true, run: answerGate),
  Route("GET", "/v1/devices/{device}/breadcrumbs", .holder(of: .read), run: tellBreadcrumbs),
  Route("DELETE", "/v1/devices/{device}", .holder(of: .admin), run: forgetDevice),
  Route("GET", "/v1/audit", .holder(of: .admin), run: tellAudit),
  Route("GET", "/healthz", .anybody) { _, _, responder in responder.respond(.text("ok\n")) },
  Route("GET", "/readyz", .anybody, run: tellReadiness),
  Route("GET", "/metrics", .holder(of: .metrics), run: tellMetrics),
  Route("GET", "/openapi.json", .anybody, run: describeRoutes),
]
