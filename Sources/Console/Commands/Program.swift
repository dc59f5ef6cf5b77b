/// Everything a command line program says about itself; nothing of it is written down twice.
public struct Program: Sendable {
  public struct Topic: Sendable {
    public var name: String
    public var purpose: String
    /// Paragraphs; lines that begin with a space are kept as they are. May read the table of commands.
    public var text: @Sendable (Program) -> String
    public init(_ name: String, purpose: String, text: @escaping @Sendable (Program) -> String) {
      (self.name, self.purpose, self.text) = (name, purpose, text)
    }
  }

  public var name: String
  public var version: String
  /// The day of the version, for the man page: `2025-03-01`.
  public var date: String
  /// One line.
  public var purpose: String
  public var discussion: String
  public var examples: [Command.Example]
  public var commands: [Command]
  /// The commands to begin with, by name; help shows these with their purpose, and of the others only the names.
  public var essentials: [String]
  /// What every command understands.
  public var options: [Option]
  public var topics: [Topic]
  /// The option that fixes the clock; relative times count back from it.
  public var clock: Option?
  /// Options that the command to run next repeats where they were typed: without them it would ask something else.
  public var carried: [Option]
  /// Tables of the configuration file that no option reads, such as `[[export]]`.
  public var tables: [FileTable]
  /// Answers completion asks for by name, such as the known releases. It has a fifth of a second.
  public var candidates: @Sendable (_ name: String, Invocation) throws -> [String]

  public init(
    name: String, version: String, date: String, purpose: String, discussion: String = "",
    examples: [Command.Example] = [], commands: [Command], essentials: [String] = [],
    options: [Option] = Option.common, topics: [Topic] = [],
    clock: Option? = nil, carried: [Option] = [], tables: [FileTable] = [],
    candidates: @escaping @Sendable (String, Invocation) throws -> [String] = { _, _ in [] }
  ) {
    self.name = name
    self.version = version
    self.date = date
    self.purpose = purpose
    self.discussion = discussion
    self.examples = examples
    self.commands = commands
    self.essentials = essentials
    self.options = options
    self.topics = topics
    self.clock = clock
    self.carried = carried
    self.tables = tables
    self.candidates = candidates
  }

  /// The commands along these words, from the first; nil where a word is not a command.
  public func commands(along words: [String]) -> [Command]? {
    var (found, level) = ([Command](), commands)
    for word in words {
      guard let command = level.first(where: { $0.name == word }) else { return nil }
      found.append(command)
      level = command.subcommands
    }
    return found
  }

  /// Every command that does something, with the words that call it, in the order of the table.
  public var leaves: [(words: [String], command: Command)] {
    func leaves(_ commands: [Command], _ words: [String]) -> [(words: [String], command: Command)] {
      commands.flatMap { command -> [(words: [String], command: Command)] in
        let path = words + [command.name]
        return (command.run == nil ? [] : [(path, command)]) + leaves(command.subcommands, path)
      }
    }
    return leaves(commands, [])
  }

  /// Commands below others that are called by a word, which somebody may take for a command of its own.
  func groups(with word: String) -> [[String]] {
    leaves.filter { $0.words.count > 1 && $0.words.last == word && !$0.command.isHidden }.map(\.words)
  }

  /// Every option of every command once, by name and key, in the order of the table; the common ones last.
  public var allOptions: [Option] {
    var seen = Set<[String?]>()
    return (leaves.flatMap(\.command.options) + options).filter { seen.insert([$0.name, $0.key]).inserted }
  }
}
