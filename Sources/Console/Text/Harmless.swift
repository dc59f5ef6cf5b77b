internal import Lifecycle

/// The text with everything that could drive a terminal or hide its order made visible.
///
/// C0 and C1 controls (so every escape sequence), line and paragraph separators, and marks that reorder text or cannot be
/// seen become `\n`, `\t`, `\u{…}`; joiners stay, which scripts and emoji are written with. A backslash stays as it is: the result is for reading, not for parsing.
public func harmless(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: \.isHarmful) else { return text }
  return text.unicodeScalars.reduce(into: "") { result, scalar in
    guard scalar.isHarmful else { return result.unicodeScalars.append(scalar) }
    switch scalar {
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    case "\t": result += "\\t"
    default: result += "\\u{" + String(scalar.value, radix: 16) + "}"
    }
  }
}

/// The text in quotation marks, for error words; long ones are shortened.
public func quoted(_ text: String) -> String {
  "\"" + harmless(truncated(text, to: 60)) + "\""
}
