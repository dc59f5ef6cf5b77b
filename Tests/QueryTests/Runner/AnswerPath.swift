import Foundation

/// A value inside an answer's JSON, found by a path such as `data[channel=beta].ages[24h].share.value`.
///
/// A path that starts with none of the envelope's fields starts in the first row. `[2]` is an element by number, `[24h]`
/// the one whose `seconds` (or `ageSeconds`) is that, `[key=value]` the one that has it, in its group or in itself;
/// `.count` of a list is its length.
struct AnswerPath {
  enum Failure: Error { case nothing(at: String) }
  let text: String

  private static let roots: Set<Substring> = ["data", "warnings", "query", "schema", "generatedAt", "dataThrough"]

  func value(in answer: Any) throws -> Any {
    var found = answer
    var rest = text[...]
    let head = rest.prefix { $0 != "." && $0 != "[" }
    if !Self.roots.contains(head) {
      let data = (answer as? [String: Any])?["data"] as? [Any] ?? []
      guard let first = data.first else { throw Failure.nothing(at: "data[0]") }
      found = first
    }
    while !rest.isEmpty {
      if rest.first == "." { rest = rest.dropFirst() }
      if rest.first == "[" {
        let inner = rest.dropFirst().prefix { $0 != "]" }
        found = try element(inner, of: found)
        rest = rest.dropFirst(inner.count + 2)
      } else {
        let key = rest.prefix { $0 != "." && $0 != "[" }
        found = try member(key, of: found)
        rest = rest.dropFirst(key.count)
      }
    }
    return found
  }

  private func member(_ key: Substring, of value: Any) throws -> Any {
    if let list = value as? [Any], key == "count" { return NSNumber(value: list.count) }
    guard let object = value as? [String: Any], let found = object[String(key)] else {
      throw Failure.nothing(at: String(key))
    }
    return found
  }

  private func element(_ inner: Substring, of value: Any) throws -> Any {
    guard let list = value as? [Any] else { throw Failure.nothing(at: "[\(inner)]") }
    if let index = Int(inner) {
      guard list.indices.contains(index) else { throw Failure.nothing(at: "[\(inner)]") }
      return list[index]
    }
    let wanted: (key: String, text: String)
    if let length = milliseconds(String(inner)) {
      wanted = ("seconds", String(length / 1000))
    } else {
      let parts = inner.split(separator: "=", maxSplits: 1).map(String.init)
      wanted = (parts[0], parts.last ?? "")
    }
    let match = list.first { item in
      let object = item as? [String: Any] ?? [:]
      let group = object["group"] as? [String: Any] ?? [:]
      let candidates =
        [object[wanted.key], group[wanted.key]] + (wanted.key == "seconds" ? [object["ageSeconds"]] : [])
      return candidates.contains { $0.map { "\($0)" } == wanted.text }
    }
    guard let match else { throw Failure.nothing(at: "[\(inner)]") }
    return match
  }
}

/// What a scenario expects: a number as exact as it is written, a share, a fraction, a time, a word, null.
struct Expected {
  let text: String

  /// nil where the value is as expected; else what it is.
  func mismatch(_ value: Any) -> String? {
    let shown = value is NSNull ? "null" : "\(value)"
    if text == "null" { return value is NSNull ? nil : shown }
    guard let number = value as? NSNumber else { return shown == text ? nil : shown }
    if text == "true" || text == "false" { return number.boolValue == (text == "true") ? nil : shown }
    guard let (wanted, tolerance) = numeric else { return shown == text ? nil : shown }
    return abs(number.doubleValue - wanted) <= tolerance ? nil : shown
  }

  /// Fractions and whole numbers are exact; decimals are right to half of their last digit.
  private var numeric: (value: Double, tolerance: Double)? {
    if let length = milliseconds(text) { return (Double(length) / 1000, 1e-6) }
    let parts = text.split(separator: "/").compactMap { Double($0) }
    if parts.count == 2, text.contains("/") { return (parts[0] / parts[1], 1e-9) }
    let isPercent = text.hasSuffix("%")
    let digits = isPercent ? String(text.dropLast()) : text
    guard let value = Double(digits) else { return nil }
    let places = digits.split(separator: ".").count == 2 ? digits.split(separator: ".")[1].count : 0
    let half = places == 0 && !isPercent ? 1e-9 : 0.5 * pow(10, -Double(places)) + 1e-12
    return (isPercent ? value / 100 : value, isPercent ? half / 100 : half)
  }
}
