/// Where a value describes itself: what containers are told is told to it.
protocol EncodingPlace: Encoder {
  var count: Int { get }
  func becomeObject()
  func becomeList()
  func set(_ value: some Encodable, at key: some CodingKey) throws
  func setNil(at key: some CodingKey)
  func append(_ value: some Encodable) throws
  func appendNil()
  func become(_ value: some Encodable) throws
  func becomeNil()
  /// Nested ones, filled after they are returned.
  func child(_ key: some CodingKey) -> Self
  func element() -> Self
}

extension EncodingPlace {
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    becomeObject()
    return KeyedEncodingContainer(Keyed(place: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    becomeList()
    return Unkeyed(place: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { Single(place: self) }
}

private struct Keyed<Key: CodingKey, Place: EncodingPlace>: KeyedEncodingContainerProtocol {
  let place: Place
  var codingPath: [any CodingKey] { place.codingPath }

  func encodeNil(forKey key: Key) { place.setNil(at: key) }
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try place.set(value, at: key) }
  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws { try orNull(value, key) }
  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested>
  {
    place.child(key).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { place.child(key).unkeyedContainer() }
  func superEncoder() -> any Encoder { place }
  func superEncoder(forKey key: Key) -> any Encoder { place.child(key) }
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

private struct Unkeyed<Place: EncodingPlace>: UnkeyedEncodingContainer {
  let place: Place
  var codingPath: [any CodingKey] { place.codingPath }
  var count: Int { place.count }

  func encodeNil() { place.appendNil() }
  func encode<T: Encodable>(_ value: T) throws { try place.append(value) }
  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    place.element().container(keyedBy: type)
  }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { place.element().unkeyedContainer() }
  func superEncoder() -> any Encoder { place.element() }
}

private struct Single<Place: EncodingPlace>: SingleValueEncodingContainer {
  let place: Place
  var codingPath: [any CodingKey] { place.codingPath }

  func encodeNil() { place.becomeNil() }
  func encode<T: Encodable>(_ value: T) throws { try place.become(value) }
}
