import Lifecycle

/// Swiftpatch's own shapes inside native bodies, written anew with the fields of the contract.
///
/// Its native events call the stage `eventType`, the time `timestamp` (in seconds or milliseconds) and the release
/// `releaseHash`; its JavaScript events call the stage `type`, which is the trigger elsewhere, and carry the release in `update`,
/// as `hash`, or not at all. The payload of a silent push lies in `swiftpatch`, or flat in `swiftpatch_event`,
/// `swiftpatch_appId`, `swiftpatch_releaseHash`, at the top or in the push's own `data`.
///
/// Its `appId` (`app_…`) is the vendor's number, not the app's own id: it names the app only where nothing else does.
struct Swiftpatch {
  /// Whether the app is to be taken from a payload: no key names one.
  private let namesApp: Bool
  /// Whether a push that iOS shows nobody is taken for a silent one: the request names no trigger.
  private let guessesTrigger: Bool
  private let named: NamedReleases?
  /// The app of events that name none.
  private let app: String?

  /// Whether a body can hold such shapes. Its fields have names that others use, too, and writing it anew is slow.
  static func isMentioned(in body: UnsafeRawBufferPointer, _ decoded: Decoded) -> Bool {
    decoded.hasForeignShapes && isThere(words, in: body)
      // A stage that is called `type`.
      || decoded.rejected[.missingField] > 0 && isThere([Array(#""type""#.utf8)], in: body)
  }

  private static func isThere(_ words: [[UInt8]], in body: UnsafeRawBufferPointer) -> Bool {
    words.contains { word in
      var rest = body[...]
      while let place = rest.firstIndex(of: word[0]) {
        if rest[place...].starts(with: word) { return true }
        rest = rest[(place + 1)...]
      }
      return false
    }
  }

  private static let words = [
    "swiftpatch", "update", "eventType", "event_type", "event-type", "content-available",
  ].map { Array($0.utf8) }

  /// The body with every event in the contract's words; nil where it is not JSON throughout.
  static func rewritten(_ body: [UInt8], as format: BodyFormat, _ reception: Reception) -> [UInt8]? {
    Swiftpatch(
      namesApp: reception.app == nil, guessesTrigger: reception.trigger == .unknown, named: reception.named,
      app: reception.app ?? reception.asides.app
    ).rewritten(body, as: format)
  }

  private func rewritten(_ body: [UInt8], as format: BodyFormat) -> [UInt8]? {
    if format == .json, let value = try? JSONReader.read(body) {
      var json: [UInt8] = []
      rewritten(body: value).append(to: &json)
      return json
    }
    var lines: [UInt8] = []
    for line in body.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if let value = try? JSONReader.read(Array(line)) { event(value).append(to: &lines) } else { lines += line }
      lines.append(UInt8(ascii: "\n"))
    }
    return lines
  }

  private func rewritten(body: JSONValue) -> JSONValue {
    if let events = body.array { return .array(events.map(event)) }
    guard let events = body["events"]?.array, case .object(var members) = body else { return event(body) }
    for place in members.indices where members[place].name == "events" {
      members[place].value = .array(events.map(event))
    }
    return .object(members)
  }

  private func event(_ value: JSONValue) -> JSONValue {
    guard isOwn(value) else { return withTrigger(value, of: value) }
    let event = withTrigger(inOurWords(value), of: value)
    return (named?.complete(event, app: app) ?? event).withoutLostRollback
  }

  /// Whether an event itself has one of the shapes: names such as `timestamp` and `data` mean other things elsewhere.
  private func isOwn(_ event: JSONValue) -> Bool {
    event[["eventType", "event_type", "event-type", "update"]] != nil || stageInType(event) != nil
      || holders(event).contains { $0[["swiftpatch", "swiftpatch_event", "swiftpatchEvent"]] != nil }
  }

  /// Its word for the stage, of an event that says none in another place, and where it means no trigger. Beside its other fields a
  /// word that nobody knows is one, too: the answer then says which are known.
  private func stageInType(_ event: JSONValue) -> JSONValue? {
    guard event["stage"] == nil, let word = event["type"]?.text, Trigger(anyWord: word) == nil else { return nil }
    let isOwn = event[["hash", "releaseHash", "release_hash", "timestamp", "update"]] != nil
    return isOwn || LooseStage.find(word) != nil ? event["type"] : nil
  }

  /// Fields that the event has already stay as they are.
  private func inOurWords(_ value: JSONValue) -> JSONValue {
    guard case .object(var members) = value else { return value }
    func add(_ name: String, _ aliases: [String], _ found: JSONValue?) {
      guard let found, aliases.allSatisfy({ value[$0] == nil }) else { return }
      members.append(.init(name: name, value: found))
    }
    let payload = Payload(value)
    let inType = stageInType(value) ?? (value["type"]?.text.flatMap(LooseStage.find) == nil ? nil : value["type"])
    let word = value[["eventType", "event_type"]] ?? stageInType(value)
    add("stage", ["stage"], word ?? payload?.stage)
    if inType != nil { members.removeAll { $0.name == "type" } }
    add("release", ["release"], value[["releaseHash", "release_hash", "hash"]] ?? payload?.release ?? update(value))
    if namesApp { add("app", ["app"], payload?.app) }
    add("at", ["at", "ts"], Draft.time(value["timestamp"]).map { .integer($0.rawValue) })
    add("reason", ["reason"], value[["errorMessage", "error_message"]] ?? value["error"]?[["code", "message"]])
    for (name, aliases) in [("trigger", ["trigger", "type"]), ("channel", ["channel"]), ("device", ["device"])] {
      add(name, inType == nil ? aliases : [name], value["metadata"]?[name])
    }
    return .object(members)
  }

  private func withTrigger(_ event: JSONValue, of value: JSONValue) -> JSONValue {
    guard guessesTrigger, case .object(var members) = event, event[["trigger", "type"]] == nil,
      event["stage"]?.text.flatMap(LooseStage.find)?.stage == .pushReceived, isSilent(value)
    else { return event }
    members.append(.init(name: "trigger", value: .string(Trigger.silentPush.rawValue)))
    return .object(members)
  }

  /// Whether iOS woke the app for a payload that it shows nobody.
  private func isSilent(_ event: JSONValue) -> Bool {
    guard let aps = holders(event).lazy.compactMap({ $0["aps"] }).first else { return false }
    let isBackground = aps["content-available"]?.integer == 1 || aps["content-available"]?.bool == true
    return isBackground && ["alert", "badge", "sound"].allSatisfy { aps[$0] == nil }
  }

  private func update(_ value: JSONValue) -> JSONValue? { value["update"]?[["hash", "id", "label", "version"]] }
}

/// Where clients put what a push brought them.
private func holders(_ event: JSONValue) -> [JSONValue] {
  [event] + ["data", "payload", "userInfo", "user_info"].compactMap { event[$0] }
}

extension Swiftpatch {
  /// What the payload of a silent push says.
  private struct Payload {
    var release, app: JSONValue?
    var stage: JSONValue

    init?(_ event: JSONValue) {
      let holders = holders(event)
      let nested = holders.lazy.compactMap { $0["swiftpatch"] }.first
      guard let holder = nested ?? holders.first(where: { $0[["swiftpatch_event", "swiftpatchEvent"]] != nil }) else {
        return nil
      }
      func said(_ name: String, _ snake: String) -> JSONValue? {
        nested != nil ? holder[[name, snake]] : holder[["swiftpatch_" + name, "swiftpatch_" + snake]]
      }
      release = said("releaseHash", "release_hash")
      app = said("appId", "app_id")
      // Only the side that sends knows what the gateway answered.
      let isSender = event[["apns", "fcm"]] != nil || ["accepted", "rejected"].contains(event["outcome"]?.text)
      stage = .string((isSender ? Stage.pushSent : .pushReceived).rawValue)
    }
  }
}
