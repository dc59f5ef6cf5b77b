internal import Ingest

/// What a payload says to Swiftpatch's client: nested in `swiftpatch`, or flat in `swiftpatch_…`.
struct SwiftpatchPayload {
  let holder: JSONValue
  let place: String
  let nested: JSONValue?
  let flat: [JSONValue.Member]

  init(_ holder: JSONValue, place: String) {
    (self.holder, self.place) = (holder, place)
    nested = holder["swiftpatch"]
    flat = (holder.members ?? []).filter { $0.name.hasPrefix("swiftpatch_") }
  }

  var isPresent: Bool { nested != nil || !flat.isEmpty }

  subscript(_ name: String) -> JSONValue? {
    nested?.members != nil ? nested?[name] : holder["swiftpatch_" + name]
  }
  func at(_ name: String) -> String { place + (nested != nil ? "swiftpatch." : "swiftpatch_") + name }
}

/// The two forms that Swiftpatch's client and this service understand.
enum SwiftpatchRules {
  static let all: [Rule<SwiftpatchPayload>] = [
    Rule("swiftpatch-form", why: "the client reads the nested form or the flat one, and of both only the nested") {
      push in
      guard push.isPresent else { return [] }
      if push.nested != nil, push.nested?.members == nil {
        return Remark.fail(
          push.place + "swiftpatch", words(push.nested),
          fix: "make it an object, or use swiftpatch_event, swiftpatch_appId and swiftpatch_releaseHash")
      }
      return push.nested != nil && !push.flat.isEmpty
        ? Remark.warn(push.place + "swiftpatch", "nested and flat", fix: "send one of the forms")
        : Remark.pass(push.place + "swiftpatch", push.nested == nil ? "flat" : "nested")
    },
    Rule("swiftpatch-event", why: "without an event the client does not know that the push is for it") { push in
      field("event", push, isRequired: true)
    },
    Rule(
      "swiftpatch-release", why: "without the release a push is counted, but not as one about that release"
    ) { push in field("releaseHash", push, isRequired: false) },
    Rule("swiftpatch-app", why: "an app with several ids takes only what is for its own") { push in
      field("appId", push, isRequired: false)
    },
  ]

  private static func field(_ name: String, _ push: SwiftpatchPayload, isRequired: Bool) -> [Remark] {
    guard push.isPresent, push.nested == nil || push.nested?.members != nil else { return [] }
    guard let value = push[name] else {
      let fix = "add \(push.nested == nil ? "swiftpatch_" : "")\(name)"
      return isRequired
        ? Remark.fail(push.at(name), "missing", fix: fix) : Remark.warn(push.at(name), "missing", fix: fix)
    }
    return value.text == nil
      ? Remark.fail(push.at(name), words(value), fix: "make it a text") : Remark.pass(push.at(name), words(value))
  }
}
