extension Program {
  /// What can stand in place of the last of these words: the answer to a completion script.
  ///
  /// The first line says what follows: `:words` (each a line, with a tab and a description), or that the shell's own
  /// `:files` or `:directories` fit. Wrong words before the last are passed over; nothing here is an error.
  public func completions(for words: [String], _ host: Host) -> String {
    let current = words.last ?? ""
    let before = CommandWords(lenient: words.dropLast(), of: self)
    let (prefix, source) = source(current, before)
    let typed = String(current.dropFirst(prefix.count))
    switch source {
    case .system(let directive): return ":" + directive + "\n"
    case .words(let found):
      let fitting = found.filter { $0.word.hasPrefix(typed) }
      return ":words\n" + fitting.map { "\(prefix)\($0.word)\t\($0.help)\n" }.joined()
    case .program(let name, let also):
      let found = (try? candidates(name, Invocation(lenient: before, self, host))) ?? []
      // A shell takes what is offered as if it were typed: only what needs no quotation marks is.
      let fitting = found.filter { $0.hasPrefix(typed) && isPlainShellWord($0) && !$0.hasPrefix("-") }
      let known = also.filter { $0.word.hasPrefix(typed) }.map { "\(prefix)\($0.word)\t\($0.help)\n" }
      return ":words\n" + (known + fitting.map { "\(prefix)\($0)\t\n" }).joined()
    }
  }

  private enum Source {
    case words([(word: String, help: String)])
    /// `files` or `directories`.
    case system(String)
    /// A name that `candidates` knows, and words that fit as well.
    case program(String, also: [(word: String, help: String)] = [])
  }

  /// What fits, and the part of the current word before it, such as `--format=`.
  private func source(_ current: String, _ before: CommandWords) -> (prefix: String, source: Source) {
    if let option = before.awaiting { return (listPrefix(current, option), source(option)) }
    if before.onlyArguments || !current.hasPrefix("-") || current == "-" && before.command == nil {
      return ("", argumentSource(before))
    }
    if current.hasPrefix("--"), let equals = current.firstIndex(of: "=") {
      let name = current[..<equals].dropFirst(2)
      guard let option = before.known(self).first(where: { $0.name == name && $0.takesValue }) else {
        return ("", .words([]))
      }
      let value = String(current[current.index(after: equals)...])
      return (current[...equals] + listPrefix(value, option), source(option))
    }
    let given = before.options.filter { $0.option.arity == .once }.map(\.option.name)
    let options = before.known(self).filter { !$0.isHidden && !given.contains($0.name) }
    let version = before.command == nil ? [(word: "--version", help: "Print the version")] : []
    return ("", .words(options.map { ("--" + $0.name, $0.help) } + version))
  }

  /// Values of a list are completed one by one: `a,b` keeps `a,`.
  private func listPrefix(_ value: String, _ option: Option) -> String {
    guard option.arity == .list, let comma = value.lastIndex(of: ",") else { return "" }
    return String(value[...comma])
  }

  private func source(_ option: Option) -> Source {
    if case .choice(let words) = option.kind { return .words(words.map { ($0, "") }) }
    return source(named: option.completion ?? (option.kind == .path ? "files" : nil))
  }

  private func argumentSource(_ before: CommandWords) -> Source {
    let level = (before.command?.subcommands ?? commands).filter { !$0.isHidden }.map { ($0.name, $0.purpose) }
    if before.command?.run == nil, !level.isEmpty { return .words(level) }
    if !level.isEmpty, before.arguments.isEmpty, !before.onlyArguments {
      return before.command?.arguments.first?.completion.map { .program($0, also: level) } ?? .words(level)
    }
    guard let command = before.command, !command.arguments.isEmpty else { return .words([]) }
    let isOpen = command.arguments.last.map { $0.arity == .many || $0.arity == .oneOrMore } ?? false
    guard before.arguments.count < command.arguments.count || isOpen else { return .words([]) }
    let argument = command.arguments[min(before.arguments.count, command.arguments.count - 1)]
    return argument.choices.isEmpty ? source(named: argument.completion) : .words(argument.choices.map { ($0, "") })
  }

  private func source(named name: String?) -> Source {
    switch name {
    case nil: .words([])
    case let name? where name == "files" || name == "directories": .system(name)
    case let name?: .program(name)
    }
  }
}
