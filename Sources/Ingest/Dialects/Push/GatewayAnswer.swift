import Lifecycle

/// What a push gateway said about one push to one device: APNs, FCM, Expo, OneSignal, or a word of the sender's own.
struct GatewayAnswer: Equatable {
  /// nil where it says neither; nothing is accepted by default.
  var outcome: Outcome?
  /// In the gateway's own word: `Unregistered`, `BadDeviceToken`, `UNREGISTERED`, `DeviceNotRegistered`, …
  var reason: String?
  /// `apns-id`, the name of the message, or the number of the ticket.
  var id: String?

  /// - Parameters:
  ///   - device: to find it in lists of those that were not reached.
  ///   - devices: all that the answer is about.
  init(_ value: JSONValue?, device: String = "", among devices: Set<String> = []) {
    // A body that was kept as it came.
    guard let value = value.flatMap({ $0.text.flatMap(Self.parsed) ?? $0 }) else { return }
    if let word = value.text { take(word: word) }
    guard value.members != nil else { return }
    id = value[["apns-id", "apnsId", "apns_id"] + Self.messages]?.word
    let body = Self.body(of: value)
    reason = Self.reason(body) ?? Self.reason(value)
    let of = max(devices.count, 1)
    outcome = reason == nil ? Self.outcome(value, of: of) ?? Self.outcome(body, of: of) : .rejected
    if outcome == nil, value[Self.messages] != nil { outcome = .accepted }
    if outcome == nil { take(oneSignal: body, device, devices) }
    if outcome == .rejected, reason == nil { reason = Self.word(for: value) }
  }

  /// What stands in a list of those that were sent to: it has no status any more.
  init(taken value: JSONValue) {
    (outcome, id) = (.accepted, value["apns-id"]?.word)
  }

  /// FCM names a message only once it has taken it.
  private static let messages = ["message_id", "messageId", "name"]

  /// A word for all: the contract's, a gateway's, or the reason of a refusal, which gateways write with capitals.
  private mutating func take(word: String) {
    outcome = Self.outcomes[word.lowercased()]
    guard outcome == nil, word.contains(where: \.isUppercase), !word.contains(" ") else { return }
    (outcome, reason) = (.rejected, word)
  }

  private static let outcomes: [String: Outcome] = [
    "accepted": .accepted, "ok": .accepted, "success": .accepted, "sent": .accepted, "delivered": .accepted,
    "rejected": .rejected, "error": .rejected, "failed": .rejected, "failure": .rejected,
  ]

  private static func parsed(_ text: String) -> JSONValue? {
    text.first == "{" ? (try? JSONReader.read(Array(text.utf8))) : nil
  }

  /// What the gateway wrote, where it lies beside the status; also where it was kept as text.
  private static func body(of value: JSONValue) -> JSONValue {
    let body = value[["body", "response"]]
    return body?.text.flatMap(parsed) ?? body ?? value
  }
}

extension GatewayAnswer {
  /// What status, success and counts say.
  ///
  /// - Parameter devices: how many the answer is about.
  private static func outcome(_ value: JSONValue, of devices: Int) -> Outcome? {
    if let isSuccess = value["success"]?.bool { return isSuccess ? .accepted : .rejected }
    if let status = value[["status", "statusCode", "status_code"]] {
      if let number = status.integer { return (200..<300).contains(number) ? .accepted : .rejected }
      return status.text.flatMap { outcomes[$0.lowercased()] }
    }
    return counted(value, of: devices)
  }

  /// FCM's counts without an answer for each: all or nobody, else nobody knows who.
  private static func counted(_ value: JSONValue, of devices: Int) -> Outcome? {
    let taken = value[["successCount", "success"]]?.integer ?? 0
    let failed = value[["failureCount", "failure"]]?.integer ?? 0
    if taken >= devices, failed == 0 { return .accepted }
    return failed >= devices && taken == 0 ? .rejected : nil
  }

  /// OneSignal: ids by kind are those that were not reached. Where they are ids of its own, nobody knows whose they are.
  private mutating func take(oneSignal body: JSONValue, _ device: String, _ devices: Set<String>) {
    let isOneSignal = (body.members ?? []).contains { ["recipients", "external_id", "errors"].contains($0.name) }
    guard isOneSignal, body["id"]?.text != nil, body["recipients"]?.integer ?? 1 > 0 else { return }
    let unreached = (body["errors"]?.members ?? []).map { (kind: $0.name, ids: Self.ids($0.value)) }
    if let kind = unreached.first(where: { $0.ids.contains(device) })?.kind {
      (outcome, reason) = (.rejected, kind)
    } else if unreached.allSatisfy({ !$0.ids.isEmpty && $0.ids.allSatisfy(devices.contains) }) {
      outcome = .accepted
    }
  }

  /// In a list, or in lists by the kind of alias.
  private static func ids(_ value: JSONValue) -> [String] {
    (value.array ?? value.members?.flatMap { $0.value.array ?? [] } ?? []).compactMap(\.word)
  }

  /// APNs says `reason`; FCM `error`, in its old way as a word, in its new one as an object with details; Expo has details.
  private static func reason(_ body: JSONValue) -> String? {
    if let reason = body["reason"]?.text { return reason }
    if let word = body["errors"]?.array?.lazy.compactMap(\.text).first { return word }
    if let word = body["details"]?["error"]?.text { return word }
    guard let error = body["error"] else { return nil }
    if let word = error.text { return word }
    let detail = error["details"]?.array?.lazy.compactMap { $0["errorCode"]?.text }.first
    return detail ?? error["status"]?.text ?? error["code"]?.word ?? error["message"]?.text ?? "error"
  }

  /// Where a refusal gives no reason: what else it says.
  private static func word(for value: JSONValue) -> String {
    if let message = value["message"]?.text { return message }
    let status = value[["status", "statusCode", "status_code"]]
    return status?.integer.map { "status \($0)" } ?? status?.text ?? "failed"
  }
}
