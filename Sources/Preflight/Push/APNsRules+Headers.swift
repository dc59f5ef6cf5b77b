/// What the request must say beside the payload.
extension APNsRules {
  static let headers: [Rule<APNsPush>] = [
    Rule(
      "apns-push-type",
      why:
        "since iOS 13 a push without the type, or of type alert with nothing to show, may be delayed or dropped; watchOS"
        + " requires it"
    ) { push in
      let name = "apns-push-type"
      return said(name, push, missing: "send apns-push-type: background") {
        $0 == "background" ? nil : "send apns-push-type: background"
      }
    },
    Rule("apns-priority", why: "a background push of priority 10 is an error; 5 lets the system choose the time") {
      push in
      said("apns-priority", push, missing: "send apns-priority: 5; without it the priority is 10") {
        $0 == "5" ? nil : $0 == "1" ? "send 5: with 1 the device is never woken for it" : "send apns-priority: 5"
      }
    },
    Rule("apns-topic", why: "the topic of a background push is the app's bundle id, with nothing behind it") { push in
      said("apns-topic", push, missing: "send the bundle id; only a certificate of one topic may leave it out") {
        topic in
        let suffix = suffixes.first { topic.hasSuffix($0) }
        if let suffix { return "leave \(suffix) out: it is for pushes of another type" }
        return topic.contains(".") && !topic.contains(" ") ? nil : "send the bundle id, such as com.example.demo"
      }
    },
    Rule("apns-expiration", why: "with 0 a device that is off or off line never gets the push") { push in
      guard let value = push.headers?["apns-expiration"] else {
        return Remark.note(
          push.header("apns-expiration"), "not given: APNs chooses how long it keeps the push",
          fix: "send the time until which the push is of use, in seconds since 1970")
      }
      guard let seconds = Int(value) else {
        return Remark.fail(push.header("apns-expiration"), value, fix: "send whole seconds since 1970, or 0")
      }
      return seconds == 0
        ? Remark.warn(push.header("apns-expiration"), "0", fix: "send a time some hours ahead, in seconds since 1970")
        : Remark.pass(push.header("apns-expiration"), value)
    },
    Rule("apns-collapse-id", why: "APNs refuses an id of over 64 bytes (BadCollapseId)") { push in
      guard let value = push.headers?["apns-collapse-id"] else { return [] }
      return value.utf8.count > 64
        ? Remark.fail(push.header("apns-collapse-id"), "\(value.utf8.count) bytes", fix: "shorten it to 64 bytes")
        : Remark.pass(push.header("apns-collapse-id"), "\(value.utf8.count) bytes")
    },
  ]

  private static let suffixes = [
    ".voip", ".complication", ".pushkit.fileprovider", ".location-query", ".push-type.liveactivity", ".voip-ptt",
    ".push-type.widgets",
  ]

  /// - Parameter wrong: what to do about a value; nil where it is right.
  private static func said(
    _ name: String, _ push: APNsPush, missing: String, wrong: (String) -> String?
  ) -> [Remark] {
    guard let value = push.headers?[name] else {
      // FCM fills in what a message does not say.
      if push.isWithinFCM, name == "apns-topic" { return Remark.pass(push.header(name), "FCM's") }
      return push.isWithinFCM
        ? Remark.warn(push.header(name), "left to FCM", fix: missing)
        : Remark.fail(push.header(name), "missing", fix: missing)
    }
    return wrong(value).map { Remark.fail(push.header(name), value, fix: $0) } ?? Remark.pass(push.header(name), value)
  }
}
