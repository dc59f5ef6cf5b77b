public import Lifecycle

/// One call of a command: its options and arguments, read and checked, and the world around it.
public struct Invocation: Sendable {
  public let program: Program
  /// The words that called the command, such as `release`, `publish`.
  public let path: [String]
  public let command: Command
  public let host: Host
  public let settings: Settings
  /// The clock of this run: fixed where the program has an option for that.
  public let now: Instant
  /// The words that are no options, in order.
  public let arguments: [String]
  private let values: [String: [Value]]

  init(_ words: CommandWords, _ command: Command, _ program: Program, _ host: Host) throws(Failure) {
    try words.checkArguments(program)
    try self.init(unchecked: words, command, program, host)
    let problem = settings.configuration.problems(program, now: now).first
    if let problem, !Self.looksAtFiles(words) { throw problem }
  }

  /// For completion, while the line is not finished.
  init(lenient words: CommandWords, _ program: Program, _ host: Host) throws(Failure) {
    let nothing = Command("", purpose: "", examples: []) { _ in .done }
    try self.init(unchecked: words, words.command ?? nothing, program, host)
  }

  private init(unchecked words: CommandWords, _ command: Command, _ program: Program, _ host: Host) throws(Failure) {
    settings = try Settings(words, program, host)
    let clock = host.clock()
    if let option = program.clock, case .instant(let fixed)? = try settings.values(option, now: clock).last {
      now = fixed
    } else {
      now = clock
    }
    var values: [String: [Value]] = [:]
    for option in words.known(program) { values[option.name] = try settings.values(option, now: now) }
    self.values = values
    (self.program, self.host, self.command, path, arguments) = (program, host, command, words.path, words.arguments)
  }

  /// `config check` and its kind report problems of files themselves, all of them.
  private static func looksAtFiles(_ words: CommandWords) -> Bool { words.path.first == "config" }

  private func all(_ option: Option) -> [Value] {
    guard let values = values[option.name] else {
      preconditionFailure("\(path.joined(separator: " ")) does not list the option --\(option.name)")
    }
    return values
  }
}

/// Options by kind. Asking for another kind than the option's, or for an option that the command does not list, traps.
extension Invocation {
  public func flag(_ option: Option) -> Bool { all(option).last == .flag(true) }

  public func text(_ option: Option) -> String? { texts(option).last }
  public func texts(_ option: Option) -> [String] { all(option).map { $0.text(option) } }

  public func integer(_ option: Option) -> Int? { all(option).last?.integer(option) }
  public func number(_ option: Option) -> Double? { numbers(option).last }
  public func numbers(_ option: Option) -> [Double] { all(option).map { $0.number(option) } }
  public func duration(_ option: Option) -> Duration? { durations(option).last }
  public func durations(_ option: Option) -> [Duration] { all(option).map { $0.duration(option) } }
  public func instant(_ option: Option) -> Instant? { all(option).last?.instant(option) }

  /// A word of a closed vocabulary; the option is `.choice` of exactly its raw values.
  public func choice<Word: RawRepresentable<String>>(_ option: Option, as type: Word.Type = Word.self) -> Word? {
    choices(option, as: type).last
  }

  public func choices<Word: RawRepresentable<String>>(_ option: Option, as type: Word.Type = Word.self) -> [Word] {
    texts(option).map { text in
      guard let word = Word(rawValue: text) else {
        preconditionFailure("--\(option.name) permits \(text), \(Word.self) does not")
      }
      return word
    }
  }

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

extension Value {
  fileprivate func text(_ option: Option) -> String {
    guard case .text(let value) = self else { wrongKind(option) }
    return value
  }
  fileprivate func integer(_ option: Option) -> Int {
    guard case .integer(let value) = self else { wrongKind(option) }
    return value
  }
  fileprivate func number(_ option: Option) -> Double {
    guard case .number(let value) = self else { wrongKind(option) }
    return value
  }
  fileprivate func duration(_ option: Option) -> Duration {
    guard case .duration(let value) = self else { wrongKind(option) }
    return value
  }
  fileprivate func instant(_ option: Option) -> Instant {
    guard case .instant(let value) = self else { wrongKind(option) }
    return value
  }
  private func wrongKind(_ option: Option) -> Never { preconditionFailure("--\(option.name) is of another kind") }
}
