internal import Answers
internal import FoundationEssentials
internal import HTTP
internal import Ingest
internal import Store

extension Service {
  /// Finds the route of a request and checks the key, or answers why not. Called before the body is read, and again after.
  func find(_ request: Request) -> Result<(Route, Call), Rebuff> {
    let isHead = request.method == "HEAD"
    var allowed: [String] = []
    for route in routes + (reports == nil ? [] : pageRoutes) {
      guard let parameters = route.match(request.target.segments) else { continue }
      guard route.method == request.method || isHead && route.method == "GET" else {
        if !route.access.isForBrowsers { allowed.append(route.method) }
        continue
      }
      if !allowed.isEmpty, route.access.isForBrowsers { continue }
      switch access(route, request) {
      case .failure(let rebuff): return .failure(rebuff)
      case .success(let key):
        let call = Call(request: request, parameters: parameters, app: key?.app, key: key?.id)
        return .success((route, call))
      }
    }
    if !allowed.isEmpty { return .failure(.methodNotAllowed(allowed)) }
    return .failure(.notFound(request.path))
  }

  private func access(_ route: Route, _ request: Request) -> Result<AccessKey?, Rebuff> {
    let scope: Scope
    switch route.access {
    case .anybody: return .success(nil)
    case .holder(of: let needed), .browser(of: let needed): scope = needed
    }
    let keys = keys
    guard !keys.isOpen else { return .success(nil) }
    let isBrowser = route.access.isForBrowsers
    let asked = presentedKey(request.headers) ?? (isBrowser ? askedPassword(request.headers) : nil)
    guard let presented = asked else { return .failure(.noKey(asks: isBrowser)) }
    guard let key = keys.find(presented) else { return .failure(.wrongKey(asks: isBrowser)) }
    guard key.scope.allows(scope) else { return .failure(.scope(has: key.scope, needs: scope, asks: isBrowser)) }
    return .success(key)
  }

  /// The password of HTTP Basic (RFC 7617), whoever the user says to be. Only pages take it: a browser sends it along
  /// with every request to this place, also those that another site makes it send.
  private func askedPassword(_ headers: Headers) -> String? {
    guard let header = headers["authorization"] else { return nil }
    let parts = header.split(separator: " ", omittingEmptySubsequences: true)
    guard parts.count == 2, parts[0].lowercased() == "basic", let pair = Data(base64Encoded: String(parts[1])),
      let colon = pair.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    return String(decoding: pair[pair.index(after: colon)...], as: UTF8.self)
  }

  func presentedKey(_ headers: Headers) -> String? {
    if let key = headers["x-uptake-key"] { return key }
    guard let header = headers["authorization"] else { return nil }
    let parts = header.split(separator: " ", omittingEmptySubsequences: true)
    return parts.count == 2 && parts[0].lowercased() == "bearer" ? String(parts[1]) : nil
  }

  /// Decides on a request before its body is read.
  func admit(_ request: Request) -> Admission {
    if let excess = limits.excess(of: request) { return .refuse(tooMany(request, excess)) }
    switch find(request) {
    case .failure(let rebuff): return .refuse(rebuff.response)
    case .success((let route, let call)):
      if let dialect = route.dialect { return admit(dialect, call, takesBody: route.takesBody) }
      if let excess = limits.excess(ofKey: call.key) { return .refuse(excess.response) }
      return .body(limit: route.takesBody ? settings.maxBody : 0)
    }
  }

  func handle(_ request: Request, _ responder: Responder) {
    switch find(request) {
    case .failure(let rebuff): responder.respond(rebuff.response)
    case .success((let route, let call)): route.run(self, call, responder)
    }
  }

  func observe(_ observation: Observation) {
    let path = observation.target.prefix { $0 != "?" }
    if let route = routes.first(where: { $0.name == path }) {
      return metrics.observe(observation, route: route.name)
    }
    let segments = path.split(separator: "/").map(String.init)
    let pages = reports == nil ? [] : pageRoutes
    metrics.observe(observation, route: (routes + pages).first { $0.match(segments) != nil }?.name ?? "other")
  }
}

/// Why a request does not get to its route.
enum Rebuff: Error {
  case notFound(String)
  case methodNotAllowed([String])
  /// `asks`: a browser should ask its user.
  case noKey(asks: Bool)
  case wrongKey(asks: Bool)
  case scope(has: Scope, needs: Scope, asks: Bool)

  var response: Response {
    switch self {
    case .notFound(let path): .error(404, code: "not_found", "there is nothing at \(path)")
    case .methodNotAllowed(let allowed):
      .error(405, code: "method_not_allowed", "only \(allowed.joined(separator: " and ")) is answered here")
        .with("Allow", allowed.joined(separator: ", "))
    case .noKey(let asks):
      .error(401, code: "no_key", "a key is needed: send it as Authorization: Bearer KEY or X-Uptake-Key: KEY")
        .challenging(asks)
    case .wrongKey(let asks):
      .error(401, code: "wrong_key", "the key is unknown or was revoked; uptake key create makes one")
        .challenging(asks)
    case .scope(let has, let needs, let asks):
      // A browser asks again after a 401 only, and would repeat the wrong key for ever.
      Response.error(
        asks ? 401 : 403, code: "wrong_scope",
        "a key with scope \(has.rawValue) may not do this; it needs \(needs.rawValue)"
      ).challenging(asks, bearer: false)
    }
  }
}

extension Response {
  /// Names the ways to send a key; to a browser first the one that it can ask for.
  fileprivate func challenging(_ asks: Bool, bearer: Bool = true) -> Response {
    let basic =
      asks ? with("WWW-Authenticate", "Basic realm=\"uptake: any name, the key as password\", charset=\"UTF-8\"") : self
    return bearer ? basic.with("WWW-Authenticate", "Bearer") : basic
  }
}

extension Route.Access {
  fileprivate var isForBrowsers: Bool {
    if case .browser = self { true } else { false }
  }
}
