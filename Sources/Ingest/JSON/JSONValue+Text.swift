internal import Lifecycle

extension JSONValue {
  /// How long it is as compact JSON, in bytes.
  public var compactSize: Int {
    var json: [UInt8] = []
    append(to: &json)
    return json.count
  }

  /// Compact JSON. A number that JSON cannot write becomes null.
  func append(to json: inout [UInt8]) {
    switch self {
    case .null: json += "null".utf8
    case .bool(let value): json += (value ? "true" : "false").utf8
    case .integer(let number): json += String(number).utf8
    case .decimal(let number): json += (number.isFinite ? "\(number)" : "null").utf8
    case .string(let text): json.append(jsonString: text)
    case .array(let values):
      json.append(UInt8(ascii: "["))
      for (place, value) in values.enumerated() {
        if place > 0 { json.append(UInt8(ascii: ",")) }
        value.append(to: &json)
      }
      json.append(UInt8(ascii: "]"))
    case .object(let members):
      json.append(UInt8(ascii: "{"))
      for (place, member) in members.enumerated() {
        if place > 0 { json.append(UInt8(ascii: ",")) }
        json.append(jsonString: member.name)
        json.append(UInt8(ascii: ":"))
        member.value.append(to: &json)
      }
      json.append(UInt8(ascii: "}"))
    }
  }
}
