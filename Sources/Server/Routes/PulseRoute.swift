internal import Console
internal import HTTP
internal import Lifecycle
internal import Store

/// `GET /v1/pulse`: whether an answer may have changed, and how many events of the app come in. What it says of the version
/// means nothing beside another process's: how many events other apps have cannot be told from it.
@Sendable func tellPulse(_ service: Service, _ call: Call, _ responder: Responder) {
  if let response = service.onlyInFiles { return responder.respond(response) }
  service.take(responder, call) {
    let app = try call.onlyApp()
    return {
      let pulse = try Pulse(path: service.settings.path, app: app, now: service.settings.clock())
      let seconds = Double(Pulse.window.rawValue) / 1000
      return .json(
        JSON.object([
          "schema": .string("uptake.pulse/1"), "version": .string(String(UInt(bitPattern: pulse.version), radix: 16)),
          "eventsPerSecond": .number(Double(pulse.recentEvents) / seconds), "windowSeconds": .number(seconds),
        ]).text(.compact) + "\n")
    }
  }
}
