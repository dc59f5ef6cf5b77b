public import Lifecycle

/// A value of an option, read.
public enum Value: Equatable, Sendable {
  case flag(Bool)
  case text(String)
  case integer(Int)
  case number(Double)
  case duration(Duration)
  case instant(Instant)
}

extension Option.Kind {
  /// Reads a value as typed on the command line, in the environment, or in a file.
  func value(_ text: String, now: Instant) throws(Misreading) -> Value {
    switch self {
    case .flag: .flag(try flagValue(text))
    case .text: .text(text)
    case .path: .text(try pathValue(text))
    case .integer(let range): .integer(try integerValue(text, range))
    case .number(let range): .number(try numberValue(text, range))
    case .share: .number(try shareValue(text))
    case .duration: .duration(try Duration(text))
    case .instant: .instant(try Instant(text, now: now))
    case .size: .integer(try byteSize(text))
    case .choice(let words): .text(try choiceValue(text, words))
    }
  }
}

private func flagValue(_ text: String) throws(Misreading) -> Bool {
  switch text.lowercased() {
  case "1", "true", "yes", "on": return true
  case "0", "false", "no", "off", "": return false
  default: throw Misreading("is neither true nor false", hints: ["accepted forms: true, false, 1, 0, yes, no, on, off"])
  }
}

private func pathValue(_ text: String) throws(Misreading) -> String {
  guard !text.isEmpty, !text.utf8.contains(0) else { throw Misreading("is not a path") }
  return text
}

private func integerValue(_ text: String, _ range: ClosedRange<Int>) throws(Misreading) -> Int {
  guard let value = Int(text) else { throw Misreading("is not a whole number") }
  guard range.contains(value) else {
    throw Misreading(outside(String(range.lowerBound), String(range.upperBound), range.upperBound == .max))
  }
  return value
}

private func numberValue(_ text: String, _ range: ClosedRange<Double>) throws(Misreading) -> Double {
  guard let value = Double(text), value.isFinite else { throw Misreading("is not a number") }
  guard range.contains(value) else {
    throw Misreading(
      outside(JSON.number(range.lowerBound).text(), JSON.number(range.upperBound).text(), range.upperBound == .infinity)
    )
  }
  return value
}

private func outside(_ low: String, _ high: String, _ isOpen: Bool) -> String {
  isOpen ? "is too small; the least is \(low)" : "is outside \(low) to \(high)"
}

private func shareValue(_ text: String) throws(Misreading) -> Double {
  let isPercent = text.hasSuffix("%") || text.hasSuffix("pp")
  let number = text.hasSuffix("pp") ? text.dropLast(2) : text.hasSuffix("%") ? text.dropLast() : text[...]
  guard let value = Double(number), value.isFinite else {
    throw Misreading("is not a share", hints: ["accepted forms: 0.02, 2%, 2pp"])
  }
  let share = isPercent ? value / 100 : value
  guard (-1...1).contains(share) else {
    throw Misreading("is more than the whole", hints: isPercent ? [] : ["for per cent write \(number)%"])
  }
  return share
}

private func choiceValue(_ text: String, _ words: [String]) throws(Misreading) -> String {
  // A word that ends in a colon begins names that somebody chose, such as `tag:plan`.
  let isBegun = words.contains { $0.hasSuffix(":") && text.hasPrefix($0) && text.count > $0.count }
  guard words.contains(text) && !text.hasSuffix(":") || isBegun else {
    throw Misreading(
      "is not one of " + alternatives(shown(words)), suggestions: shown(suggestions(for: text, among: words)))
  }
  return text
}

/// A word that ends in a colon begins names that somebody chose.
func shown(_ words: [String]) -> [String] { words.map { $0.hasSuffix(":") ? $0 + "NAME" : $0 } }
