import Lifecycle

extension Gate {
  public init(_ text: String, words: [GateWord]) throws(GateProblem) {
    let condition = text.filter { !$0.isWhitespace }
    guard let comparison = Comparison.allCases.first(where: { condition.contains($0.rawValue) }),
      let place = condition.firstIndex(where: { $0 == "<" || $0 == ">" })
    else {
      throw GateProblem(
        message: "\"\(text)\" compares nothing",
        hint: "use one of \(Comparison.allCases.map(\.rawValue).joined(separator: " ")), as in \(Self.example(words))")
    }
    let number = condition[place...].dropFirst(comparison.rawValue.count)
    let (name, age, part) = try Self.figure(condition[..<place], words)
    self.init(
      text: text, name: name, age: age, part: part, comparison: comparison, bound: try Self.share(String(number)))
  }

  /// A share: `0.4`, `40%`, or `2pp`.
  public static func share(_ text: String) throws(GateProblem) -> Double {
    let unit = ["pp", "%"].first { text.hasSuffix($0) }
    guard let number = Double(text.dropLast(unit?.count ?? 0)), number.isFinite else {
      throw GateProblem(message: "\"\(text)\" is not a share", hint: "accepted forms: 0.4, 40%, 2pp")
    }
    return unit == nil ? number : number / 100
  }

  private static func figure(
    _ text: Substring, _ words: [GateWord]
  ) throws(GateProblem) -> (name: String, age: Milliseconds?, part: Part) {
    let pieces = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let named = (pieces.first ?? "").split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    let name = named.first ?? ""
    guard let word = words.first(where: { $0.name == name }) else {
      throw GateProblem(
        message: "\"\(name)\" is nothing that this question can be held to",
        hint: "known: " + words.map(\.spelling).joined(separator: ", "))
    }
    if word.hasAge != (named.count == 2) {
      throw GateProblem(
        message: word.hasAge ? "\"\(name)\" needs an age" : "\"\(name)\" has no age",
        hint: "write " + (word.hasAge ? name + "@24h" : name))
    }
    let age = named.count == 2 ? try self.age(named[1]) : nil
    guard pieces.count == 2 else { return (name, age, .value) }
    guard let part = Part(rawValue: pieces[1]) else {
      throw GateProblem(
        message: "\"\(pieces[1])\" is no part of an estimate",
        hint: "known: " + Part.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return (name, age, part)
  }

  /// `90m`, `24h`, `7d`, `1d12h`.
  static func age(_ text: String) throws(GateProblem) -> Milliseconds {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    let problem = GateProblem(message: "\"\(text)\" is not an age", hint: "accepted forms: 90m, 24h, 7d, 1d12h")
    var (total, digits): (Int64, String) = (0, "")
    for character in text {
      guard let unit = units[character] else {
        digits.append(character)
        continue
      }
      guard let count = Int64(digits), count >= 0, count < 100_000 else { throw problem }
      (total, digits) = (total + count * unit, "")
    }
    guard digits.isEmpty, total > 0 else { throw problem }
    return .seconds(total)
  }

  private static func example(_ words: [GateWord]) -> String {
    words.first.map { "\($0.hasAge ? $0.name + "@24h" : $0.name).lo>=0.4" } ?? "value>=0.4"
  }
}
