public import Lifecycle

/// One call of a command: its options and arguments, read and checked, and the world around it.
public struct Invocation: Sendable {
  public let program: Program
  /// The words that called the command, such as `release`, `publish`.
  public let path: [String]
  public let command: Command
  public let host: Host
  public let settings: Settings
  /// Its options and arguments, as values.
  public let parameters: Parameters
  let said = SaidLines()

  init(_ words: CommandWords, _ command: Command, _ program: Program, _ host: Host) throws(Failure) {
    try words.checkArguments(program)
    try self.init(unchecked: words, command, program, host)
    let problem = settings.configuration.problems(program, now: now).first
    if let problem, !Self.isConfigCommand(words) { throw problem }
  }

  /// For completion, while the line is not finished.
  init(lenient words: CommandWords, _ program: Program, _ host: Host) throws(Failure) {
    let nothing = Command("", purpose: "", examples: []) { _ in .done }
    try self.init(unchecked: words, words.command ?? nothing, program, host)
  }

  /// The call of another command, as it would be with the same files and environment and nothing typed.
  public func calling(_ path: [String]) throws(Failure) -> Invocation {
    let words = try CommandWords(path + (text(.config).map { ["--config", $0] } ?? []), of: program)
    guard let command = words.command else { preconditionFailure("\(path) calls no command") }
    return try Invocation(unchecked: words, command, program, host)
  }

  private init(unchecked words: CommandWords, _ command: Command, _ program: Program, _ host: Host) throws(Failure) {
    settings = try Settings(words, program, host)
    var parameters = try Parameters(
      words.known(program), arguments: words.arguments, clock: program.clock, now: host.clock(), settings.setting)
    parameters.carried = settings.typed(program.carried)
    self.parameters = parameters
    (self.program, self.host, self.command, path) = (program, host, command, words.path)
  }

  /// `config check` and its kind report problems of files themselves, all of them.
  private static func isConfigCommand(_ words: CommandWords) -> Bool { words.path.first == "config" }
}

extension Invocation: OptionValues {
  /// The clock of this run: fixed where the program has an option for that.
  public var now: Instant { parameters.now }
  /// The words that are no options, in order.
  public var arguments: [String] { parameters.arguments }

  public func values(of option: Option) -> [Value] { parameters.values(of: option) }
  public func lists(_ option: Option) -> Bool { parameters.lists(option) }

  /// The same, for options without which the command cannot work.
  public func text(needed option: Option) throws(Failure) -> String { try needed(option, text(option)) }
  public func integer(needed option: Option) throws(Failure) -> Int { try needed(option, integer(option)) }
  public func duration(needed option: Option) throws(Failure) -> Duration { try needed(option, duration(option)) }

  private func needed<Wanted>(_ option: Option, _ value: Wanted?) throws(Failure) -> Wanted {
    if let value { return value }
    let other = [option.environment, option.key.map { "\($0) in the configuration file" }].compactMap(\.self)
    throw Failure(
      "missing_option", "\(path.joined(separator: " ")) needs --\(option.name) \(option.value)",
      hints: (other.isEmpty ? [] : ["or set " + alternatives(other)])
        + ["see: \(ShellCommand([program.name, "help"] + path))"], exit: .usage)
  }
}
