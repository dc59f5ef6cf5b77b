extension JSON {
  /// The value as its `encode(to:)` describes it. A property that is nil becomes `null`; it is not left out.
  public init(encoding value: some Encodable) throws { self = try Node().json(value, at: nil) }
}

/// One array or object, or a value that describes itself as another one; containers write into it.
private final class Node: EncodingPlace {
  private let parent: Node?
  private let key: (any CodingKey)?
  private var value = JSON.object([:])
  private var fields: [String: JSON]?
  private var elements: [JSON]?
  /// Those inside that are written to after they were asked for.
  private var late: [(place: Place, node: Node)] = []

  private enum Place { case field(String), element(Int) }

  init(in parent: Node? = nil, at key: (any CodingKey)? = nil) { (self.parent, self.key) = (parent, key) }

  var codingPath: [any CodingKey] { (parent?.codingPath ?? []) + (key.map { [$0] } ?? []) }
  var count: Int { elements?.count ?? 0 }

  func becomeObject() {
    // Most have some fields, and to make room for one after the other takes as long as all else.
    fields = fields ?? Dictionary(minimumCapacity: 8)
  }

  func becomeList() { elements = elements ?? [] }

  private var json: JSON {
    for (place, node) in late {
      switch place {
      case .field(let name): fields?[name] = node.json
      case .element(let index): elements?[index] = node.json
      }
    }
    return fields.map(JSON.object) ?? elements.map(JSON.array) ?? value
  }

  // MARK: what containers write

  func set(_ value: some Encodable, at key: some CodingKey) throws { put(try json(value, at: key), at: key) }
  func setNil(at key: some CodingKey) { put(.null, at: key) }
  func append(_ value: some Encodable) throws { elements?.append(try json(value, at: nil)) }
  func appendNil() { elements?.append(.null) }
  func become(_ value: some Encodable) throws { self.value = try json(value, at: nil) }
  func becomeNil() { value = .null }

  private func put(_ json: JSON, at key: some CodingKey) { fields?[key.stringValue] = json }

  func child(_ key: some CodingKey) -> Node {
    let child = Node(in: self, at: key)
    late.append((.field(key.stringValue), child))
    return child
  }

  func element() -> Node {
    let child = Node(in: self)
    late.append((.element(count), child))
    appendNil()
    return child
  }

  /// Numbers and texts end here; everything else describes itself further.
  func json<T: Encodable>(_ value: T, at key: (any CodingKey)?) throws -> JSON {
    if let plain = plain(value) { return plain }
    if rareIntegers.contains(where: { $0 == T.self }), let integer = value as? any BinaryInteger {
      guard let fitting = Int(exactly: integer) else {
        let path = codingPath + (key.map { [$0] } ?? [])
        throw EncodingError.invalidValue(value, .init(codingPath: path, debugDescription: "beyond 64 bits"))
      }
      return .integer(fitting)
    }
    let node = Node(in: self, at: key)
    try value.encode(to: node)
    return node.json
  }
}

private let rareIntegers: [Any.Type] = [
  Int8.self, Int16.self, Int32.self, UInt8.self, UInt16.self, UInt32.self, UInt.self, UInt64.self,
]

/// A number or text of one of the types that answers are made of, told by comparing types: to try one cast after the
/// other takes longer than all the rest.
private func plain<T>(_ value: T) -> JSON? {
  if T.self == Double.self, let value = value as? Double { return .number(value) }
  if T.self == Double?.self, let value = value as? Double? { return value.map(JSON.number) ?? .null }
  if T.self == Int.self, let value = value as? Int { return .integer(value) }
  if T.self == Int64.self, let value = value as? Int64 { return .integer(Int(value)) }
  if T.self == Int64?.self, let value = value as? Int64? { return value.map { .integer(Int($0)) } ?? .null }
  if T.self == String.self, let value = value as? String { return .string(value) }
  if T.self == String?.self, let value = value as? String? { return value.map(JSON.string) ?? .null }
  if T.self == Bool.self, let value = value as? Bool { return .bool(value) }
  if T.self == Float.self, let value = value as? Float { return .number(Double(value)) }
  return nil
}
