import Lifecycle

/// The words of one line, taken from the front.
struct ScenarioWords {
  private var rest: ArraySlice<Substring>
  private let usage: String

  init(_ line: Substring, usage: String) {
    rest = line.split(whereSeparator: \.isWhitespace).dropFirst()
    self.usage = usage
  }

  var isEmpty: Bool { rest.isEmpty }

  func problem(_ what: String) -> LineProblem { LineProblem(what: what, hint: "write \(usage)") }

  /// Takes the next word when it is this one.
  mutating func take(_ word: String) -> Bool {
    guard rest.first.map({ $0 == word }) ?? false else { return false }
    rest.removeFirst()
    return true
  }

  mutating func word(_ meaning: String) throws(LineProblem) -> String {
    guard let word = rest.popFirst() else { throw problem("\(meaning) is missing") }
    return String(word)
  }

  mutating func text() -> String {
    defer { rest = [] }
    return rest.joined(separator: " ")
  }

  mutating func keyword(_ word: String) throws(LineProblem) {
    let found = rest.first.map { "found '\($0)'" } ?? "the line ends"
    guard take(word) else { throw problem("expected '\(word)', \(found)") }
  }

  mutating func count(_ meaning: String, in range: ClosedRange<Int>) throws(LineProblem) -> Int {
    let word = try word(meaning)
    guard let count = Int(word), range.contains(count) else {
      throw problem("\(meaning) '\(word)' is not a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return count
  }

  mutating func number(_ meaning: String, upTo limit: Double) throws(LineProblem) -> Double {
    let word = try word(meaning)
    guard let number = Double(word), number >= 0, number <= limit else {
      throw problem("\(meaning) '\(word)' is not a number from 0 to \(Int(limit))")
    }
    return number
  }

  /// `12%` as 0.12.
  mutating func share(_ meaning: String) throws(LineProblem) -> Double { try percent(word(meaning), meaning) / 100 }

  mutating func duration(_ meaning: String) throws(LineProblem) -> Milliseconds { try duration(word(meaning), meaning) }

  /// `10%@0h,50%@24h,100%@48h`
  mutating func rollout() throws(LineProblem) -> [PublicationPlan.Step] {
    var steps: [PublicationPlan.Step] = []
    for step in try word("the rollout").split(separator: ",") {
      let parts = step.split(separator: "@")
      guard parts.count == 2 else { throw problem("rollout step '\(step)' is not like 10%@6h") }
      let after = try duration(String(parts[1]), "the time of a rollout step")
      steps.append(.init(after: after, percent: try percent(String(parts[0]), "the share of a rollout step")))
    }
    let ordered = zip(steps, steps.dropFirst()).allSatisfy { $0.after < $1.after && $0.percent <= $1.percent }
    guard ordered else { throw problem("rollout steps go back") }
    return steps
  }

  func end() throws(LineProblem) {
    if let word = rest.first { throw problem("'\(word)' does not belong here") }
  }

  private func percent(_ word: String, _ meaning: String) throws(LineProblem) -> Double {
    guard word.hasSuffix("%"), let number = Double(word.dropLast()), (0...100).contains(number) else {
      throw problem("\(meaning) '\(word)' is not a share like 12%, from 0% to 100%")
    }
    return number
  }

  private func duration(_ word: String, _ meaning: String) throws(LineProblem) -> Milliseconds {
    guard let duration = Milliseconds(text: word) else {
      throw problem("\(meaning) '\(word)' is not a duration like 90s, 45m, 6h or 1d12h")
    }
    return duration
  }
}

extension Milliseconds {
  /// Reads `90s`, `45m`, `6h`, `1d12h`; at most ten years.
  init?(text: String) {
    var (total, digits): (Int64, Int64?) = (0, nil)
    let longest = Milliseconds.days(3650).rawValue
    for character in text.utf8 {
      switch character {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits = (digits ?? 0) * 10 + Int64(character - UInt8(ascii: "0"))
        if digits ?? 0 > 100_000_000 { return nil }
      default:
        guard let count = digits, let unit = Self.units[character] else { return nil }
        total += count * unit
        if total > longest { return nil }
        digits = nil
      }
    }
    guard digits == nil, !text.isEmpty else { return nil }
    self.init(rawValue: total)
  }

  private static let units: [UInt8: Int64] = [
    UInt8(ascii: "s"): 1000, UInt8(ascii: "m"): 60_000, UInt8(ascii: "h"): 3_600_000, UInt8(ascii: "d"): 86_400_000,
  ]
}
