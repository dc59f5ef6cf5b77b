/// The words of a text in lines of at most `width` columns. A word longer than a line stands alone, uncut.
public func wrapped(_ text: String, to width: Int) -> [String] {
  var lines: [String] = []
  for word in text.split(separator: " ") {
    if let last = lines.last, displayWidth(last) + 1 + displayWidth(String(word)) <= width {
      lines[lines.count - 1] += " " + word
    } else {
      lines.append(String(word))
    }
  }
  return lines
}

/// Paragraphs wrapped to `width` columns behind `indent` spaces.
///
/// A line that begins with a space or a bullet is preformatted and kept, so that examples and little tables survive.
func wrappedParagraphs(_ text: String, to width: Int, indent: Int = 0) -> [String] {
  let margin = String(repeating: " ", count: indent)
  var (lines, paragraph): ([String], [Substring]) = ([], [])
  func flush() {
    lines += wrapped(paragraph.joined(separator: " "), to: width - indent).map { margin + $0 }
    paragraph = []
  }
  for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
    guard line.isEmpty || line.hasPrefix(" ") else {
      paragraph.append(line)
      continue
    }
    flush()
    lines.append(line.isEmpty ? "" : margin + line)
  }
  flush()
  return lines
}
