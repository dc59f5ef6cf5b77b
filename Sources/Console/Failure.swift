/// Why a command cannot go on, as facts; `words` turns them into lines for people, `json` into one object.
public struct Failure: Error, Equatable, Sendable {
  /// A stable word for programs, such as `unknown_option`.
  public var code: String
  /// Where it happened: a file with its line, an option, an environment variable.
  public var place: String?
  /// What is wrong, as one sentence without a full stop, naming the value.
  public var what: String
  public var why: String?
  /// Words that the user may have meant, best first.
  public var suggestions: [String]
  /// What to do next; each one a line.
  public var hints: [String]
  public var exit: ExitCode

  public init(
    _ code: String, _ what: String, place: String? = nil, why: String? = nil, suggestions: [String] = [],
    hints: [String] = [], exit: ExitCode = .failed
  ) {
    self.code = code
    self.place = place
    self.what = what
    self.why = why
    self.suggestions = suggestions
    self.hints = hints
    self.exit = exit
  }

  /// `error: …`, then indented lines for why, suggestions and hints. Safe to print on a terminal.
  public var words: String {
    var lines = ["error: " + message]
    if let why { lines.append("  why: " + why) }
    if !suggestions.isEmpty { lines.append("  did you mean " + alternatives(suggestions) + "?") }
    lines += hints.map { "  hint: " + $0 }
    return lines.map { harmless($0) + "\n" }.joined()
  }

  /// One object of the schema `uptake.error/1`.
  public var json: JSON {
    var fields: [String: JSON] = [
      "schema": "uptake.error/1", "code": .string(code), "message": .string(message),
      "exit": .integer(Int(exit.rawValue)),
      "hint": hints.isEmpty ? .null : .string(hints.joined(separator: "\n")),
    ]
    if let why { fields["why"] = .string(why) }
    if !suggestions.isEmpty { fields["suggestions"] = .array(suggestions.map(JSON.string)) }
    return .object(fields)
  }

  /// The place and what is wrong there.
  public var message: String { place.map { "\($0): \(what)" } ?? what }
}

/// `a`, `a or b`, `a, b or c`.
func alternatives(_ words: [String]) -> String {
  guard let last = words.last, words.count > 1 else { return words.joined() }
  return words.dropLast().joined(separator: ", ") + " or " + last
}
