/// Help screens, at most 80 columns wide.
extension Program {
  static let helpWidth = 80

  /// The help of a command, of a group of commands, or of the program where there are no words. Where a topic has the command's
  /// name, its text follows: how to ask, then what the answer means.
  public func help(for words: [String]) -> String {
    guard let found = commands(along: words), let command = found.last else {
      return overview(isWhole: essentials.isEmpty)
    }
    let path = ([name] + words).joined(separator: " ")
    let sections: [[String]] =
      [
        wrapped("\(path): \(command.purpose)", to: Self.helpWidth),
        section("USAGE", [usage(words, command)]),
        section("EXAMPLES", examples(command.examples)),
        command.discussion.isEmpty ? [] : wrappedParagraphs(command.discussion, to: Self.helpWidth),
        section("COMMANDS", list(command.subcommands.filter { !$0.isHidden }.map { ($0.name, $0.purpose) })),
        section("ARGUMENTS", list(command.arguments.map { ($0.name, $0.help + choices($0.choices)) })),
      ] + optionSections(command.options) + optionSections(options)
      + [
        command.run == nil ? [] : section("EXIT STATUS", exitLines(command)),
        seeAlso(words, command),
      ]
    return joined(sections + [topics.first { [$0.name] == words }.map(background) ?? []])
  }

  private func background(_ topic: Topic) -> [String] {
    ["BACKGROUND"] + wrappedParagraphs(topic.text(self), to: Self.helpWidth, indent: 2)
  }

  /// The text of a help topic; nil where there is none of this name.
  public func help(topic: String) -> String? {
    topics.first { $0.name == topic }.map { topic in
      joined([
        wrapped("\(name) help \(topic.name): \(topic.purpose)", to: Self.helpWidth),
        wrappedParagraphs(topic.text(self), to: Self.helpWidth),
      ])
    }
  }

  /// Every command with its purpose, and the options that all of them have.
  public var helpForAll: String { overview(isWhole: true) }

  private func overview(isWhole: Bool) -> String {
    let visible = commands.filter { !$0.isHidden }
    let head: [[String]] = [
      wrapped("\(name): \(purpose)", to: Self.helpWidth), section("USAGE", ["\(name) COMMAND [OPTIONS]"]),
      section("EXAMPLES", examples(self.examples)),
      wrappedParagraphs(discussion, to: Self.helpWidth).filter { !$0.isEmpty || !discussion.isEmpty },
    ]
    let topics = section("HELP TOPICS", list(topics.map { ("help " + $0.name, $0.purpose) }))
    let last = "Options of a command: \(name) help COMMAND. Version: \(name) --version"
    let deeper = ["Every command in a line, and options that all have: \(name) help all", last]
    return joined(
      head + (isWhole ? purposes(visible) + optionSections(options) : names(visible)) + [
        topics, isWhole ? [last] : deeper,
      ])
  }

  private func purposes(_ commands: [Command]) -> [[String]] {
    titles(commands).map { title in
      section(title, list(commands.filter { $0.group == title }.map { ($0.name, $0.purpose) }))
    }
  }

  /// Those to begin with, then the others by name alone.
  private func names(_ commands: [Command]) -> [[String]] {
    let first = essentials.compactMap { name in commands.first { $0.name == name } }
    let others = commands.filter { !essentials.contains($0.name) }
    let rows = titles(others).map { title in
      (name: title.lowercased(), text: others.filter { $0.group == title }.map(\.name).joined(separator: ", "))
    }
    return [section("BEGIN WITH", list(first.map { ($0.name, $0.purpose) })), section("OTHER COMMANDS", list(rows))]
  }

