extension Unicode.Scalar {
  /// Whether it could drive a terminal, hide text or change its order: controls (so every escape sequence), separators of lines and
  /// paragraphs, and marks that reorder text or cannot be seen. Joiners are none: scripts and emoji are written with them.
  public var isHarmful: Bool {
    if (0x20..<0x7F).contains(value) { return false }
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    case .format: return value != 0x200C && value != 0x200D
    default: return false
    }
  }
}

extension [UInt8] {
  /// A text as JSON, between quotation marks. What could do harm where it is shown as it is comes as an escape, and reads back the same.
  public mutating func append(jsonString text: String) {
    append(UInt8(ascii: "\""))
    defer { append(UInt8(ascii: "\"")) }
    var text = text
    if text.withUTF8({ unsafe append(plain: $0) }) { return }
    for scalar in text.unicodeScalars { append(jsonScalar: scalar) }
  }

  /// False where something needs an escape.
  private mutating func append(plain text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard unsafe text.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }) else { return false }
    unsafe append(contentsOf: text)
    return true
  }

  private mutating func append(jsonScalar scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": self += "\\\"".utf8
    case "\\": self += "\\\\".utf8
    case "\n": self += "\\n".utf8
    case "\r": self += "\\r".utf8
    case "\t": self += "\\t".utf8
    case _ where scalar.isHarmful:
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        self += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
      }
    default: self += String(scalar).utf8
    }
  }
}
