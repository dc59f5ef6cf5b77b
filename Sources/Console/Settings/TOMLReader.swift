/// Reads a `TOMLFile` from the front to the back; the first error stops it.
struct TOMLReader {
  private(set) var entries: [TOMLFile.Entry] = []
  private(set) var elements: [String: [Int]] = [:]
  private(set) var tables: [String: Int] = [:]
  private let path: String
  private var rest: Substring.UnicodeScalarView
  private var line = 1
  private var table = ""
  private var element: Int?
  private var depth = 0

  init(_ text: String, path: String) {
    self.path = path
    rest = text[...].unicodeScalars
    if rest.first == "\u{FEFF}" { rest.removeFirst() }
  }

  mutating func read() throws(Failure) {
    while true {
      skipLines()
      guard let next = rest.first else { return }
      if next == "[" { try readHeader() } else { try readEntry() }
      try endLine()
    }
  }

  private mutating func readHeader() throws(Failure) {
    let isElement = take("[") && take("[")
    skipSpaces()
    let name = try readKey()
    skipSpaces()
    guard take("]"), !isElement || take("]") else {
      throw failure("the heading of \(name) is not closed", isElement ? "write [[\(name)]]" : "write [\(name)]")
    }
    try begin(name, isElement)
  }

  private mutating func begin(_ name: String, _ isElement: Bool) throws(Failure) {
    let earlier = tables[name] ?? (isElement ? nil : elements[name]?.first)
    if let earlier {
      throw failure("[\(name)] is already there, in line \(earlier)", "put the keys of both under one heading")
    }
    table = name
    element = isElement ? elements[name, default: []].count : nil
    if isElement { elements[name, default: []].append(line) } else { tables[name] = line }
  }

  private mutating func readEntry() throws(Failure) {
    let start = line
    let name = try readKey()
    skipSpaces()
    guard take("=") else { throw failure("\(quoted(name)) has no value", "write \(name) = …") }
    skipSpaces()
    let key = table.isEmpty ? name : table + "." + name
    if let earlier = entries.first(where: { $0.key == key && $0.element == element }) {
      throw failure("\(key) is already set in line \(earlier.line)", "keep one of them")
    }
    entries.append(.init(key: key, value: try readValue(), line: start, element: element))
  }

  /// Reads `name` or `table.name`.
  private mutating func readKey() throws(Failure) -> String {
    var parts: [String] = []
    repeat {
      let part = takeWhile(isBare)
      guard !part.isEmpty else {
        let found = rest.first.map { quoted(String($0)) } ?? "the end"
        throw failure("expected a key, found \(found)", "keys are letters, digits, - and _, without quotation marks")
      }
      parts.append(part)
    } while take(".")
    return parts.joined(separator: ".")
  }

  private mutating func readValue() throws(Failure) -> TOMLFile.Value {
    switch rest.first {
    case "\"": return .string(try readBasicString())
    case "'": return .string(try readLiteralString())
    case "[": return .array(try readArray())
    case "{": throw failure("inline tables are not read", "write a [table] of its own")
    case nil, "\n", "\r", "#": throw failure("the value is missing", "write a value behind =, such as \"text\" or 10")
    default: return try readWord()
    }
  }

  private mutating func readWord() throws(Failure) -> TOMLFile.Value {
    let word = takeWhile { isBare($0) || [".", "+", ":"].contains($0) }
    if word == "true" || word == "false" { return .boolean(word == "true") }
    let digits = word.filter { $0 != "_" }
    if isPlainNumber(word), let value = Int(digits) { return .integer(value) }
    if isPlainNumber(word), let value = Double(digits), value.isFinite { return .float(value) }
    let found = word.isEmpty ? rest.first.map { String($0) } ?? "" : word
    throw failure(
      "\(quoted(found)) is not a value", "texts, times and durations stand in quotation marks: \"\(harmless(found))\"")
  }

  /// Decimal, without leading zeros, with underscores only between digits.
  private func isPlainNumber(_ word: String) -> Bool {
    let unsigned = word.drop { $0 == "-" || $0 == "+" }
    let isSigned = word.count - unsigned.count
    let hasZeros = unsigned.hasPrefix("0") && unsigned.dropFirst().first?.isNumber == true
    let edges = [unsigned.first, unsigned.last].allSatisfy { $0?.isNumber == true }
    return isSigned <= 1 && edges && !hasZeros && !word.contains("__")
      && unsigned.allSatisfy { $0.isNumber || "_.eE+-".contains($0) }
  }

