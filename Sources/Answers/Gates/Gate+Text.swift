internal import Console
internal import Lifecycle
internal import Query

extension Gate {
  /// Reads `subject[@age][.part]`, a comparison, and a share, or `subject==word`; spaces do not count.
  init(_ text: String, subjects: [GateSubject]) throws(Failure) {
    if let gate = try Gate(word: text, subjects) {
      self = gate
      return
    }
    if let slip = ["=>", "=<"].first(where: text.contains) {
      throw Self.unreadable(text, subjects, "\(slip) is written \(String(slip.reversed()))")
    }
    guard let comparison = Comparison.allCases.first(where: { text.contains($0.rawValue) }) else {
      throw Self.unreadable(text, subjects, "there is no comparison in it")
    }
    let sides = Self.sides(text, comparison.rawValue)
    guard sides.count == 2, let bound = shareOrNumber(sides[1]) else {
      throw Self.unreadable(text, subjects, "behind \(comparison.rawValue) there is no share")
    }
    if let what = comparison.sure(bound) {
      let number = sides[1].filter { $0 != "%" }
      throw Self.unreadable(
        text, subjects,
        "\(sides[1]) is more than the whole, so that it \(what) holds"
          + (sides[1] == number ? ": for per cent write \(number)%" : ""))
    }
    let (figure, part) = Self.part(of: sides[0])
    let (known, age) = try Self.subject(figure, text, subjects)
    guard known.words.isEmpty else {
      throw Self.unreadable(text, subjects, "\(known.name) is a word: one of \(known.words.joined(separator: ", "))")
    }
    guard known.hasAlways || part != .alwaysLo && part != .alwaysHi else {
      throw Self.unreadable(text, subjects, "\(known.name) has no limits for many looks")
    }
    self.init(text: text, subject: known.name, age: age, claim: .number(part, comparison, bound: bound))
  }

  /// nil where there is neither == nor !=.
  private init?(word text: String, _ subjects: [GateSubject]) throws(Failure) {
    guard let sign = ["!=", "=="].first(where: text.contains) else { return nil }
    let sides = Self.sides(text, sign)
    let (known, age) = try Self.subject(sides.first ?? "", text, subjects)
    guard !known.words.isEmpty else {
      throw Self.unreadable(text, subjects, "\(known.name) is a share: compare it with >=, <=, > or <")
    }
    guard sides.count == 2, known.words.contains(sides[1]) else {
      throw Self.unreadable(
        text, subjects, "behind \(sign) there is none of \(known.words.joined(separator: ", "))")
    }
    self.init(text: text, subject: known.name, age: age, claim: .word(sides[1], isNegated: sign == "!="))
  }

  private static func sides(_ text: String, _ sign: String) -> [String] {
    text.split(separator: sign, maxSplits: 1).map { $0.filter { $0 != " " } }
  }

  private static func subject(
    _ figure: String, _ text: String, _ subjects: [GateSubject]
  ) throws(Failure) -> (GateSubject, Milliseconds?) {
    let pieces = figure.split(separator: "@", maxSplits: 1).map(String.init)
    guard let known = subjects.first(where: { $0.name == pieces.first }), known.hasAge == (pieces.count == 2) else {
      throw unreadable(text, subjects, "\(quoted(figure)) is not something to require")
    }
    guard let word = pieces.dropFirst().first else { return (known, nil) }
    guard let age = try? Console.Duration(word) else {
      throw unreadable(text, subjects, "\(quoted(word)) is not an age")
    }
    return (known, Milliseconds(rawValue: age.rawValue))
  }

  private static func part(of text: String) -> (figure: String, part: Part) {
    // `.always.hi` ends as `.hi` does.
    guard let part = Part.allCases.reversed().first(where: { text.hasSuffix("." + $0.rawValue) }) else {
      return (text, .value)
    }
    return (String(text.dropLast(part.rawValue.count + 1)), part)
  }

  private static func unreadable(_ text: String, _ subjects: [GateSubject], _ why: String) -> Failure {
    let forms = subjects.map { subject in
      subject.words.first.map { "\(subject.name)!=\($0)" }
        ?? subject.name + (subject.hasAge ? "@24h" : "") + ".lo>=0.40"
    }
    let always = subjects.contains(where: \.hasAlways) ? ", always.lo and always.hi for many looks" : ""
    return Failure(
      "bad_gate", "\(quoted(text)) is not a condition", place: "--require", why: why,
      hints: [
        "write it as \(forms.joined(separator: " or ")); parts are value, lo and hi\(always), comparisons >=, <=, > and <"
      ],
      exit: .usage)
  }
}

extension Gate.Comparison {
  /// `always` or `never` where it holds, or does not, whatever the share, or the difference of two, is; else nil.
  fileprivate func sure(_ bound: Double) -> String? {
    guard !(-1...1).contains(bound) else { return nil }
    switch self {
    case .atMost, .below: return bound > 1 ? "always" : "never"
    case .atLeast, .above: return bound > 1 ? "never" : "always"
    }
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
      help:
        "End with 3 where this surely does not hold, with 4 where it cannot be said, such as '\(example)'; for one look"
    )
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
