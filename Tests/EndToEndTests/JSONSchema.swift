import Foundation

/// A strict reader of the part of JSON Schema that the project's schemas use; a keyword it does not know is a fault.
struct JSONSchema {
  private let root: [String: Any]

  init(_ text: String) throws {
    root = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
  }

  /// Where and how the value differs; nothing where it fits.
  func faults(_ value: Any) -> [String] { faults(value, root, "$") }

  private static let known: Set = [
    "$schema", "$defs", "$ref", "title", "description", "type", "format", "enum", "properties", "required", "items",
    "additionalProperties", "anyOf",
  ]

  private func faults(_ value: Any, _ schema: [String: Any], _ place: String) -> [String] {
    let strange = schema.keys.filter { !Self.known.contains($0) }.map { "\(place): unknown keyword \($0)" }
    if let reference = schema["$ref"] as? String { return strange + resolved(value, reference, place) }
    if let words = schema["enum"] as? [String] {
      return strange + ((value as? String).map(words.contains) ?? false ? [] : ["\(place): \(value) is not permitted"])
    }
    if let choices = schema["anyOf"] as? [[String: Any]] {
      let tries = choices.map { faults(value, $0, place) }
      return strange + (tries.contains([]) ? [] : tries.min { $0.count < $1.count } ?? [])
    }
    return strange + typeFaults(value, schema, place)
  }

  private func resolved(_ value: Any, _ reference: String, _ place: String) -> [String] {
    let name = String(reference.dropFirst("#/$defs/".count))
    guard let schema = (root["$defs"] as? [String: Any])?[name] as? [String: Any] else {
      return ["\(place): no \(reference)"]
    }
    return faults(value, schema, place)
  }

  private func typeFaults(_ value: Any, _ schema: [String: Any], _ place: String) -> [String] {
    let wrong = ["\(place): \(value) is not \(schema["type"] ?? "typed")"]
    switch schema["type"] as? String {
    case "null": return value is NSNull ? [] : wrong
    case "boolean": return isBoolean(value) ? [] : wrong
    case "number": return value is NSNumber && !isBoolean(value) ? [] : wrong
    case "integer":
      return (value as? NSNumber).map { !isBoolean(value) && $0.doubleValue == $0.doubleValue.rounded() } ?? false
        ? [] : wrong
    case "string": return value is String ? instantFaults(value, schema, place) : wrong
    case "array":
      guard let elements = value as? [Any], let items = schema["items"] as? [String: Any] else { return wrong }
      return elements.enumerated().flatMap { faults($1, items, "\(place)[\($0)]") }
    case "object": return (value as? [String: Any]).map { objectFaults($0, schema, place) } ?? wrong
    default: return ["\(place): the schema names no type"]
    }
  }

  private func objectFaults(_ object: [String: Any], _ schema: [String: Any], _ place: String) -> [String] {
    let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
    let missing = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }
    return missing.map { "\(place): \($0) is missing" }
      + object.flatMap { name, value in
        if let property = properties[name] { return faults(value, property, "\(place).\(name)") }
        guard let others = schema["additionalProperties"] as? [String: Any] else {
          return ["\(place): \(name) is unexpected"]
        }
        return faults(value, others, "\(place).\(name)")
      }
  }

  private func instantFaults(_ value: Any, _ schema: [String: Any], _ place: String) -> [String] {
    guard schema["format"] as? String == "date-time", let text = value as? String else { return [] }
    return text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/) == nil
      ? ["\(place): \(text) is no instant"] : []
  }

  /// Foundation reads `true` as a number that says it is of another kind.
  private func isBoolean(_ value: Any) -> Bool {
    (value as? NSNumber).map { String(cString: $0.objCType) == "c" } ?? false
  }
}
