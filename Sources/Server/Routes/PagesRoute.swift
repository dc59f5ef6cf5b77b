internal import Answers
internal import HTTP
internal import Store

/// Where pages are served, when they are. They come last: what the service itself has at a path goes first.
let pageRoutes: [Route] = [
  Route("GET", "/", .browser(of: .read), run: servePage),
  Route("GET", "/{page}", .browser(of: .read), run: servePage),
  Route("GET", "/{folder}/{page}", .browser(of: .read), run: servePage),
  Route("GET", "/{app}/{folder}/{page}", .browser(of: .read), run: servePage),
  Route("GET", "/{app}/{folder}/{release}/{page}", .browser(of: .read), run: servePage),
]

/// A page of the key's app, from memory.
@Sendable func servePage(_ service: Service, _ call: Call, _ responder: Responder) {
  guard let sites = service.reports?.sites else {
    return responder.respond(
      Response.error(503, code: "pages_not_ready", "the first pages are being made; ask again in a moment")
        .retry(after: 2))
  }
  guard let file = sites.file(at: call.request.target.segments, app: call.app) else {
    return responder.respond(AccessDenied.notFound(call.request.path).response)
  }
  responder.respond(file.response(to: call.request, anewEvery: service.reports?.settings.every))
}
