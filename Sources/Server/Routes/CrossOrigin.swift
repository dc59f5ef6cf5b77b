internal import HTTP
internal import Store

/// What a browser, or a web view, must be told so that a page may send events here and read the answer (the Fetch standard's
/// CORS protocol). Only where events go in: no page of another place reads answers.
extension Service {
  /// The answer to the question that comes first; nil where no page may do what it asks for.
  func preflight(_ request: Request) -> Response? {
    guard let (origin, route) = preflighted(request), let route, settings.origins.holds(origin, app: nil) else {
      return nil
    }
    let asked = (request.headers["access-control-request-headers"] ?? "").filter {
      $0.isASCII && ($0.isLetter || $0.isNumber || ["-", "_", ",", " "].contains($0))
    }
    return Response(status: 204).permitting(origin)
      .with("Access-Control-Allow-Methods", route.method)
      .with("Access-Control-Allow-Headers", asked.isEmpty ? "content-type" : asked)
      .with("Access-Control-Max-Age", "600")
  }

  /// Why no page may do what a browser asks for; nil where it is no such question.
  func refusedPreflight(_ request: Request, _ methods: [String]) -> Response? {
    guard let (origin, route) = preflighted(request) else { return nil }
    return AccessDenied.preflight(origin: origin, mayBeAllowed: route != nil, methods: methods).response
  }

  /// The place of the page that a browser asks for, and the route that it wants to send events to, if it is one.
  private func preflighted(_ request: Request) -> (origin: String, route: Route?)? {
    guard request.method == "OPTIONS", let origin = request.headers["origin"],
      let method = request.headers["access-control-request-method"]
    else { return nil }
    guard case .route(let route, _) = table.find(method, request.target.segments), route.takesEvents else {
      return (origin, nil)
    }
    return (origin, route)
  }

  /// With the permission to read what is answered, where the page's place has it.
  ///
  /// - Parameter app: that of the key; nil where it is not known yet.
  func permitting(_ admission: Admission, _ request: Request, _ route: Route, app: String? = nil) -> Admission {
    guard let origin = request.headers["origin"], route.takesEvents, settings.origins.holds(origin, app: app) else {
      return admission
    }
    switch admission.decision {
    case .refuse(let response): return .refuse(response.permitting(origin))
    case .body(let limit, let tooLarge):
      let handler = admission.handler
      return .body(
        limit: limit, tooLarge: tooLarge.map { permitting($0, origin) },
        handler: handler.map { permitting($0, origin) },
        allowance: admission.allowance)
    }
  }

  private func permitting(_ answer: @escaping @Sendable () -> Response, _ origin: String) -> @Sendable () -> Response {
    { answer().permitting(origin) }
  }

  private func permitting(_ handler: @escaping Handler, _ origin: String) -> Handler {
    { request, responder in handler(request, Responder { responder.respond($0.permitting(origin)) }) }
  }
}

extension Route {
  /// Whether events go in here.
  var takesEvents: Bool {
    if case .holder(of: .ingest) = access { true } else { dialect != nil }
  }
}

extension Response {
  /// Readable for pages of that place; a cache keeps no answer for another.
  fileprivate func permitting(_ origin: String) -> Response {
    with("Access-Control-Allow-Origin", origin).with("Access-Control-Expose-Headers", "Retry-After").with(
      "Vary", "Origin")
  }
}
