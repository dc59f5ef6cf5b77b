extension JSON {
  /// The text of a value as its `encode(to:)` describes it: the same bytes as by way of a tree, which takes several times as long.
  public static func text(encoding value: some Encodable, _ style: Style = .compact) throws -> String {
    let writing = Writing(style)
    // Whoever cannot be written says why where the tree is made.
    guard (try? writing.write(value)) != nil, !writing.sheet.isTorn else {
      return try JSON(encoding: value).text(style)
    }
    return String(decoding: writing.sheet.bytes, as: UTF8.self)
  }
}

/// The sheet that all parts of a value are written on.
private final class Writing {
  fileprivate(set) var sheet: JSONSheet

  init(_ style: JSON.Style) { sheet = JSONSheet(style: style) }

  func write<T: Encodable>(_ value: T) throws {
    if sheet.write(plain: value) { return }
    if rareNumbers.contains(where: { $0 == T.self }) { throw OnlyAsTree() }
    let place = sheet.begin()
    try value.encode(to: SheetPlace(writing: self, place: place))
    sheet.end(place)
  }
}

private struct OnlyAsTree: Error {}

/// The tree knows these.
private let rareNumbers: [Any.Type] = [
  Int8.self, Int16.self, Int32.self, UInt8.self, UInt16.self, UInt32.self, UInt.self, UInt64.self, Float.self,
]

extension JSONSheet {
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

/// Where a value describes itself on a sheet.
private struct SheetPlace: EncodingPlace {
  let writing: Writing
  let place: Int

  var codingPath: [any CodingKey] { [] }
  /// Nobody counts here.
  var count: Int {
    writing.sheet.tear()
    return 0
  }

  func becomeObject() { writing.sheet.becomeObject(place) }
  func becomeList() { writing.sheet.becomeList(place) }

  func set(_ value: some Encodable, at key: some CodingKey) throws {
    writing.sheet.field(key.stringValue, of: place)
    try writing.write(value)
  }
  func setNil(at key: some CodingKey) {
    writing.sheet.field(key.stringValue, of: place)
    writing.sheet.write(literal: "null")
  }
  func append(_ value: some Encodable) throws {
    writing.sheet.element(of: place)
    try writing.write(value)
  }
  func appendNil() {
    writing.sheet.element(of: place)
    writing.sheet.write(literal: "null")
  }
  func become(_ value: some Encodable) throws {
    writing.sheet.value(of: place)
    try writing.write(value)
  }
  func becomeNil() {
    writing.sheet.value(of: place)
    writing.sheet.write(literal: "null")
  }
  func child(_ key: some CodingKey) -> SheetPlace {
    writing.sheet.field(key.stringValue, of: place)
    return SheetPlace(writing: writing, place: writing.sheet.begin())
  }
  func element() -> SheetPlace {
    writing.sheet.element(of: place)
    return SheetPlace(writing: writing, place: writing.sheet.begin())
  }
}
