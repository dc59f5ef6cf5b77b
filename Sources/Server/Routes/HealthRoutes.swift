internal import Console
internal import HTTP
internal import Lifecycle

/// `GET /readyz`: whether an event that came now would be stored.
@Sendable func tellReadiness(_ service: Service, _ call: Call, _ responder: Responder) {
  guard let refusal = service.refusal ?? service.failing else {
    return responder.respond(.text("ready\n" + pagesWords(service)))
  }
  responder.respond(Response.error(503, code: refusal.code, refusal.message).retry(after: 5))
}

/// How the pages fare, where there are any. Old pages are no reason to refuse events: the status stays 200.
private func pagesWords(_ service: Service) -> String {
  guard let reports = service.reports else { return "" }
  let made = reports.sites.map { "pages of \($0.now.rfc3339)" } ?? "no pages yet"
  guard let failed = reports.failed else { return made + "\n" }
  return "\(made); making them failed at \(failed.at.rfc3339), see the log\n"
}

/// `GET /openapi.json`: the table of routes, for programs.
@Sendable func describeRoutes(_ service: Service, _ call: Call, _ responder: Responder) {
  responder.respond(.json(description))
}

/// Made once: it is long, and anybody may ask for it.
private let description = ConstantBody(Array((OpenAPI.document(routes).text(.pretty) + "\n").utf8))

/// `GET /metrics`, for Prometheus.
@Sendable func tellMetrics(_ service: Service, _ call: Call, _ responder: Responder) {
  service.verdicts.want()
  let text = Array(service.metricsText(service.statistics()).utf8)
  // Of many channels it is large and says the same words on each line: a tenth is left.
  let packed = acceptsGzip(call.request.headers) ? gzip(text, .fast) : nil
  let coding = packed == nil ? [] : [("Content-Encoding", "gzip")]
  responder.respond(
    Response(
      headers: [("Content-Type", "text/plain; version=0.0.4; charset=utf-8"), ("Vary", "Accept-Encoding")] + coding,
      body: packed ?? text))
}
