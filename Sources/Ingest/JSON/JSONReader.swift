/// Why a text is not JSON that is read here.
public enum JSONProblem: Error, Equatable {
  case malformed(at: Int)
  case truncated
  case tooDeep
  case tooMany

  public var message: String {
    switch self {
    case .malformed(let place): "the body is not JSON: it goes wrong at byte \(place)"
    case .truncated: "the JSON ends in the middle of a value"
    case .tooDeep: "the JSON nests more than \(JSONReader.depthLimit) levels"
    case .tooMany: "the JSON has more than \(JSONReader.valueLimit) values"
    }
  }
}

/// Reads JSON of bounded depth and size into a tree.
///
/// For the bodies of other systems' clients, whose shapes vary; the native dialect has a much faster reader.
public struct JSONReader {
  static let depthLimit = 48
  /// A tree takes some forty bytes a value, however short the text: this bounds what a hostile body costs.
  static let valueLimit = 400_000

  private let bytes: [UInt8]
  private var place = 0
  private var values = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  public static func read(_ bytes: [UInt8]) throws(JSONProblem) -> JSONValue {
    var reader = JSONReader(bytes)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.place = 3 }
    reader.skipSpace()
    let value = try reader.value(depth: 0)
    reader.skipSpace()
    guard reader.place == bytes.count else { throw .malformed(at: reader.place) }
    return value
  }

  private mutating func value(depth: Int) throws(JSONProblem) -> JSONValue {
    values += 1
    guard values <= Self.valueLimit else { throw .tooMany }
    guard depth < Self.depthLimit else { throw .tooDeep }
    switch try peek() {
    case UInt8(ascii: "{"): return try object(depth)
    case UInt8(ascii: "["): return try array(depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    default: return try number()
    }
  }

  private mutating func object(_ depth: Int) throws(JSONProblem) -> JSONValue {
    var members: [JSONValue.Member] = []
    place += 1
    skipSpace()
    if try peek() == UInt8(ascii: "}") {
      place += 1
      return .object(members)
    }
    while true {
      skipSpace()
      guard try peek() == UInt8(ascii: "\"") else { throw .malformed(at: place) }
      let name = try string()
      skipSpace()
      try expect(UInt8(ascii: ":"))
      skipSpace()
      members.append(.init(name: name, value: try value(depth: depth + 1)))
      skipSpace()
      if try closes(UInt8(ascii: "}")) { return .object(members) }
    }
  }

  private mutating func array(_ depth: Int) throws(JSONProblem) -> JSONValue {
    var elements: [JSONValue] = []
    place += 1
    skipSpace()
    if try peek() == UInt8(ascii: "]") {
      place += 1
      return .array(elements)
    }
    while true {
      skipSpace()
      elements.append(try value(depth: depth + 1))
      skipSpace()
      if try closes(UInt8(ascii: "]")) { return .array(elements) }
    }
  }

  /// After a value: true at the end of the list, false behind a comma.
  private mutating func closes(_ end: UInt8) throws(JSONProblem) -> Bool {
    let byte = try peek()
    guard byte == end || byte == UInt8(ascii: ",") else { throw .malformed(at: place) }
    place += 1
    return byte == end
  }

  private mutating func literal(_ word: StaticString, _ value: JSONValue) throws(JSONProblem) -> JSONValue {
    let count = word.utf8CodeUnitCount
    guard bytes.count - place >= count else { throw .truncated }
    let letters = UnsafeBufferPointer(start: word.utf8Start, count: count)
    guard bytes[place..<place + count].elementsEqual(letters) else { throw .malformed(at: place) }
    place += count
    return value
  }
}

extension JSONReader {
  var current: UInt8? { place < bytes.count ? bytes[place] : nil }
  var position: Int {
    get { place }
    set { place = newValue }
  }
  mutating func advance() { place += 1 }
  func text(from start: Int) -> String { String(decoding: bytes[start..<place], as: UTF8.self) }
  func copy(from start: Int) -> [UInt8] { Array(bytes[start..<place]) }

  private func peek() throws(JSONProblem) -> UInt8 {
    guard place < bytes.count else { throw .truncated }
    return bytes[place]
  }

  private mutating func expect(_ byte: UInt8) throws(JSONProblem) {
    guard try peek() == byte else { throw .malformed(at: place) }
    place += 1
  }

  private mutating func skipSpace() {
    while place < bytes.count, bytes[place] == 32 || bytes[place] == 10 || bytes[place] == 13 || bytes[place] == 9 {
      place += 1
    }
  }

  private mutating func number() throws(JSONProblem) -> JSONValue {
    let start = place
    var isWhole = true
    if try peek() == UInt8(ascii: "-") { place += 1 }
    let digits = place
    skipDigits()
    guard place > digits, place == digits + 1 || bytes[digits] != UInt8(ascii: "0") else { throw .malformed(at: start) }
    if place < bytes.count, bytes[place] == UInt8(ascii: ".") {
      isWhole = false
      place += 1
      try needDigits()
    }
    if place < bytes.count, bytes[place] | 0x20 == UInt8(ascii: "e") {
      isWhole = false
      place += 1
      if place < bytes.count, bytes[place] == UInt8(ascii: "+") || bytes[place] == UInt8(ascii: "-") { place += 1 }
      try needDigits()
    }
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    if isWhole, let whole = Int64(text) { return .integer(whole) }
    return .decimal(Double(text) ?? 0)
  }

  private mutating func skipDigits() {
    while place < bytes.count, bytes[place] &- UInt8(ascii: "0") <= 9 { place += 1 }
  }

  private mutating func needDigits() throws(JSONProblem) {
    let start = place
    skipDigits()
    guard place > start else { throw place < bytes.count ? .malformed(at: place) : .truncated }
  }
}
