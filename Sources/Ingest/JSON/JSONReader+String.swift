extension JSONReader {
  /// A string's text, from its opening quote on. What is not UTF-8, and half a surrogate pair, becomes U+FFFD.
  mutating func string() throws(JSONProblem) -> String {
    advance()
    let start = position
    while let byte = current, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
      guard byte >= 0x20 else { throw .malformed(at: position) }
      advance()
    }
    guard let byte = current else { throw .truncated }
    if byte == UInt8(ascii: "\"") {
      defer { advance() }
      return text(from: start)
    }
    return try escaped(after: start)
  }

  private mutating func escaped(after start: Int) throws(JSONProblem) -> String {
    var unescaped = copy(from: start)
    while true {
      guard let byte = current else { throw .truncated }
      guard byte >= 0x20 else { throw .malformed(at: position) }
      advance()
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: unescaped, as: UTF8.self)
      case UInt8(ascii: "\\"): try escape(into: &unescaped)
      default: unescaped.append(byte)
      }
    }
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONProblem) {
    guard let letter = current else { throw .truncated }
    advance()
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
    case UInt8(ascii: "b"): text.append(8)
    case UInt8(ascii: "f"): text.append(12)
    case UInt8(ascii: "n"): text.append(10)
    case UInt8(ascii: "r"): text.append(13)
    case UInt8(ascii: "t"): text.append(9)
    case UInt8(ascii: "u"): text += Array(String(Character(try scalar())).utf8)
    default: throw .malformed(at: position - 1)
    }
  }

  private mutating func scalar() throws(JSONProblem) -> Unicode.Scalar {
    let high = try fourDigits()
    guard 0xD800..<0xDC00 ~= high else { return Unicode.Scalar(high) ?? "\u{FFFD}" }
    let resume = position
    guard current == UInt8(ascii: "\\") else { return "\u{FFFD}" }
    advance()
    guard current == UInt8(ascii: "u") else {
      position = resume
      return "\u{FFFD}"
    }
    advance()
    let low = try fourDigits()
    guard 0xDC00..<0xE000 ~= low else {
      position = resume
      return "\u{FFFD}"
    }
    return Unicode.Scalar((high - 0xD800) << 10 + (low - 0xDC00) + 0x10000) ?? "\u{FFFD}"
  }

  private mutating func fourDigits() throws(JSONProblem) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = current else { throw .truncated }
      guard let number = hexDigit(digit) else { throw .malformed(at: position) }
      value = value << 4 | UInt32(number)
      advance()
    }
    return value
  }
}

func hexDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}
