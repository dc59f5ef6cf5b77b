extension JSON {
  /// The tree of a value, as its own `encode(to:)` describes it. Integers stay integers.
  public init(encoding value: some Encodable) throws {
    let node = Node()
    try value.encode(to: TreeEncoder(node, codingPath: []))
    self = node.tree
  }
}

/// A place in the tree that is being filled; shared by the containers that fill it.
private final class Node {
  var value: JSON?
  var fields: [String: Node]?
  var elements: [Node]?

  var tree: JSON {
    if let fields { return .object(fields.mapValues(\.tree)) }
    if let elements { return .array(elements.map(\.tree)) }
    return value ?? .object([:])
  }

  func field(_ key: String) -> Node {
    let node = Node()
    fields = fields ?? [:]
    fields?[key] = node
    return node
  }

  func element() -> Node {
    let node = Node()
    elements = (elements ?? []) + [node]
    return node
  }

  /// Values of the standard library stand for themselves; others describe themselves.
  func put(_ value: some Encodable, _ path: [any CodingKey]) throws {
    switch value {
    case let text as String: self.value = .string(text)
    case let flag as Bool: self.value = .bool(flag)
    case let number as Double: self.value = number.isFinite ? .number(number) : .null
    case let number as Float: self.value = number.isFinite ? .number(Double(number)) : .null
    case let number as any BinaryInteger: self.value = .integer(Int(clamping: number))
    default: try value.encode(to: TreeEncoder(self, codingPath: path))
    }
  }
}

private struct TreeEncoder: Encoder {
  let node: Node
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ node: Node, codingPath: [any CodingKey]) {
    self.node = node
    self.codingPath = codingPath
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.fields = node.fields ?? [:]
    return KeyedEncodingContainer(Fields<Key>(node: node, codingPath: codingPath))
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.elements = node.elements ?? []
    return Elements(node: node, codingPath: codingPath)
  }
  func singleValueContainer() -> any SingleValueEncodingContainer { Single(node: node, codingPath: codingPath) }
}

private struct Fields<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: Node
  let codingPath: [any CodingKey]

  mutating func encodeNil(forKey key: Key) throws { node.field(key.stringValue).value = .null }
  mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try node.field(key.stringValue).put(value, codingPath + [key])
  }
  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    TreeEncoder(node.field(key.stringValue), codingPath: codingPath + [key]).container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    TreeEncoder(node.field(key.stringValue), codingPath: codingPath + [key]).unkeyedContainer()
  }
  mutating func superEncoder() -> any Encoder { TreeEncoder(node.field("super"), codingPath: codingPath) }
  mutating func superEncoder(forKey key: Key) -> any Encoder {
    TreeEncoder(node.field(key.stringValue), codingPath: codingPath + [key])
  }
}

private struct Elements: UnkeyedEncodingContainer {
  let node: Node
  let codingPath: [any CodingKey]
  var count: Int { node.elements?.count ?? 0 }

  mutating func encodeNil() throws { node.element().value = .null }
  mutating func encode<T: Encodable>(_ value: T) throws { try node.element().put(value, codingPath) }
  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    TreeEncoder(node.element(), codingPath: codingPath).container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    TreeEncoder(node.element(), codingPath: codingPath).unkeyedContainer()
  }
  mutating func superEncoder() -> any Encoder { TreeEncoder(node.element(), codingPath: codingPath) }
}

private struct Single: SingleValueEncodingContainer {
  let node: Node
  let codingPath: [any CodingKey]
  mutating func encodeNil() throws { node.value = .null }
  mutating func encode<T: Encodable>(_ value: T) throws { try node.put(value, codingPath) }
}
