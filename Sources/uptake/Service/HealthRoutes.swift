internal import Console
internal import HTTP

/// `GET /readyz`: whether an event that came now would be stored.
@Sendable func tellReadiness(_ service: Service, _ call: Call, _ responder: Responder) {
  guard let refusal = service.refusal else { return responder.respond(.text("ready\n")) }
  responder.respond(Response.error(503, code: refusal.code, refusal.message).with("Retry-After", "5"))
}

/// `GET /metrics`, for Prometheus.
@Sendable func tellMetrics(_ service: Service, _ call: Call, _ responder: Responder) {
  let statistics = service.statistics()
  responder.respond(
    Response(
      headers: [("Content-Type", "text/plain; version=0.0.4; charset=utf-8")],
      body: Array(service.metricsText(statistics).utf8)))
}
