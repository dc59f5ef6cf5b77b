extension JSON {
  /// The text of a value as its `encode(to:)` describes it: the same bytes as by way of a tree, which takes several times as long.
  public static func text(encoding value: some Encodable, _ style: Style = .compact) throws -> String {
    let writing = Writing(style)
    // Where writing fails, too: the error of the tree tells the way to the value.
    guard (try? writing.write(value)) != nil, !writing.writer.needsTree else {
      return try JSON(encoding: value).text(style)
    }
    return String(decoding: writing.writer.bytes, as: UTF8.self)
  }
}

/// The writer that all parts of a value share.
private final class Writing {
  fileprivate(set) var writer: JSONWriter

  init(_ style: JSON.Style) { writer = JSONWriter(style: style) }

  func write<T: Encodable>(_ value: T) throws {
    if writer.write(plain: value) { return }
    do {
      if rareNumbers.contains(where: { $0 == T.self }) { throw OnlyAsTree() }
      let handle = writer.begin()
      try value.encode(to: WriterPlace(writing: self, handle: handle))
      writer.end(handle)
    } catch {
      // Whoever catches it goes on after a name without a value.
      writer.leaveToTree()
      throw error
    }
  }
}

private struct OnlyAsTree: Error {}

/// The tree knows these.
private let rareNumbers: [Any.Type] = [
  Int8.self, Int16.self, Int32.self, UInt8.self, UInt16.self, UInt32.self, UInt.self, UInt64.self, Float.self,
]

extension JSONWriter {
  /// Numbers and texts of the types that answers are made of.
  fileprivate mutating func write<T>(plain value: T) -> Bool {
    // No cast: one after the other would take longer than all the rest.
    if T.self == Double.self {
      write(unsafe unsafeBitCast(value, to: Double.self))
    } else if T.self == Int.self {
      write(unsafe unsafeBitCast(value, to: Int.self))
    } else if T.self == Int64.self {
      write(Int(unsafe unsafeBitCast(value, to: Int64.self)))
    } else if T.self == String.self {
      write(unsafe unsafeBitCast(value, to: String.self))
    } else if T.self == Bool.self {
      write(literal: unsafe unsafeBitCast(value, to: Bool.self) ? "true" : "false")
    } else {
      return false
    }
    return true
  }
}

/// Where a value describes itself as text.
private struct WriterPlace: EncodingPlace {
  let writing: Writing
  let handle: JSONWriter.Handle

  var codingPath: [any CodingKey] { [] }
  /// Not known; only the tree tells it.
  var count: Int {
    writing.writer.leaveToTree()
    return 0
  }

  func becomeObject() { writing.writer.becomeObject(handle) }
  func becomeList() { writing.writer.becomeList(handle) }

  func set(_ value: some Encodable, at key: some CodingKey) throws {
    writing.writer.field(key.stringValue, of: handle)
    try writing.write(value)
  }
  func setNil(at key: some CodingKey) {
    writing.writer.field(key.stringValue, of: handle)
    writing.writer.write(literal: "null")
  }
  func append(_ value: some Encodable) throws {
    writing.writer.element(of: handle)
    try writing.write(value)
  }
  func appendNil() {
    writing.writer.element(of: handle)
    writing.writer.write(literal: "null")
  }
  func become(_ value: some Encodable) throws {
    writing.writer.value(of: handle)
    try writing.write(value)
  }
  func becomeNil() {
    writing.writer.value(of: handle)
    writing.writer.write(literal: "null")
  }
  func child(_ key: some CodingKey) -> WriterPlace {
    writing.writer.field(key.stringValue, of: handle)
    return WriterPlace(writing: writing, handle: writing.writer.begin())
  }
  func element() -> WriterPlace {
    writing.writer.element(of: handle)
    return WriterPlace(writing: writing, handle: writing.writer.begin())
  }
}
