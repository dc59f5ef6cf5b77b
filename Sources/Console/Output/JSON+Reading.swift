extension JSON {
  /// Objects and arrays within each other, at most: what is read may come from anybody, and a stack is not endless.
  static let deepest = 256

  /// Reads a document (RFC 8259); nil where it is none, or is no UTF-8. Of two fields of one name the last counts.
  public init?(parsing text: String) { self.init(parsing: Array(text.utf8)) }

  public init?(parsing bytes: [UInt8]) {
    var reader = JSONReader(bytes: bytes)
    guard let json = reader.document() else { return nil }
    self = json
  }

  /// Where it is no JSON that can be read, says from which byte on, and why.
  static func parse(_ bytes: [UInt8]) throws -> JSON {
    var reader = JSONReader(bytes: bytes)
    if let json = reader.document() { return json }
    throw DecodingError.dataCorrupted(
      .init(codingPath: [], debugDescription: "\(reader.fault ?? "this is not JSON") at byte \(reader.at)"))
  }
}

/// Reads one document from its beginning to its end. Each step returns nil where the text is no JSON.
private struct JSONReader {
  let bytes: [UInt8]
  var at = 0
  var depth = 0
  /// Why what looks like JSON is not taken.
  var fault: String?

  init(bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

  mutating func document() -> JSON? {
    guard let json = value() else { return nil }
    skipSpace()
    guard at == bytes.count else { return nil }
    return json
  }

  private mutating func skipSpace() {
    while at < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[at]) { at += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    at += 1
    return true
  }

  private mutating func word(_ word: StaticString, _ json: JSON) -> JSON? {
    let text = Array(word.description.utf8)
    guard bytes.count - at >= text.count, bytes[at..<at + text.count].elementsEqual(text) else { return nil }
    at += text.count
    return json
  }

  private mutating func value() -> JSON? {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return nested { $0.object() }
    case UInt8(ascii: "["): return nested { $0.array() }
    case UInt8(ascii: "\""): return string().map(JSON.string)
    case UInt8(ascii: "t"): return word("true", true)
    case UInt8(ascii: "f"): return word("false", false)
    case UInt8(ascii: "n"): return word("null", .null)
    default: return number()
    }
  }

  private mutating func nested(_ read: (inout JSONReader) -> JSON?) -> JSON? {
    guard depth < JSON.deepest else { return refused("more than \(JSON.deepest) objects and lists within each other") }
    (at, depth) = (at + 1, depth + 1)
    defer { depth -= 1 }
    return read(&self)
  }

  private mutating func array() -> JSON? {
    var elements: [JSON] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return .array(elements) }
    while let element = value() {
      elements.append(element)
      skipSpace()
      if take(UInt8(ascii: "]")) { return .array(elements) }
      guard take(UInt8(ascii: ",")) else { return nil }
    }
    return nil
  }

  private mutating func object() -> JSON? {
    var fields: [String: JSON] = [:]
    skipSpace()
    if take(UInt8(ascii: "}")) { return .object(fields) }
    while true {
      skipSpace()
      guard let name = string() else { return nil }
      skipSpace()
      guard take(UInt8(ascii: ":")), let field = value() else { return nil }
      fields[name] = field
      skipSpace()
      if take(UInt8(ascii: "}")) { return .object(fields) }
      guard take(UInt8(ascii: ",")) else { return nil }
    }
  }
}

// MARK: numbers and texts

extension JSONReader {
  private mutating func digits() -> Bool {
    let start = at
    while let byte = next, (0x30...0x39).contains(byte) { at += 1 }
    return at > start
  }

  /// A whole number as long as it is written as one and fits; what no double can hold is refused.
  private mutating func number() -> JSON? {
    let start = at
    var isWhole = true
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")), !digits() { return nil }
    if take(UInt8(ascii: ".")) {
      isWhole = false
      guard digits() else { return nil }
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      isWhole = false
      _ = take(UInt8(ascii: "+")) || take(UInt8(ascii: "-"))
      guard digits() else { return nil }
    }
    let text = String(decoding: bytes[start..<at], as: UTF8.self)
    if isWhole, let whole = Int(text) { return .integer(whole) }
    guard let number = Double(text), number.isFinite else { return refused("a number that is too large") }
    return .number(number)
  }

  private mutating func refused(_ fault: String) -> JSON? {
    self.fault = fault
    return nil
  }

  /// Copies what stands between escapes in one piece.
  private mutating func string() -> String? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    var (text, start) = ([UInt8](), at)
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        text += bytes[start..<at]
        at += 1
        return String(validating: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        text += bytes[start..<at]
        at += 1
        guard let scalar = escaped() else { return nil }
        text += String(Character(scalar)).utf8
        start = at
      case ..<0x20: return nil
      default: at += 1
      }
    }
    return nil
  }

  private mutating func escaped() -> Unicode.Scalar? {
    guard let byte = next else { return nil }
    at += 1
    switch byte {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "u"): return unit().flatMap { scalar(after: $0) }
    default: return nil
    }
  }

  /// Four digits of UTF-16.
  private mutating func unit() -> UInt16? {
    guard bytes.count - at >= 4, bytes[at..<at + 4].allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }) else {
      return nil
    }
    defer { at += 4 }
    return UInt16(String(decoding: bytes[at..<at + 4], as: UTF8.self), radix: 16)
  }

  /// Half a pair is no character.
  private mutating func scalar(after first: UInt16) -> Unicode.Scalar? {
    guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) }
    guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")), let second = unit(), UTF16.isTrailSurrogate(second) else {
      return nil
    }
    return UTF16.decode(UTF16.EncodedScalar([first, second]))
  }
}
