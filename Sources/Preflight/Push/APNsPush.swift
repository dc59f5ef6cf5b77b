internal import Ingest

/// A payload for APNs with the headers of its request.
struct APNsPush {
  let payload: JSONValue
  let headers: [String: String]?
  /// Where it lies in what was given, such as `message.apns.`; empty where it is all of it.
  let place: String

  var isWithinFCM: Bool { !place.isEmpty }
  var aps: JSONValue? { payload["aps"] }
  var payloadPlace: String { place.isEmpty ? "" : place + "payload." }
  func at(_ key: String) -> String { payloadPlace + key }
  func header(_ name: String) -> String { !isWithinFCM ? "header \(name)" : place + "headers." + name }
}

func rulings(onAPNs push: APNsPush) -> [Ruling] {
  guard push.payload.members != nil else {
    return [
      Ruling(
        rule: "apns-json", verdict: .fail, place: push.place.isEmpty ? "payload" : push.place + "payload",
        found: words(push.payload), why: "a payload is one JSON object", fix: "send an object that holds aps")
    ]
  }
  return (APNsRules.payload + (push.headers == nil ? [] : APNsRules.headers)).flatMap { $0.rulings(push) }
    + (push.headers == nil ? [APNsRules.unsaidHeaders(push)] : [])
    + SwiftpatchRules.all.flatMap { $0.rulings(SwiftpatchPayload(push.payload, place: push.payloadPlace)) }
}
