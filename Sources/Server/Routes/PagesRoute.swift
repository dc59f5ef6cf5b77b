internal import Answers
internal import HTTP
internal import Report
internal import Store

/// Where pages are served, when they are. They come last: what the service itself has at a path goes first.
let pageRoutes: [Route] = [
  Route("GET", "/", .browser(of: .read), run: servePage),
  Route("GET", "/{page}", .browser(of: .read), run: servePage),
  Route("GET", "/{folder}/{page}", .browser(of: .read), run: servePage),
  Route("GET", "/{app}/{folder}/{page}", .browser(of: .read), run: servePage),
  Route("GET", "/{app}/{folder}/{release}/{page}", .browser(of: .read), run: servePage),
]

extension ServedSites {
  /// To a file of a release that is named as it is. Relative, and of characters that need no escape: what lies there was rendered.
  ///
  /// - Parameter isStill: whether the page is to stay still there, too.
  func redirect(from segments: [String], app: String?, isStill: Bool = false) -> Response? {
    let known = Site.paths(naming: segments).first { $0 != segments && file(at: $0, app: app) != nil }
    guard let known, let folder = known.firstIndex(of: "release") else { return nil }
    let (ups, rest) = (known.count - folder - 2, known[(folder + 1)...].joined(separator: "/"))
    let place = String(repeating: "../", count: ups) + rest + (isStill ? "?\(Reloading.off)" : "")
    return Response(status: 302, headers: [("Location", place), ("Cache-Control", "no-store")])
  }
}

/// A link of weeks ago may lead to a release that has no page any more.
private func whyMissing(_ segments: [String]) -> String? {
  guard segments.dropLast().contains("release") else { return nil }
  return
    "of many releases the newest have pages (--report-newest); GET /v1/answers/verdict?release=RELEASE tells of each"
}

/// People who open a page right after the service began see one that loads itself again.
private func notReady(_ request: Request) -> Response {
  guard request.headers.all("accept").contains(where: { $0.contains("text/html") }) else {
    return .error(503, code: "pages_not_ready", "the first pages are being made; ask again in a moment")
  }
  let headers = [("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"), ("Refresh", "2")]
  return Response(status: 503, headers: headers + ServedFile.guards, body: Array(Site.beingMade.text.utf8))
}

/// A page of the key's app, from memory.
@Sendable func servePage(_ service: Service, _ call: Call, _ responder: Responder) {
  guard let sites = service.reports?.sites else { return responder.respond(notReady(call.request).retry(after: 2)) }
  let segments = call.request.target.segments
  guard let file = sites.file(at: segments, app: call.app) else {
    let moved = sites.redirect(from: segments, app: call.app, isStill: call.request.isStill)
    return responder.respond(moved ?? AccessDenied.notFound(call.request.path, why: whyMissing(segments)).response)
  }
  responder.respond(file.response(to: call.request))
}
