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

/// The same, but a command of `program` that the text ends with is not broken, as a shell would take it for two: where it does not
/// fit, it stands whole on a line of its own, as long as it may be.
func wrapped(_ text: String, to width: Int, keeping program: String) -> [String] {
  let lines = wrapped(text, to: width)
  guard let lead = text.ranges(of: ": \(program) ").last?.lowerBound else { return lines }
  let command = text[lead...].dropFirst(2)
  guard lines.last?.hasSuffix(command) == false else { return lines }
  return wrapped(String(text[...lead]), to: width) + ["  " + command]
}

/// Lines of at most `width` columns: broken at words, and within a word that is longer. One line at least.
func folded(_ text: String, to width: Int) -> [String] {
  let lines = wrapped(text, to: width).flatMap { line in
    var pieces = [""]
    for character in line {
      if displayWidth(pieces[pieces.count - 1] + String(character)) > width { pieces.append("") }
      pieces[pieces.count - 1].append(character)
    }
    return pieces.filter { !$0.isEmpty }
  }
  return lines.isEmpty ? [""] : lines
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
