/// The text with everything that could drive a terminal or hide its order made visible.
///
/// C0 and C1 controls (so every escape sequence), line and paragraph separators, and marks that reorder text become
/// `\n`, `\t`, `\u{…}`. A backslash stays as it is: the result is for reading, not for parsing.
public func harmless(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: isHarmful) else { return text }
  return text.unicodeScalars.reduce(into: "") { result, scalar in
    guard isHarmful(scalar) else { return result.unicodeScalars.append(scalar) }
    switch scalar {
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    case "\t": result += "\\t"
    default: result += "\\u{" + String(scalar.value, radix: 16) + "}"
    }
  }
}

private func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0..<0x20, 0x7F..<0xA0: true
  case 0x200E, 0x200F, 0x061C, 0x2028...0x202E, 0x2066...0x2069: true
  case 0xFEFF, 0xE0000...0xE007F: true
  default: false
  }
}

/// The text in quotation marks, for error words; long ones are shortened.
public func quoted(_ text: String) -> String {
  "\"" + harmless(truncated(text, to: 60)) + "\""
}
