internal import Console

/// How a question is asked, in words.
struct Usage: Sendable {
  let name: String
  let purpose: String
  let discussion: String
  let arguments: [Command.Argument]
  /// Its own, beside those of all questions.
  let options: [Option]
  let examples: [Command.Example]
  let seeAlso: [String]
  /// The question to ask next; about the same release, where it is about one.
  let next: String?
  /// Whether the exit status says what to do, conditions or none.
  let decides: Bool

  init(
    _ name: String, purpose: String, discussion: String, arguments: [Command.Argument] = [], options: [Option],
    examples: [Command.Example], seeAlso: [String],
    next: String? = nil, decides: Bool = false
  ) {
    (self.name, self.purpose, self.discussion) = (name, purpose, discussion)
    (self.arguments, self.options, self.examples) = (arguments, options, examples)
    (self.seeAlso, self.next, self.decides) = (seeAlso, next, decides)
  }

  /// Whoever puts conditions is told whether they hold.
  var exits: [ExitCode] {
    (decides || options.contains { $0.group == "GATES" } ? [.gateNotMet] : []) + [.notEnoughData, .databaseUnusable]
  }
}

extension Command.Argument {
  static let release = Command.Argument("RELEASE", completion: "releases", help: "The release")
}