  private mutating func readArray() throws(Failure) -> [TOMLFile.Value] {
    let start = line
    _ = take("[")
    depth += 1
    defer { depth -= 1 }
    guard depth <= 8 else { throw failure("arrays are nested too deeply", "at most 8 levels are read") }
    var values: [TOMLFile.Value] = []
    while true {
      skipLines()
      if take("]") { return values }
      guard !rest.isEmpty else { throw failure("the array begun in line \(start) is not closed", "add ]") }
      values.append(try readValue())
      skipLines()
      if rest.isEmpty { continue }
      guard take(",") || rest.first == "]" else { throw failure("expected , or ] in an array", "put , between values") }
    }
  }

  private mutating func readLiteralString() throws(Failure) -> String {
    _ = take("'")
    if take("'") {
      guard rest.first != "'" else { throw multiline() }
      return ""
    }
    let text = takeWhile { $0 != "'" && $0 != "\n" }
    guard take("'") else { throw failure("the text is not closed", "add ' in the same line") }
    return text
  }

  private mutating func readBasicString() throws(Failure) -> String {
    _ = take("\"")
    if take("\"") {
      guard rest.first != "\"" else { throw multiline() }
      return ""
    }
    var text = ""
    while let next = rest.popFirst(), next != "\n" {
      switch next {
      case "\"": return text
      case "\\": text.unicodeScalars.append(try readEscape())
      default: text.unicodeScalars.append(next)
      }
    }
    throw failure("the text is not closed", "add \" in the same line")
  }

  private mutating func readEscape() throws(Failure) -> Unicode.Scalar {
    let plain: [Unicode.Scalar: Unicode.Scalar] = [
      "\"": "\"", "\\": "\\", "n": "\n", "t": "\t", "r": "\r", "b": "\u{8}", "f": "\u{C}",
    ]
    let letter = rest.popFirst()
    if let letter, let scalar = plain[letter] { return scalar }
    let length = letter == "u" ? 4 : letter == "U" ? 8 : 0
    let digits = String(String.UnicodeScalarView(rest.prefix(length)))
    if length > 0, digits.count == length, let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) {
      rest = rest.dropFirst(length)
      return scalar
    }
    throw failure(
      "\(quoted("\\" + (letter.map { String($0) } ?? ""))) is not an escape",
      "a backslash is written \\\\, or put the text in '…'")
  }

  private func multiline() -> Failure { failure("texts of several lines are not read", "write the text in one line") }

  private func failure(_ what: String, _ hint: String) -> Failure {
    Failure("config_unreadable", what, place: "\(path):\(line)", hints: [hint], exit: .usage)
  }
}

/// The smallest steps: characters, spaces, line ends.
extension TOMLReader {
  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == scalar else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func takeWhile(_ condition: (Unicode.Scalar) -> Bool) -> String {
    let taken = rest.prefix(while: condition)
    rest = rest.dropFirst(taken.count)
    return String(String.UnicodeScalarView(taken))
  }

  private mutating func skipSpaces() { _ = takeWhile { $0 == " " || $0 == "\t" } }

  /// Skips spaces, comments and empty lines.
  private mutating func skipLines() {
    while let next = rest.first {
      switch next {
      case " ", "\t", "\r": rest.removeFirst()
      case "#": _ = takeWhile { $0 != "\n" }
      case "\n":
        rest.removeFirst()
        line += 1
      default: return
      }
    }
  }

  private mutating func endLine() throws(Failure) {
    skipSpaces()
    if rest.first == "#" { _ = takeWhile { $0 != "\n" } }
    _ = take("\r")
    guard let next = rest.first else { return }
    guard next == "\n" else {
      let found = String(String.UnicodeScalarView(rest.prefix { $0 != "\n" }))
      throw failure(
        "expected the end of the line, found \(quoted(found))", "one key or heading a line; comments begin with #")
    }
  }
}

private func isBare(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar {
  case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
  default: false
  }
}
