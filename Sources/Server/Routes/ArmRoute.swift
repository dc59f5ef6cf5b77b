internal import Console
internal import HTTP
internal import Lifecycle

/// `GET /v1/arm`: the arm of a device, by the rule that clients have. Nothing is read or stored: whoever may send events may ask.
@Sendable func tellArm(_ service: Service, _ call: Call, _ responder: Responder) {
  responder.respond(service.response { try arm(call) })
}

private let parameters = ["device", "experiment", "arms"]

private func arm(_ call: Call) throws -> Response {
  try call.request.target.requireWhole()
  var said: [String: String] = [:]
  for (name, value) in call.request.target.queryItems {
    guard parameters.contains(name) else {
      throw BadForm(name, "there is no parameter \"\(name)\"; known: \(parameters.joined(separator: ", "))")
    }
    guard said.updateValue(value, forKey: name) == nil else { throw BadForm(name, "\(name) is given twice") }
  }
  func needed(_ name: String) throws -> String {
    guard let value = said[name], (1...1024).contains(value.utf8.count) else {
      throw BadForm(name, "the parameter \(name) is missing, or longer than 1,024 bytes")
    }
    return value
  }
  let (device, experiment) = (try needed("device"), try needed("experiment"))
  guard let rule = ArmRule(experiment, arms: try needed("arms")) else {
    throw BadForm("arms", "arms are names and per cents, at most 100 together: holdout:5,push:95")
  }
  let document: JSON = [
    "schema": "uptake.arm/1", "experiment": .string(experiment),
    "bucket": .integer(ArmRule.bucket(of: device, in: experiment)),
    "arm": rule.arm(of: device).map(JSON.string) ?? .null,
  ]
  return .json(document.text(.compact) + "\n")
}
