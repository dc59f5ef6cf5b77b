extension JSON {
  /// The text of a value as its `encode(to:)` describes it: the same bytes as by way of a tree, which takes several times as long.
  public static func text(encoding value: some Encodable, _ style: Style = .compact) throws -> String {
    let sheet = JSONSheet(style: style)
    // Whoever cannot be written says why where the tree is made.
    guard (try? sheet.write(value)) != nil, !sheet.isTorn else { return try JSON(encoding: value).text(style) }
    return String(decoding: sheet.bytes, as: UTF8.self)
  }
}

extension JSONSheet {
  fileprivate func write<T: Encodable>(_ value: T) throws {
    if writePlain(value) { return }
    if rareNumbers.contains(where: { $0 == T.self }) { throw OnlyAsTree() }
    let place = begin()
    try value.encode(to: SheetPlace(sheet: self, place: place))
    end(place)
  }

  /// Numbers and texts of the types that answers are made of.
  private func writePlain<T>(_ value: T) -> Bool {
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

private struct OnlyAsTree: Error {}

/// The tree knows these.
private let rareNumbers: [Any.Type] = [
  Int8.self, Int16.self, Int32.self, UInt8.self, UInt16.self, UInt32.self, UInt.self, UInt64.self, Float.self,
]

/// Where a value describes itself on a sheet.
private struct SheetPlace: EncodingPlace {
  let sheet: JSONSheet
  let place: Int

  var codingPath: [any CodingKey] { [] }
  /// Nobody counts here.
  var count: Int {
    sheet.tear()
    return 0
  }

  func becomeObject() { sheet.becomeObject(place) }
  func becomeList() { sheet.becomeList(place) }

  func set(_ value: some Encodable, at key: some CodingKey) throws {
    sheet.field(key.stringValue, of: place)
    try sheet.write(value)
  }
  func setNil(at key: some CodingKey) {
    sheet.field(key.stringValue, of: place)
    sheet.write(literal: "null")
  }
  func append(_ value: some Encodable) throws {
    sheet.element(of: place)
    try sheet.write(value)
  }
  func appendNil() {
    sheet.element(of: place)
    sheet.write(literal: "null")
  }
  func become(_ value: some Encodable) throws {
    sheet.value(of: place)
    try sheet.write(value)
  }
  func becomeNil() {
    sheet.value(of: place)
    sheet.write(literal: "null")
  }
  func child(_ key: some CodingKey) -> SheetPlace {
    sheet.field(key.stringValue, of: place)
    return SheetPlace(sheet: sheet, place: sheet.begin())
  }
  func element() -> SheetPlace {
    sheet.element(of: place)
    return SheetPlace(sheet: sheet, place: sheet.begin())
  }
}
