internal import Ingest

/// Apple's rules for a background notification.
///
/// Source: Apple, "Pushing background updates to your App", "Generating a remote notification", "Sending notification
/// requests to APNs".
enum APNsRules {
  static let payload: [Rule<APNsPush>] = [
    Rule("apns-aps", why: "without an object aps APNs takes the payload and the system does nothing with it") { push in
      guard let aps = push.aps else {
        return Remark.fail(push.at("aps"), "missing", fix: "add \"aps\": {\"content-available\": 1}")
      }
      return aps.members == nil
        ? Remark.fail(push.at("aps"), words(aps), fix: "make aps an object: {\"content-available\": 1}")
        : Remark.pass(push.at("aps"), words(aps))
    },
    Rule("apns-content-available", why: "only the number 1 makes the system wake the app; the key stands inside aps") {
      contentAvailable($0)
    },
    Rule(
      "apns-only-content-available",
      why:
        "alert, sound and badge make it a visible notification, which needs the user's permission and wakes the app only"
        + " when it is tapped"
    ) { push in
      let shown = ["alert", "sound", "badge"].filter { push.aps?[$0] != nil }
      guard shown.isEmpty else {
        return shown.flatMap {
          Remark.fail(
            push.at("aps." + $0), words(push.aps?[$0]), fix: "leave \($0) out, or send it in a push of its own")
        }
      }
      return Remark.pass(push.at("aps"), "nothing to show")
    },
    Rule("apns-other-keys", why: "in a push that shows nothing these keys of aps have no effect") { push in
      let known = ["content-available", "alert", "sound", "badge", "content_available", "contentAvailable"]
      let others = (push.aps?.members ?? []).map(\.name).filter { !known.contains($0) }
      return others.flatMap {
        Remark.note(
          push.at("aps." + $0), words(push.aps?[$0]), fix: "leave it out; the app's own keys stand beside aps")
      }
    },
    Rule("apns-size", why: "APNs refuses a payload of over 4,096 bytes (413 PayloadTooLarge)") { push in
      let size = push.payload.compactSize
      return size > 4096
        ? Remark.fail(push.place + "payload", "\(size) bytes", fix: "send an id, and let the app ask for the rest")
        : Remark.pass(push.place + "payload", "\(size) bytes")
    },
    Rule("apns-repeated-keys", why: "of a key that stands there twice readers take different ones") { push in
      let names = (push.payload.members ?? []).map(\.name) + (push.aps?.members ?? []).map { "aps." + $0.name }
      let repeated = Set(names.filter { name in names.count { $0 == name } > 1 }).sorted()
      return repeated.flatMap { Remark.fail(push.at($0), "given more than once", fix: "keep one") }
    },
  ]

  private static func contentAvailable(_ push: APNsPush) -> [Remark] {
    let (place, key) = (push.at("aps.content-available"), "content-available")
    if let value = push.aps?[key] {
      return value == .integer(1)
        ? Remark.pass(place, "1")
        : Remark.fail(place, words(value), fix: "write the number 1: \"content-available\": 1")
    }
    for spelling in ["content_available", "contentAvailable"] where push.aps?[spelling] != nil {
      return Remark.fail(
        push.at("aps." + spelling), words(push.aps?[spelling]),
        fix: "spell it content-available; other spellings belong to libraries that write it anew")
    }
    if let value = push.payload[key] {
      return Remark.fail(push.at(key), words(value), fix: "move it into aps")
    }
    return Remark.fail(place, "missing", fix: "add \"content-available\": 1 to aps")
  }

  static func unsaidHeaders(_ push: APNsPush) -> Ruling {
    Ruling(
      rule: "apns-headers", verdict: .note, place: push.place.isEmpty ? "headers" : push.place + "headers",
      found: "not given",
      why:
        "a background push needs apns-push-type background and apns-priority 5; without them APNs may refuse or delay it",
      fix: push.place.isEmpty
        ? "give the request's headers with --headers"
        : "add \"headers\": {\"apns-push-type\": \"background\", \"apns-priority\": \"5\"}")
  }
}