  private func titles(_ commands: [Command]) -> [String] {
    commands.map(\.group).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  private func joined(_ sections: [[String]]) -> String {
    sections.filter { !$0.isEmpty && $0 != [""] }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  private func section(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : [title] + lines.map { $0.isEmpty ? "" : "  " + $0 }
  }

  private func examples(_ examples: [Command.Example]) -> [String] {
    examples.flatMap { wrapped($0.purpose + ":", to: Self.helpWidth - 2) + shellLines($0.line, to: Self.helpWidth - 2) }
  }

  private func seeAlso(_ words: [String], _ command: Command) -> [String] {
    let others = command.seeAlso.map { "\(name) \($0)" }
    let deeper = command.subcommands.isEmpty ? [] : ["\(name) help \(words.joined(separator: " ")) COMMAND"]
    return section("SEE ALSO", wrapped((deeper + others).joined(separator: ", "), to: Self.helpWidth - 2))
  }

  private func exitLines(_ command: Command) -> [String] {
    let codes = [.done, .failed, .usage] + command.exits.sorted { $0.rawValue < $1.rawValue }
    return list(codes.map { (String($0.rawValue), $0.meaning) })
  }
}

/// The parts that help and the man page share.
extension Program {
  /// `uptake release publish RELEASE [OPTIONS]`.
  func usage(_ words: [String], _ command: Command) -> String {
    let arguments = command.arguments.map { argument in
      switch argument.arity {
      case .one: argument.name
      case .optional: "[\(argument.name)]"
      case .many: "[\(argument.name)…]"
      case .oneOrMore: "\(argument.name)…"
      }
    }
    return
      ([name] + words + (command.run != nil || command.subcommands.isEmpty ? [] : ["COMMAND"]) + arguments + [
        "[OPTIONS]"
      ])
      .joined(separator: " ")
  }

  func groups(_ options: [Option]) -> [(title: String, options: [Option])] {
    let visible = options.filter { !$0.isHidden }
    let titles = visible.map(\.group).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    return titles.map { title in (title, visible.filter { $0.group == title }) }
  }

  private func optionSections(_ options: [Option]) -> [[String]] {
    groups(options).map { section($0.title, list($0.options.map { ($0.spelling, $0.description) })) }
  }

  /// Two columns, the second wrapped; a long name stands on a line of its own.
  private func list(_ rows: [(name: String, text: String)]) -> [String] {
    let width = rows.map { displayWidth($0.name) }.filter { $0 <= 24 }.max() ?? 0
    let margin = String(repeating: " ", count: width + 2)
    return rows.flatMap { name, text -> [String] in
      let lines = wrapped(text, to: Self.helpWidth - 2 - width - 2).map { margin + $0 }
      guard displayWidth(name) <= width, let first = lines.first else { return [name] + lines }
      return [padded(name, to: width) + first.dropFirst(width)] + lines.dropFirst()
    }
  }
}

extension Option {
  /// `-o, --format FORMAT`.
  var spelling: String {
    (short.map { "-\($0), " } ?? "    ") + "--\(name)" + (takesValue ? " \(value)" : "")
  }

  /// The help with everything else that the row knows.
  var description: String {
    var sentences = [help]
    if case .choice(let words) = kind, value != words.joined(separator: "|") {
      sentences.append("One of: " + shown(words).joined(separator: ", "))
    }
    if arity == .repeated { sentences.append("May be repeated") }
    if arity == .list { sentences.append("Comma-separated") }
    if let fallbackWords { sentences.append("Default: \(fallbackWords)") }
    if let environment { sentences.append("Environment: \(environment)") }
    if let key { sentences.append("Configuration: \(key)") }
    return sentences.joined(separator: ". ")
  }
}

/// A command to copy, behind a prompt; a long one goes on behind a backslash, from an option to the next.
private func shellLines(_ line: String, to width: Int) -> [String] {
  var lines = [""]
  for part in line.split(separator: " -", omittingEmptySubsequences: false).enumerated() {
    let words = part.offset == 0 ? "  $ " + part.element : " -" + part.element
    let last = lines[lines.count - 1]
    if displayWidth(last + words) <= width - 2 || last.isEmpty {
      lines[lines.count - 1] = last + words
    } else {
      lines[lines.count - 1] = last + " \\"
      lines.append("     " + words)
    }
  }
  return lines
}

private func choices(_ words: [String]) -> String {
  words.isEmpty ? "" : ". One of: " + words.joined(separator: ", ")
}
