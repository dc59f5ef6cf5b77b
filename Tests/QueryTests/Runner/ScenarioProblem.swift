/// What is wrong with a line of a scenario, or with the answer that it expected.
struct ScenarioProblem: Error, CustomStringConvertible {
  var file: String
  var line: Int
  var message: String
  var description: String { "\(file):\(line): \(message)" }
}

/// A line of a scenario: its words, whether it is indented, and where it stands.
struct ScenarioLine {
  var file: String
  var number: Int
  var isIndented: Bool
  var text: String
  var words: [String]

  /// nil for blank lines and comments.
  init?(_ raw: Substring, file: String, number: Int) {
    let content = raw.firstIndex(of: "#").map { raw[..<$0] } ?? raw
    words = content.split(whereSeparator: \.isWhitespace).map(String.init)
    guard !words.isEmpty else { return nil }
    text = words.joined(separator: " ")
    isIndented = raw.first?.isWhitespace ?? false
    self.file = file
    self.number = number
  }

  func problem(_ message: String) -> ScenarioProblem { ScenarioProblem(file: file, line: number, message: message) }

  /// The words `key=value`, and those that are not.
  func options(from start: Int) -> (plain: [String], named: [String: String]) {
    var (plain, named): ([String], [String: String]) = ([], [:])
    for word in words.dropFirst(start) {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { named[String(parts[0])] = String(parts[1]) } else { plain.append(word) }
    }
    return (plain, named)
  }

  /// A length of time such as `24h`, `-90m`, `1d4h`, in milliseconds.
  func duration(_ word: String) throws -> Int64 {
    guard let found = milliseconds(word) else { throw problem("\"\(word)\" is not a time such as 24h, -90m or 1d4h") }
    return found
  }
}

/// nil where the word is no length of time.
func milliseconds(_ word: String) -> Int64? {
  let units: [Character: Int64] = ["s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
  var (total, digits, isRead): (Int64, String, Bool) = (0, "", false)
  for character in word.hasPrefix("-") ? word.dropFirst() : word[...] {
    if character.isNumber {
      digits.append(character)
    } else {
      guard let unit = units[character], let count = Int64(digits) else { return nil }
      (total, digits, isRead) = (total + count * unit, "", true)
    }
  }
  guard digits.isEmpty, isRead else { return nil }
  return word.hasPrefix("-") ? -total : total
}
