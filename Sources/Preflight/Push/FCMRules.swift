internal import Ingest

/// A message for FCM: the object in `message`, or what an Admin SDK is given in its place.
struct FCMMessage {
  let root: JSONValue
  let message: JSONValue
  /// `message.` where it lies in that.
  let place: String

  init(_ root: JSONValue) {
    self.root = root
    message = root["message"] ?? root
    place = root["message"] == nil ? "" : "message."
  }

  var data: [JSONValue.Member] { (message["data"]?.members ?? []) + (message["android"]?["data"]?.members ?? []) }
}

/// The rules of FCM's HTTP v1 API for a message that the app handles itself.
///
/// Source: Firebase, "Message types", "Set the priority of a message", reference of `projects.messages`.
enum FCMRules {
  static let all: [Rule<FCMMessage>] = [
    Rule("fcm-api", why: "the legacy API, which took to and registration_ids, was switched off in 2024") { push in
      let old = ["to", "registration_ids", "priority", "content_available", "time_to_live"].filter {
        push.root[$0] != nil
      }
      return old.isEmpty
        ? Remark.pass(push.place + "message", "HTTP v1")
        : old.flatMap { Remark.fail($0, words(push.root[$0]), fix: "send a message of HTTP v1: {\"message\": {…}}") }
    },
    Rule("fcm-target", why: "a message goes to exactly one token, topic or condition") { push in
      let targets = ["token", "topic", "condition", "fid"].filter { push.message[$0] != nil }
      return targets.count == 1
        ? Remark.pass(push.place + targets[0], "one receiver")
        : Remark.note(
          push.place + "token", targets.isEmpty ? "no receiver" : "\(targets.count) receivers",
          fix: "name one of token, topic and condition when you send it")
    },
    Rule(
      "fcm-data-message",
      why:
        "while the app is in the background the system shows a notification itself and the app's service is not called"
    ) { push in
      let shown = ["notification", "android.notification"].filter { path in at(path, push.message) != nil }
      return shown.isEmpty
        ? Remark.pass(push.place + "data", "no notification")
        : shown.flatMap {
          Remark.fail(push.place + $0, words(at($0, push.message)), fix: "leave it out, and send data alone")
        }
    },
    Rule("fcm-data", why: "data is what the app's service is given; FCM takes texts only (400 INVALID_ARGUMENT)") {
      push in
      guard !push.data.isEmpty else {
        return Remark.fail(push.place + "data", "missing", fix: "add \"data\": {\"key\": \"value\"}")
      }
      let wrong = push.data.filter { if case .string = $0.value { false } else { true } }
      return wrong.isEmpty
        ? Remark.pass(push.place + "data", "\(push.data.count) texts")
        : wrong.flatMap {
          Remark.fail(push.place + "data." + $0.name, words($0.value), fix: "make it a text: \"\($0.name)\": \"…\"")
        }
    },
    Rule("fcm-data-keys", why: "FCM keeps these keys for itself and refuses messages that use them") { push in
      let taken = push.data.map(\.name).filter {
        ["from", "message_type", "collapse_key", "notification"].contains($0) || $0.hasPrefix("google.")
          || $0.hasPrefix("gcm.") || $0 == "google" || $0 == "gcm"
      }
      return taken.isEmpty
        ? Remark.pass(push.place + "data", "no reserved key")
        : taken.flatMap { Remark.fail(push.place + "data." + $0, "reserved", fix: "call it otherwise") }
    },
    Rule(
      "fcm-priority",
      why:
        "a message of normal priority waits while the device is in Doze; of high priority it comes at once, but apps that"
        + " show nothing for them are lowered to normal"
    ) { push in
      let place = push.place + "android.priority"
      guard let priority = push.message["android"]?["priority"] else {
        return Remark.note(
          place, "not given: normal for data", fix: "send \"priority\": \"HIGH\" where an update is urgent, and seldom")
      }
      switch priority.text?.lowercased() {
      case "high": return Remark.pass(place, "high")
      case "normal":
        return Remark.note(place, "normal", fix: "send HIGH where an update is urgent, and seldom")
      default: return Remark.fail(place, words(priority), fix: "send NORMAL or HIGH")
      }
    },
    Rule("fcm-ttl", why: "a message that waits longer than its ttl is dropped; with 0s it is never stored") { push in
      let place = push.place + "android.ttl"
      guard let ttl = push.message["android"]?["ttl"] else { return Remark.note(place, "not given: four weeks") }
      guard let text = ttl.text, text.hasSuffix("s"), let seconds = Double(text.dropLast()), seconds >= 0 else {
        return Remark.fail(place, words(ttl), fix: "send seconds with an s: \"ttl\": \"86400s\"")
      }
      if seconds == 0 { return Remark.warn(place, "0s", fix: "send some hours, such as \"43200s\"") }
      return seconds > 2_419_200
        ? Remark.fail(place, text, fix: "send at most four weeks: \"2419200s\"") : Remark.pass(place, text)
    },
    Rule("fcm-size", why: "FCM refuses data of over 4,096 bytes") { push in
      let size = push.data.reduce(0) { $0 + $1.name.utf8.count + ($1.value.text?.utf8.count ?? $1.value.compactSize) }
      return size > 4096
        ? Remark.fail(push.place + "data", "\(size) bytes", fix: "send an id, and let the app ask for the rest")
        : Remark.pass(push.place + "data", "\(size) bytes")
    },
  ]

  private static func at(_ path: String, _ value: JSONValue) -> JSONValue? {
    path.split(separator: ".").reduce(Optional(value)) { $0?[String($1)] }
  }
}

func rulings(onFCM body: JSONValue) -> [Ruling] {
  let push = FCMMessage(body)
  guard push.message.members != nil else {
    return [
      Ruling(
        rule: "fcm-json", verdict: .fail, place: "message", found: words(body), why: "a message is one JSON object",
        fix: "send {\"message\": {…}}")
    ]
  }
  let apns = push.message["apns"].map { apns in
    APNsPush(
      payload: apns["payload"] ?? .object([]),
      headers: apns["headers"]?.members.map { members in
        Dictionary(members.map { ($0.name.lowercased(), $0.value.text ?? words($0.value)) }) { _, last in last }
      }, place: push.place + "apns.")
  }
  return FCMRules.all.flatMap { $0.rulings(push) }
    + SwiftpatchRules.all.flatMap { $0.rulings(SwiftpatchPayload(.object(push.data), place: push.place + "data.")) }
    + (apns.map(rulings(onAPNs:)) ?? [])
}
