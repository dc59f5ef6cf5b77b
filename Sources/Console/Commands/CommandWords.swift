/// A command line taken apart by the table, its values not yet read.
struct CommandWords {
  /// The words that called the command, such as `release`, `publish`.
  var path: [String] = []
  /// The commands along `path`.
  var commands: [Command] = []
  var options: [(option: Option, text: String)] = []
  var arguments: [String] = []
  var asksForHelp = false
  /// Whether `--` was met.
  private(set) var onlyArguments = false
  /// The option whose value is missing at the end.
  private(set) var awaiting: Option?

  var command: Command? { commands.last }

  /// Takes the words apart. Options may stand anywhere before `--`; an option of a command only behind its name.
  init(_ words: [String], of program: Program) throws(Failure) {
    var rest = words[...]
    while let word = rest.popFirst() { try read(word, &rest, program) }
  }

  /// The same for an unfinished line: what is wrong is passed over.
  init(lenient words: [String], of program: Program) {
    var rest = words[...]
    while let word = rest.popFirst() { try? read(word, &rest, program) }
  }

  private mutating func read(_ word: String, _ rest: inout ArraySlice<String>, _ program: Program) throws(Failure) {
    if onlyArguments || word == "-" || !word.hasPrefix("-") {
      try take(word, program)
    } else if word == "--" {
      onlyArguments = true
    } else {
      try takeOption(word, &rest, program)
    }
  }

  /// The options that the words so far allow.
  func known(_ program: Program) -> [Option] { (command?.options ?? []) + program.options }

  private mutating func take(_ word: String, _ program: Program) throws(Failure) {
    let level = command?.subcommands ?? program.commands
    let next = level.first { $0.name == word }
    if let command, level.isEmpty || command.run != nil && !(next.map(mayFollow) ?? false) {
      return arguments.append(word)
    }
    guard let next else {
      if asksForHelp { return }
      throw unknownCommand(word, among: level, program)
    }
    path.append(word)
    commands.append(next)
  }

  /// Whether a word is a subcommand of a command that does something itself, and no argument of it: it is the first behind
  /// the command, not behind `--`, and no option was given that only the command has.
  private func mayFollow(_ next: Command) -> Bool {
    let own = Set((command?.options ?? []).map(\.name)).subtracting(next.options.map(\.name))
    return arguments.isEmpty && !onlyArguments && !options.contains { own.contains($0.option.name) }
  }

  private mutating func takeOption(_ word: String, _ rest: inout ArraySlice<String>, _ program: Program) throws(Failure)
  {
    guard word.hasPrefix("--") else { return try takeLetters(word, &rest, program) }
    let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let option = known(program).first(where: { $0.name == parts[0] }) else {
      throw unknownOption("--" + parts[0], program)
    }
    if !option.takesValue, parts.count > 1 {
      throw usage("unexpected_value", "--\(option.name) takes no value", program)
    }
    try add(option, parts.count > 1 ? parts[1] : nil, as: "--" + parts[0], &rest, program)
  }

  /// Reads `-q`, `-qv`, `-o json`, `-ojson`.
  private mutating func takeLetters(_ word: String, _ rest: inout ArraySlice<String>, _ program: Program)
    throws(Failure)
  {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = known(program).first(where: { $0.short == letter }) else {
        throw unknownOption("-\(letter)", program)
      }
      guard option.takesValue else {
        try add(option, nil, as: "-\(letter)", &rest, program)
        continue
      }
      let attached = letters.first == "=" ? letters.dropFirst() : letters
      return try add(option, letters.isEmpty ? nil : String(attached), as: "-\(letter)", &rest, program)
    }
  }

  private mutating func add(
    _ option: Option, _ text: String?, as typed: String, _ rest: inout ArraySlice<String>, _ program: Program
  ) throws(Failure) {
    if option.name == Option.help.name { return asksForHelp = true }
    if !option.takesValue { return options.append((option, "true")) }
    if option.arity == .once, options.contains(where: { $0.option.name == option.name }) {
      throw usage("repeated_option", "\(typed) is given twice", program)
    }
    if text == nil, rest.isEmpty { awaiting = option }
    guard let value = text ?? rest.first, text != nil || value == "-" || !value.hasPrefix("--") else {
      throw usage("missing_value", "\(typed) needs a value: \(typed) \(option.value)", program)
    }
    if text == nil { rest.removeFirst() }
    options.append((option, value))
  }
}

extension CommandWords {
  /// A wrong command line; the hint names the help screen of the command that it reached.
  func usage(_ code: String, _ what: String, _ program: Program, suggestions: [String] = []) -> Failure {
    Failure(
      code, what, suggestions: suggestions, hints: ["see: \(ShellCommand([program.name, "help"] + path))"], exit: .usage
    )
  }

  private func unknownCommand(_ word: String, among level: [Command], _ program: Program) -> Failure {
    let typed = (path + [word]).joined(separator: " ")
    let near = Console.suggestions(for: word, among: level.filter { !$0.isHidden }.map(\.name)).map { path + [$0] }
    let exact = program.groups(with: word)
    return usage(
      "unknown_command", "there is no command \(quoted(typed))", program,
      suggestions: (exact + near.filter { !exact.contains($0) }).prefix(3).map {
        "\(ShellCommand([program.name] + $0))"
      })
  }

  private func unknownOption(_ typed: String, _ program: Program) -> Failure {
    let name = String(typed.drop { $0 == "-" })
    let options = known(program).filter { !$0.isHidden }
    let near = typed.hasPrefix("--") ? Console.suggestions(for: name, among: options.map(\.name)) : []
    let owners = program.leaves.filter { leaf in leaf.command.options.contains { "--" + $0.name == typed } }
    if command == nil, let owner = owners.first {
      let line = ([program.name] + owner.words).joined(separator: " ")
      return usage("misplaced_option", "\(typed) belongs behind its command: \(line) \(typed)", program)
    }
    let place = path.isEmpty ? program.name : path.joined(separator: " ")
    return usage(
      "unknown_option", "\(place) has no option \(quoted(typed))", program,
      suggestions: words(name, of: options) + near.map { "--" + $0 })
  }

  /// `--csv` for `--format csv`.
  private func words(_ name: String, of options: [Option]) -> [String] {
    let owner = options.first { if case .choice(let words) = $0.kind { words.contains(name) } else { false } }
    return owner.map { ["--\($0.name) \(name)"] } ?? []
  }

  /// Checks the number of arguments and the words among which they must be.
  func checkArguments(_ program: Program) throws(Failure) {
    guard let command else { return }
    let required = command.arguments.prefix { $0.arity == .one || $0.arity == .oneOrMore }
    if arguments.count < required.count {
      let missing = required[arguments.count]
      let words = missing.choices.isEmpty ? "" : ": \(alternatives(missing.choices))"
      throw usage("missing_argument", "\(path.joined(separator: " ")) needs \(missing.name)\(words)", program)
    }
    let isOpen = command.arguments.last.map { $0.arity == .many || $0.arity == .oneOrMore } ?? false
    if !isOpen, arguments.count > command.arguments.count {
      let extra = arguments[command.arguments.count]
      throw usage("unexpected_argument", "\(path.joined(separator: " ")) does not expect \(quoted(extra))", program)
    }
    for (argument, word) in zip(command.arguments, arguments) where !argument.choices.isEmpty {
      guard !argument.choices.contains(word) else { continue }
      throw usage(
        "unknown_word", "\(argument.name): \(quoted(word)) is not one of \(alternatives(argument.choices))", program,
        suggestions: Console.suggestions(for: word, among: argument.choices))
    }
  }
}
