internal import HTTP
internal import Ingest
internal import Store

extension Service {
  /// Finds the route of a request and checks the key, or answers why not. Called before the body is read, and again after.
  func find(_ request: Request) -> Result<(Route, Call), Rebuff> {
    let isHead = request.method == "HEAD"
    var allowed: [String] = []
    for route in routes {
      guard let parameters = route.match(request.target.segments) else { continue }
      guard route.method == request.method || isHead && route.method == "GET" else {
        allowed.append(route.method)
        continue
      }
      switch access(route, request) {
      case .failure(let rebuff): return .failure(rebuff)
      case .success(let app): return .success((route, Call(request: request, parameters: parameters, app: app)))
      }
    }
    if !allowed.isEmpty { return .failure(.methodNotAllowed(allowed)) }
    return .failure(.notFound(request.path))
  }

  private func access(_ route: Route, _ request: Request) -> Result<String?, Rebuff> {
    guard case .holder(of: let scope) = route.access else { return .success(nil) }
    let keys = keys
    guard !keys.isEmpty else { return .success(nil) }
    guard let presented = presentedKey(request.headers) else { return .failure(.noKey) }
    guard let key = keys.find(presented) else { return .failure(.wrongKey) }
    guard key.scope.allows(scope) else { return .failure(.scope(has: key.scope, needs: scope)) }
    return .success(key.app)
  }

  private func presentedKey(_ headers: Headers) -> String? {
    if let key = headers["x-uptake-key"] { return key }
    guard let header = headers["authorization"] else { return nil }
    let parts = header.split(separator: " ", omittingEmptySubsequences: true)
    return parts.count == 2 && parts[0].lowercased() == "bearer" ? String(parts[1]) : nil
  }

  /// Decides on a request before its body is read.
  func admit(_ request: Request) -> Admission {
    switch find(request) {
    case .failure(let rebuff): .refuse(rebuff.response)
    case .success((let route, _)): .body(limit: route.takesBody ? settings.maxBody : 0)
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
    metrics.observe(observation, route: routes.first { $0.match(segments) != nil }?.name ?? "other")
  }
}

/// Why a request does not get to its route.
enum Rebuff: Error {
  case notFound(String)
  case methodNotAllowed([String])
  case noKey
  case wrongKey
  case scope(has: Scope, needs: Scope)

  var response: Response {
    switch self {
    case .notFound(let path): .error(404, code: "not_found", "there is nothing at \(path)")
    case .methodNotAllowed(let allowed):
      .error(405, code: "method_not_allowed", "only \(allowed.joined(separator: " and ")) is answered here")
        .with("Allow", allowed.joined(separator: ", "))
    case .noKey:
      .error(401, code: "no_key", "a key is needed: send it as Authorization: Bearer KEY or X-Uptake-Key: KEY")
        .with("WWW-Authenticate", "Bearer")
    case .wrongKey:
      .error(401, code: "wrong_key", "the key is unknown or was revoked; uptake key create makes one")
        .with("WWW-Authenticate", "Bearer")
    case .scope(let has, let needs):
      .error(403, code: "wrong_scope", "a key with scope \(has.rawValue) may not do this; it needs \(needs.rawValue)")
    }
  }
}
