internal import Console
internal import Statistics

/// A condition that an answer must meet: `adoption@24h.lo>=0.40`.
struct Gate: Sendable {
  enum Part: String { case value, lo, hi }
  enum Comparison: String, CaseIterable {
    case atLeast = ">="
    case atMost = "<="
    case above = ">"
    case below = "<"
  }

  var text: String
  var subject: String
  /// nil where the subject has no age.
  var age: Console.Duration?
  var part: Part
  var comparison: Comparison
  var bound: Double

  /// - Parameter subjects: what may be asked for, and whether at an age.
  init(_ text: String, subjects: [(name: String, hasAge: Bool)]) throws(Failure) {
    guard let comparison = Comparison.allCases.first(where: { text.contains($0.rawValue) }) else {
      throw Self.unreadable(text, subjects, "there is no comparison in it")
    }
    let sides = text.split(separator: comparison.rawValue, maxSplits: 1).map { $0.filter { $0 != " " } }
    guard sides.count == 2, let bound = shareOrNumber(sides[1]) else {
      throw Self.unreadable(text, subjects, "behind \(comparison.rawValue) there is no share")
    }
    var left = sides[0]
    part = .value
    if let dot = left.lastIndex(of: "."), let named = Part(rawValue: String(left[left.index(after: dot)...])) {
      part = named
      left = String(left[..<dot])
    }
    let pieces = left.split(separator: "@", maxSplits: 1).map(String.init)
    guard let known = subjects.first(where: { $0.name == pieces.first }), known.hasAge == (pieces.count == 2) else {
      throw Self.unreadable(text, subjects, "\(quoted(left)) is not something to require")
    }
    if known.hasAge {
      guard let read = try? Console.Duration(pieces[1]) else {
        throw Self.unreadable(text, subjects, "\(quoted(pieces[1])) is not an age")
      }
      age = read
    }
    (self.text, subject, self.comparison, self.bound) = (text, known.name, comparison, bound)
  }

  private static func unreadable(_ text: String, _ subjects: [(name: String, hasAge: Bool)], _ why: String) -> Failure {
    let forms = subjects.map { $0.name + ($0.hasAge ? "@24h" : "") + ".lo>=0.40" }
    return Failure(
      "bad_gate", "\(quoted(text)) is not a condition", place: "--require", why: why,
      hints: [
        "write it as \(forms.joined(separator: " or ")); parts are value, lo and hi, comparisons >=, <=, > and <"
      ],
      exit: .usage)
  }

  func holds(_ value: Double) -> Bool {
    switch comparison {
    case .atLeast: value >= bound
    case .atMost: value <= bound
    case .above: value > bound
    case .below: value < bound
    }
  }

  /// What the answer says of the condition, in one sentence.
  func verdict(_ estimate: Estimate?, of group: String) -> GateVerdict {
    let place = group.isEmpty ? "" : " for \(group)"
    let found: Double? =
      switch part {
      case .value: estimate?.value
      case .lo: estimate?.lo
      case .hi: estimate?.hi
      }
    guard let estimate, let found else {
      let why = estimate?.reason?.words ?? "there is no such number"
      return GateVerdict(exit: .notEnoughData, sentence: "gate cannot be judged (\(text))\(place): \(why)")
    }
    let name = subject + (age.map { " at \(Console.age(seconds: $0.rawValue / 1000))" } ?? "")
    let sentence = "(\(text))\(place): \(name) is \(estimate.words)"
    return holds(found)
      ? GateVerdict(exit: .done, sentence: "gate met " + sentence)
      : GateVerdict(exit: .gateNotMet, sentence: "gate NOT met " + sentence)
  }
}

/// Whether a pipeline may go on, and why.
struct GateVerdict: Sendable {
  var exit: ExitCode
  var sentence: String
}

extension [GateVerdict] {
  /// Not met outweighs not known, which outweighs met.
  func exit(otherwise own: ExitCode) -> ExitCode {
    if contains(where: { $0.exit == .gateNotMet }) { return .gateNotMet }
    return contains { $0.exit == .notEnoughData } ? .notEnoughData : own
  }
}

extension Estimate {
  /// `45.9% (44.9–46.9)`; for shares.
  var words: String {
    guard let value else { return "not known" }
    guard let lo, let hi else { return share(value) }
    return "\(share(value)) (\(decimal(lo * 100, 1))–\(decimal(hi * 100, 1)))"
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
