/// Columns that a terminal gives to the text: 2 for East Asian wide characters and emoji, 0 for combining marks.
public func displayWidth(_ text: String) -> Int {
  if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
  return text.reduce(0) { $0 + displayWidth($1) }
}

/// The text, cut to `width` columns with `…` as its last one where it is longer.
public func truncated(_ text: String, to width: Int) -> String {
  guard displayWidth(text) > width else { return text }
  guard width > 0 else { return "" }
  var (kept, used) = ("", 0)
  for character in text {
    let columns = displayWidth(character)
    guard used + columns <= width - 1 else { break }
    kept.append(character)
    used += columns
  }
  return kept + "…"
}

/// The same with `…` amid it: beginning and end are kept.
func truncatedWithin(_ text: String, to width: Int) -> String {
  guard displayWidth(text) > width, width > 2 else { return truncated(text, to: width) }
  let head = truncated(text, to: (width + 2) / 2)
  var (kept, used) = ([Character](), displayWidth(head))
  for character in text.reversed() {
    used += displayWidth(character)
    guard used <= width else { break }
    kept.append(character)
  }
  return head + String(kept.reversed())
}

public enum Alignment: Sendable { case left, right }

/// The text with spaces up to `width` columns; unchanged where it is longer.
public func padded(_ text: String, to width: Int, _ alignment: Alignment = .left) -> String {
  let space = String(repeating: " ", count: max(0, width - displayWidth(text)))
  return alignment == .left ? text + space : space + text
}

private func displayWidth(_ character: Character) -> Int {
  let scalars = character.unicodeScalars
  if scalars.contains(where: { $0.value == 0xFE0F || $0.properties.isEmojiPresentation }) { return 2 }
  return scalars.map(displayWidth).max() ?? 0
}

private func displayWidth(_ scalar: Unicode.Scalar) -> Int {
  switch scalar.properties.generalCategory {
  case .nonspacingMark, .enclosingMark, .format, .control: return 0
  default: break
  }
  if (0x1160...0x11FF).contains(scalar.value) { return 0 }
  return wide.contains { $0.contains(scalar.value) } ? 2 : 1
}

/// Blocks that Unicode's East Asian Width property (UAX #11) calls wide or fullwidth.
private let wide: [ClosedRange<UInt32>] = [
  0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F,
  0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
  0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x20000...0x3FFFD,
]
