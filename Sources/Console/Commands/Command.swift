/// One command: the row that parsing, help, completion and the man page all read.
public struct Command: Sendable {
  /// A word that follows the command, such as a release or files.
  public struct Argument: Equatable, Sendable {
    public enum Arity: Sendable { case one, optional, many, oneOrMore }
    /// How help names it, such as `RELEASE`.
    public var name: String
    public var arity: Arity
    public var help: String
    /// `files`, `directories`, or a name that the program answers, such as `releases`.
    public var completion: String?
    /// The permitted words, where they are few.
    public var choices: [String]

    public init(_ name: String, _ arity: Arity = .one, completion: String? = nil, choices: [String] = [], help: String)
    {
      self.name = name
      self.arity = arity
      self.help = help
      self.completion = completion
      self.choices = choices
    }
  }

  public struct Example: Equatable, Sendable {
    public var purpose: String
    /// What to type, without a prompt.
    public var line: String
    public init(_ purpose: String, _ line: String) { (self.purpose, self.line) = (purpose, line) }
  }

  /// One word; `publish` where the command is `release publish`.
  public var name: String
  /// One line, imperative, without a full stop.
  public var purpose: String
  /// What needs more than a line, in paragraphs.
  public var discussion: String
  /// The heading under which the list of commands shows it.
  public var group: String
  public var arguments: [Argument]
  public var options: [Option]
  public var examples: [Example]
  /// The exit codes it can end with, beside done, failed, and usage, and what they mean here.
  public var exits: [ExitCode]
  public var seeAlso: [String]
  public var isHidden: Bool
  /// What else is called by a word behind it. A command that does something itself takes any other word as its argument, and
  /// this one behind `--`.
  public var subcommands: [Command]
  /// What it does; nil where only its subcommands do something.
  public var run: (@Sendable (Invocation) throws -> ExitCode)?

  public init(
    _ name: String, group: String = "COMMANDS", purpose: String, discussion: String = "", arguments: [Argument] = [],
    options: [Option] = [], examples: [Example], exits: [ExitCode] = [], seeAlso: [String] = [], isHidden: Bool = false,
    run: @escaping @Sendable (Invocation) throws -> ExitCode
  ) {
    self.name = name
    self.purpose = purpose
    self.discussion = discussion
    self.group = group
    self.arguments = arguments
    self.options = options
    self.examples = examples
    self.exits = exits
    self.seeAlso = seeAlso
    self.isHidden = isHidden
    self.subcommands = []
    self.run = run
  }

  /// A command that only groups others.
  public init(
    _ name: String, group: String = "COMMANDS", purpose: String, discussion: String = "", seeAlso: [String] = [],
    subcommands: [Command]
  ) {
    self.name = name
    self.purpose = purpose
    self.discussion = discussion
    self.group = group
    self.seeAlso = seeAlso
    self.subcommands = subcommands
    (arguments, options, examples, exits, isHidden, run) = ([], [], [], [], false, nil)
  }
}
