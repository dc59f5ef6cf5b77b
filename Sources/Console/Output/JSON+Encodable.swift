extension JSON {
  /// The value as its `encode(to:)` describes it. A property that is nil becomes `null`; it is not left out.
  public init(encoding value: some Encodable) throws {
    let encoder = JSONEncoder(path: [])
    try encoder.write(value)
    self = encoder.result
  }
}

/// Collects one value; containers write into it.
private final class JSONEncoder: Encoder {
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  private var form = Form.single(.object([:]))
  private var fields: [String: JSONEncoder] = [:]
  private var elements: [JSONEncoder] = []

  private enum Form { case single(JSON), object, array }

  init(path: [any CodingKey]) { codingPath = path }

  var result: JSON {
    switch form {
    case .single(let value): value
    case .object: .object(fields.mapValues(\.result))
    case .array: .array(elements.map(\.result))
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    form = .object
    return KeyedEncodingContainer(Keyed(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    form = .array
    return Unkeyed(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }

  func child(_ key: any CodingKey) -> JSONEncoder {
    let child = JSONEncoder(path: codingPath + [key])
    fields[key.stringValue] = child
    return child
  }

  func element() -> JSONEncoder {
    elements.append(JSONEncoder(path: codingPath))
    return elements[elements.count - 1]
  }

  var count: Int { elements.count }

  /// Numbers and texts end here; everything else describes itself further.
  func write<T: Encodable>(_ value: T) throws {
    switch value {
    case let value as Bool: form = .single(.bool(value))
    case let value as String: form = .single(.string(value))
    case let value as Double: form = .single(.number(value))
    case let value as Float: form = .single(.number(Double(value)))
    case let value as Int: form = .single(.integer(value))
    case let value as Int64: form = .single(try integer(value, value))
    default: try writeRare(value)
    }
  }

  /// Each width by its name: asking whether a value is any integer at all takes longer than writing it.
  private func writeRare<T: Encodable>(_ value: T) throws {
    switch value {
    case let value as Int8: form = .single(.integer(Int(value)))
    case let value as Int16: form = .single(.integer(Int(value)))
    case let value as Int32: form = .single(.integer(Int(value)))
    case let value as UInt8: form = .single(.integer(Int(value)))
    case let value as UInt16: form = .single(.integer(Int(value)))
    case let value as UInt32: form = .single(.integer(Int(value)))
    case let value as UInt64: form = .single(try integer(value, value))
    case let value as UInt: form = .single(try integer(value, value))
    default: try value.encode(to: self)
    }
  }

  private func integer(_ value: some BinaryInteger, _ original: Any) throws -> JSON {
    if let integer = Int(exactly: value) { return .integer(integer) }
    throw EncodingError.invalidValue(original, .init(codingPath: codingPath, debugDescription: "beyond 64 bits"))
  }

  func writeNull() { form = .single(.null) }
}

private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: JSONEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil(forKey key: Key) { encoder.child(key).writeNull() }
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try encoder.child(key).write(value) }
  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws { try orNull(value, key) }
  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested>
  {
    encoder.child(key).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder.child(key).unkeyedContainer() }
  func superEncoder() -> any Encoder { encoder }
  func superEncoder(forKey key: Key) -> any Encoder { encoder.child(key) }
}

/// The standard library has a default for each of these that leaves nil out; only the same signatures replace it.
extension Keyed {
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try orNull(value, key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try orNull(value, key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try orNull(value, key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try orNull(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try orNull(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try orNull(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try orNull(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try orNull(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try orNull(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try orNull(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try orNull(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try orNull(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try orNull(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try orNull(value, key) }

  private func orNull(_ value: (some Encodable)?, _ key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }
}

private struct Unkeyed: UnkeyedEncodingContainer {
  let encoder: JSONEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.count }

  func encodeNil() { encoder.element().writeNull() }
  func encode<T: Encodable>(_ value: T) throws { try encoder.element().write(value) }
  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    encoder.element().container(keyedBy: type)
  }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.element().unkeyedContainer() }
  func superEncoder() -> any Encoder { encoder.element() }
}

private struct Single: SingleValueEncodingContainer {
  let encoder: JSONEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil() { encoder.writeNull() }
  func encode<T: Encodable>(_ value: T) throws { try encoder.write(value) }
}
