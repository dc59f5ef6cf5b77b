internal import Answers
internal import Console
internal import Dispatch
internal import HTTP
internal import Ingest
internal import Lifecycle
internal import Store

/// Work on the whole file that must not keep a thread of the server.
private let upkeep = DispatchQueue(label: "uptake.upkeep", qos: .utility)

/// `DELETE /v1/devices/{device}`: forgets a device of the key's app.
///
/// A device is a hash of app and id, so what another app knows of the same id can neither be removed nor learned.
@Sendable func forgetDevice(_ service: Service, _ call: Call, _ responder: Responder) {
  upkeep.async {
    responder.respond(service.response { try forget(service, call) })
  }
}

private func forget(_ service: Service, _ call: Call) throws -> Response {
  if let response = service.onlyAnswersResponse { return response }
  let id = call.parameters["device"] ?? ""
  guard (1...128).contains(id.utf8.count) else { throw BadForm("device", "the device has 1 to 128 bytes") }
  guard let app = try call.onlyApp() else {
    throw BadForm("app", "the app is missing: name it as ?app=APP, or use a key")
  }
  let hashes = DeviceHash.spellings(of: id).map { service.log.identityKeys.device(app: app, id: $0) }
  let known = try hashes.filter { try wasKnown($0, of: app, service) }
  guard !known.isEmpty else {
    return .error(404, code: "not_found", "nothing is known of that device")
  }
  let forgotten = try service.log.forget(hashes, of: app, by: call.author, now: service.now)
  service.journal.write(.info, "device_forgotten", ["events": .integer(forgotten.events)])
  return .json(try forgottenPresentation(forgotten, named: 1).text() + "\n")
}

/// Whether anything was known; what is remembered of it is forgotten by asking.
private func wasKnown(_ device: DeviceHash, of app: String, _ service: Service) throws -> Bool {
  let isStored = try service.log.knows(device)
  // Both: what is remembered may be of a device of which nothing could be stored.
  let hadChannel = service.channels.forget(device, app: app)
  let hadOffer = service.offers.forget(device, app: app)
  return isStored || hadChannel || hadOffer
}
