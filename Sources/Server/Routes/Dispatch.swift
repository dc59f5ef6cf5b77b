internal import Answers
internal import Console
public import HTTP
internal import Ingest
internal import Store

extension Service {
  private func access(_ route: Route, _ request: Request) -> Result<AccessKey?, AccessDenied> {
    let scope: Scope
    switch route.access {
    case .anybody: return .success(nil)
    case .holder(of: let needed), .browser(of: let needed): scope = needed
    }
    let keys = keys
    guard !keys.isOpen else { return .success(nil) }
    let isBrowser = route.access.isForBrowsers
    let inHeader = presentedKey(request.headers)
    guard let presented = inHeader ?? (route.takesPassword ? askedPassword(request.headers) : nil) else {
      return .failure(saysNoScheme(request.headers) ? .noBearer(asks: isBrowser) : .noKey(asks: isBrowser))
    }
    guard let key = keys.find(presented) else { return .failure(.wrongKey(asks: isBrowser)) }
    guard key.scope.allows(scope) else {
      return .failure(.scope(has: key.scope, needs: scope, asks: isBrowser && inHeader == nil))
    }
    keyUses.note(key.id, at: now)
    return .success(key)
  }

  /// The password of HTTP Basic (RFC 7617), whoever the user says to be. Only pages and the gate take it, which change nothing:
  /// a browser sends it along with every request to this place, also those that another site makes it send.
  private func askedPassword(_ headers: Headers) -> String? {
    guard let header = headers["authorization"] else { return nil }
    let parts = header.split(separator: " ", omittingEmptySubsequences: true)
    guard parts.count == 2, parts[0].lowercased() == "basic", let pair = bytes(base64: parts[1]),
      let colon = pair.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    return String(decoding: pair[pair.index(after: colon)...], as: UTF8.self)
  }

  /// No key holds a space: `Bearer` before it belongs into the other header, and does no harm in this one.
  func presentedKey(_ headers: Headers) -> String? {
    if let key = headers["x-uptake-key"] { return bearer(key) ?? key }
    return headers["authorization"].flatMap(bearer)
  }

  private func bearer(_ header: String) -> String? {
    let parts = header.split(separator: " ", omittingEmptySubsequences: true)
    return parts.count == 2 && parts[0].lowercased() == "bearer" ? String(parts[1]) : nil
  }

  /// Whether there is one word where `Bearer KEY` should be.
  private func saysNoScheme(_ headers: Headers) -> Bool {
    guard let header = headers["authorization"] else { return false }
    let parts = header.split(separator: " ", omittingEmptySubsequences: true)
    return parts.count == 1 && !["bearer", "basic"].contains(parts[0].lowercased())
  }
}

extension Service {
  /// Decides on a request before its body is read, once: its route is looked up and its key hashed here and nowhere else.
  /// A key that is revoked while the body comes has been valid for this request.
  public func admit(_ request: Request) -> Admission {
    let finding = table.find(request.method, request.target.segments)
    var admission = admit(request, finding)
    admission.label = finding.name
    return admission
  }

  private func admit(_ request: Request, _ finding: RouteTable.Finding) -> Admission {
    if let excess = limits.excess(of: request) {
      let refusal = Admission.refuse(tooMany(request, finding, excess))
      return finding.route.map { permitting(refusal, request, $0) } ?? refusal
    }
    switch finding {
    case .nothing: return .refuse(notFound(request))
    case .otherMethods(let allowed, _):
      let asked = preflight(request) ?? refusedPreflight(request, allowed)
      return .refuse(asked ?? AccessDenied.methodNotAllowed(allowed).response)
    case .route(let route, let parameters):
      if let denied = foreignness(of: request, to: route) { return .refuse(denied.response) }
      let call = Call(request: request, parameters: parameters)
      guard let dialect = route.dialect else { return admit(route, call) }
      return permitting(admit(dialect, route, call), request, route)
    }
  }

  private func admit(_ route: Route, _ call: Call) -> Admission {
    switch access(route, call.request) {
    case .failure(let rebuff): return permitting(.refuse(rebuff.response), call.request, route)
    case .success(let key):
      var call = call
      (call.app, call.key) = (key?.app, key?.id)
      let excess = limits.excess(ofKey: key?.id)
      let admission = excess.map { .refuse($0.response) } ?? admission(to: route, call)
      return permitting(admission, call.request, route, app: key?.app)
    }
  }

  private func admission(to route: Route, _ call: Call) -> Admission {
    .body(
      limit: route.takesBody ? settings.maxBody : 0, handler: handler(of: route, call),
      allowance: route.takesBody ? allowance(call.request, isStranger: false) : nil)
  }

