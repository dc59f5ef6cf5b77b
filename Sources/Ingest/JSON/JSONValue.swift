/// A JSON value that a dialect, or a check of a payload, walks through. Numbers keep both readings, since clients disagree on what is an integer.
public indirect enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case decimal(Double)
  case string(String)
  case array([JSONValue])
  case object([Member])

  public struct Member: Equatable, Sendable {
    public var name: String
    public var value: JSONValue
  }
}

extension JSONValue {
  /// The member of that name, the last one where a client repeats it; nil where there is none, or it is null.
  public subscript(_ name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    guard let value = members.last(where: { $0.name == name })?.value, value != .null else { return nil }
    return value
  }

  /// The first of several spellings that is there.
  subscript(_ names: [String]) -> JSONValue? { names.lazy.compactMap { self[$0] }.first }

  public var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
  public var members: [Member]? { if case .object(let members) = self { members } else { nil } }
  var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The text, where it is one and not empty.
  public var text: String? {
    guard case .string(let text) = self, !text.isEmpty else { return nil }
    return text
  }

  /// The text, or the digits of a number: for ids that some clients send as numbers.
  var word: String? {
    switch self {
    case .string(let text): text.isEmpty ? nil : text
    case .integer(let number): String(number)
    default: nil
    }
  }

  /// A whole number, also where it was written as a decimal or between quotes.
  public var integer: Int64? {
    switch self {
    case .integer(let number): number
    case .decimal(let number): Int64(exactly: number.rounded(.towardZero))
    case .string(let text): Int64(text)
    default: nil
    }
  }

  var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .decimal(let number): number
    case .string(let text): Double(text)
    default: nil
    }
  }
}
