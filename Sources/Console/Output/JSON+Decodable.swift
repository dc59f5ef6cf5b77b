extension JSON {
  /// The value of a document as its `init(from:)` reads it.
  ///
  /// - Throws: `DecodingError`, whose path leads to the place; without one where the bytes are no JSON.
  public static func decode<T: Decodable>(_ type: T.Type, from bytes: [UInt8]) throws -> T {
    try JSON.parse(bytes).decoded(type)
  }

  public func decoded<T: Decodable>(_ type: T.Type) throws -> T { try T(from: Source(json: self, codingPath: [])) }

  fileprivate var kind: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .integer, .number: "a number"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

/// A value with the way that led to it.
private struct Source: Decoder {
  let json: JSON
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let fields) = json else { throw mismatch([String: JSON].self, "an object") }
    return KeyedDecodingContainer(Fields(source: self, fields: fields))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = json else { throw mismatch([JSON].self, "a list") }
    return Elements(source: self, elements: elements)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { Alone(source: self) }

  func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
    let words = "expected \(expected), found \(json.kind)"
    let context = DecodingError.Context(codingPath: codingPath, debugDescription: words)
    return json == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  func inside(_ json: JSON, _ key: any CodingKey) -> Source { Source(json: json, codingPath: codingPath + [key]) }

  func value<T: Decodable>(_ type: T.Type) throws -> T {
    if type == String.self, case .string(let text) = json, let text = text as? T { return text }
    if type == Bool.self, case .bool(let flag) = json, let flag = flag as? T { return flag }
    if type == Double.self, let number = number as? T { return number }
    if type == Float.self, let number = number.map(Float.init) as? T { return number }
    if let integers = type as? any FixedWidthInteger.Type, let whole = whole(integers) as? T { return whole }
    guard !isPlain(type) else { throw mismatch(type, expectation(type)) }
    return try T(from: self)
  }

  private var number: Double? {
    switch json {
    case .integer(let whole): Double(whole)
    case .number(let number): number
    default: nil
    }
  }

  private func whole<Integer: FixedWidthInteger>(_: Integer.Type) -> Integer? {
    switch json {
    case .integer(let whole): Integer(exactly: whole)
    case .number(let number): Integer(exactly: number)
    default: nil
    }
  }

  private func isPlain(_ type: Any.Type) -> Bool {
    type == String.self || type == Bool.self || type == Double.self || type == Float.self
      || type is any FixedWidthInteger.Type
  }

  private func expectation(_ type: Any.Type) -> String {
    if type == String.self { return "a text" }
    if type == Bool.self { return "true or false" }
    return type == Double.self || type == Float.self ? "a number" : "a whole number"
  }
}

private struct Fields<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let source: Source
  let fields: [String: JSON]
  var codingPath: [any CodingKey] { source.codingPath }
  var allKeys: [Key] { fields.keys.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { fields[key.stringValue] != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try field(key).json == .null }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try field(key).value(type) }
  func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type, forKey key: Key) throws -> KeyedDecodingContainer<
    Inner
  > {
    try field(key).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try field(key).unkeyedContainer()
  }
  func superDecoder() -> any Decoder { source }
  func superDecoder(forKey key: Key) throws -> any Decoder { try field(key) }

  private func field(_ key: Key) throws -> Source {
    guard let json = fields[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: codingPath, debugDescription: "\(key.stringValue) is missing"))
    }
    return source.inside(json, key)
  }
}

private struct Elements: UnkeyedDecodingContainer {
  let source: Source
  let elements: [JSON]
  var currentIndex = 0
  var codingPath: [any CodingKey] { source.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  mutating func decodeNil() throws -> Bool {
    guard try element(Never?.self).json == .null else { return false }
    currentIndex += 1
    return true
  }
  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let value = try element(type).value(type)
    currentIndex += 1
    return value
  }
  mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    defer { currentIndex += 1 }
    return try element(type).container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    defer { currentIndex += 1 }
    return try element([JSON].self).unkeyedContainer()
  }
  mutating func superDecoder() throws -> any Decoder {
    defer { currentIndex += 1 }
    return try element(JSON.self)
  }

  private func element(_ type: Any.Type) throws -> Source {
    let key = Index(intValue: currentIndex)
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: codingPath + [key], debugDescription: "the list ends before"))
    }
    return source.inside(elements[currentIndex], key)
  }
}

private struct Alone: SingleValueDecodingContainer {
  let source: Source
  var codingPath: [any CodingKey] { source.codingPath }

  func decodeNil() -> Bool { source.json == .null }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try source.value(type) }
}

/// The place in a list.
private struct Index: CodingKey {
  var stringValue: String { "Index \(intValue ?? 0)" }
  var intValue: Int?
  init(intValue: Int) { self.intValue = intValue }
  init?(stringValue: String) { nil }
}