  /// The route with what was found out about the request, for when it is whole.
  func handler(of route: Route, _ call: Call) -> Handler {
    { [self] request, responder in
      var call = call
      call.request = request
      route.run(self, call, responder)
    }
  }

  /// Who opens the service in a browser looks for pages, and who posts has events, nearly always.
  private func notFound(_ request: Request) -> Response {
    let takesEvents = request.method == "POST" && settings.warehouse == nil
    let isPage = reports == nil && (request.path == "/" || request.path.hasSuffix(".html"))
    let why = takesEvents ? "events go to POST /v1/events" : isPage ? "pages are served with --reports DIR" : nil
    return AccessDenied.notFound(request.path, why: why).response
  }

  /// Answers a whole request without a server around it.
  public func handle(_ request: Request, _ responder: Responder) {
    let admission = admit(request)
    switch admission.decision {
    case .refuse(let response): responder.respond(response)
    case .body: admission.handler?(request, responder)
    }
  }

  /// What was refused as malformed was never looked up.
  func observe(_ observation: Observation) {
    metrics.observe(observation, route: observation.label ?? nameOfRoute(observation))
  }

  private func nameOfRoute(_ observation: Observation) -> String {
    let segments = observation.target.prefix { $0 != "?" }.split(separator: "/").map(String.init)
    return table.find(observation.method, segments).name
  }
}

/// Why a request does not get to its route.
enum AccessDenied: Error {
  case notFound(String, why: String?)
  case methodNotAllowed([String])
  /// `asks`: a browser should ask its user.
  case noKey(asks: Bool)
  /// A key may be there, without the word that says so.
  case noBearer(asks: Bool)
  case wrongKey(asks: Bool)
  case scope(has: Scope, needs: Scope, asks: Bool)
  /// Without any key: the name by which this machine was called, or the page that made a browser call it.
  case foreignHost(String)
  case foreignOrigin(String, mayBeAllowed: Bool)
  /// A browser asked whether a page of that place may send something here.
  case preflight(origin: String, mayBeAllowed: Bool, methods: [String])

  var response: Response {
    switch self {
    case .notFound(let path, let why):
      .error(404, code: "not_found", ["there is nothing at \(path)", why].compactMap(\.self).joined(separator: "; "))
    case .methodNotAllowed(let allowed):
      .error(
        405, code: "method_not_allowed",
        "only \(allowed.joined(separator: " and ")) \(allowed.count == 1 ? "is" : "are") answered here"
      )
      .with("Allow", (allowed + (allowed.contains("GET") ? ["HEAD"] : [])).joined(separator: ", "))
    case .noKey(let asks):
      .error(401, code: "no_key", "a key is needed: send it as Authorization: Bearer KEY or X-Uptake-Key: KEY")
        .challenging(asks)
    case .noBearer(let asks):
      .error(
        401, code: "no_key",
        "Authorization has one word, and Bearer is missing before it: send Authorization: Bearer KEY or X-Uptake-Key: KEY"
      ).challenging(asks)
    case .wrongKey(let asks):
      .error(401, code: "wrong_key", "the key is unknown or was revoked; uptake key create makes one")
        .challenging(asks)
    case .scope(let has, let needs, let asks):
      // A browser asks again after a 401 only, and would repeat the wrong key for ever.
      Response.error(
        asks ? 401 : 403, code: "wrong_scope",
        "a key with scope \(has.rawValue) may not do this; it needs \(needs.rawValue)"
      ).challenging(asks, bearer: false)
    case .foreignHost(let host):
      .error(
        403, code: "foreign_host",
        "until the first key is made only localhost and addresses are answered, not the name \(shown(host)); "
          + "ask http://localhost, or make a key with uptake key create")
    case .foreignOrigin(let origin, let mayBeAllowed):
      .error(
        403, code: "foreign_origin",
        "until the first key is made pages of other places may send nothing here, and this came from \(shown(origin)); "
          + (mayBeAllowed
            ? allowing(origin) : "make a key with uptake key create, and send it along"))
    case .preflight(let origin, let mayBeAllowed, let methods):
      Response.error(
        405, code: "preflight_refused",
        mayBeAllowed
          ? "pages of \(shown(origin)) may not send events here; \(allowing(origin))"
          : "pages of other places may only send events, and this is no place for them; ask from a program"
      ).with("Allow", methods.joined(separator: ", "))
    }
  }

  /// How pages of a place may send events: nobody but who runs the service says so.
  private func allowing(_ origin: String) -> String {
    origin == "null"
      ? "a page without a place of its own, such as a file, cannot be let in: serve it from somewhere"
      : "to let them, start the service with --allow-origin \(shown(origin))"
  }

  private func shown(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(100).filter { (0x20..<0x7F).contains($0.value) }))
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
  var isForBrowsers: Bool {
    if case .browser = self { true } else { false }
  }
}
