public import Ingest

/// The gateway that a message is for.
public enum Gateway: String, CaseIterable, Sendable { case apns, fcm }

/// A push as it is given to a gateway: the body, and the headers where somebody gave them.
public struct PushMessage: Equatable, Sendable {
  public var gateway: Gateway
  public var body: JSONValue
  /// By name in lower case; nil where nobody said which are sent.
  public var headers: [String: String]?

  /// - Parameter gateway: nil where the body tells: a message of FCM names its receiver, or lies in `message`.
  public init(_ body: JSONValue, headers: [String: String]? = nil, gateway: Gateway? = nil) {
    (self.body, self.headers) = (body, headers)
    self.gateway = gateway ?? (Self.isFCM(body) ? .fcm : .apns)
  }

  private static func isFCM(_ body: JSONValue) -> Bool {
    if body["message"]?.members != nil { return true }
    let names = ["token", "topic", "condition", "to", "registration_ids", "fid"]
    return body["aps"] == nil
      && (names.contains { body[$0] != nil } || body["android"]?.members != nil || body["data"]?.members != nil)
  }

  /// Reads `apns-priority: 5`, or with `=`; nil where it is neither.
  public static func header(_ text: String) -> (name: String, value: String)? {
    guard let mark = text.firstIndex(where: { $0 == ":" || $0 == "=" }) else { return nil }
    let (name, value) = (trimmed(text[..<mark]).lowercased(), trimmed(text[text.index(after: mark)...]))
    return name.isEmpty ? nil : (name, value)
  }
}

private func trimmed(_ text: Substring) -> String {
  var text = text
  while text.first?.isWhitespace == true { text.removeFirst() }
  while text.last?.isWhitespace == true { text.removeLast() }
  return String(text)
}

/// What every rule says of a push that is meant to wake the app unseen.
public func rulings(on message: PushMessage) -> [Ruling] {
  switch message.gateway {
  case .apns: rulings(onAPNs: APNsPush(payload: message.body, headers: message.headers, place: ""))
  case .fcm: rulings(onFCM: message.body)
  }
}

/// The words of a value for people, shortened.
func words(_ value: JSONValue?) -> String {
  switch value {
  case nil: "missing"
  case .null?: "null"
  case .bool(let flag)?: flag ? "true" : "false"
  case .integer(let number)?: String(number)
  case .decimal(let number)?: "\(number)"
  case .string(let text)?: text.count > 60 ? "\"\(text.prefix(57))…\"" : "\"\(text)\""
  case .array(let values)?: "a list of \(values.count)"
  case .object(let members)?: "an object of \(members.count)"
  }
}
