internal import Console
internal import Lifecycle
internal import Query

extension Gate {
  /// Reads `subject[@age][.part]`, a comparison, and a share; spaces do not count.
  init(_ text: String, subjects: [GateSubject]) throws(Failure) {
    guard let comparison = Comparison.allCases.first(where: { text.contains($0.rawValue) }) else {
      throw Self.unreadable(text, subjects, "there is no comparison in it")
    }
    let sides = text.split(separator: comparison.rawValue, maxSplits: 1).map { $0.filter { $0 != " " } }
    guard sides.count == 2, let bound = shareOrNumber(sides[1]) else {
      throw Self.unreadable(text, subjects, "behind \(comparison.rawValue) there is no share")
    }
    let (figure, part) = Self.part(of: sides[0])
    let pieces = figure.split(separator: "@", maxSplits: 1).map(String.init)
    guard let known = subjects.first(where: { $0.name == pieces.first }), known.hasAge == (pieces.count == 2) else {
      throw Self.unreadable(text, subjects, "\(quoted(figure)) is not something to require")
    }
    self.init(
      text: text, subject: known.name,
      age: try pieces.dropFirst().first.map { (word) throws(Failure) in
        guard let age = try? Console.Duration(word) else {
          throw Self.unreadable(text, subjects, "\(quoted(word)) is not an age")
        }
        return Milliseconds(rawValue: age.rawValue)
      }, part: part, comparison: comparison, bound: bound)
  }

  private static func part(of text: String) -> (figure: String, part: Part) {
    guard let dot = text.lastIndex(of: "."), let part = Part(rawValue: String(text[text.index(after: dot)...])) else {
      return (text, .value)
    }
    return (String(text[..<dot]), part)
  }

  private static func unreadable(_ text: String, _ subjects: [GateSubject], _ why: String) -> Failure {
    let forms = subjects.map { $0.name + ($0.hasAge ? "@24h" : "") + ".lo>=0.40" }
    return Failure(
      "bad_gate", "\(quoted(text)) is not a condition", place: "--require", why: why,
      hints: [
        "write it as \(forms.joined(separator: " or ")); parts are value, lo and hi, comparisons >=, <=, > and <"
      ],
      exit: .usage)
  }
}

private func shareOrNumber(_ text: String) -> Double? {
  let suffix = ["pp", "%"].first(where: text.hasSuffix) ?? ""
  guard let number = Double(text.dropLast(suffix.count)), number.isFinite else { return nil }
  return suffix.isEmpty ? number : number / 100
}

extension Option {
  /// - Parameter example: such as `adoption@24h.lo>=0.40`.
  static func require(_ example: String) -> Option {
    Option(
      "require", .text, value: "CONDITION", arity: .repeated, group: "GATES",
      help: "End with 3 where this does not hold, with 4 where it cannot be said, such as '\(example)'")
  }
}

extension Parameters {
  /// The conditions of `--require`, about rows of that type.
  func gates<Row: Gated>(on row: Row.Type) throws(Failure) -> [Gate] {
    var gates: [Gate] = []
    for text in texts(.require("")) { gates.append(try Gate(text, subjects: Row.gateSubjects)) }
    return gates
  }
}
