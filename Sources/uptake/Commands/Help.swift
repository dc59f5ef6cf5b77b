internal import Console

extension Command {
  static let help = Command(
    "help", group: "ABOUT", purpose: "Explain a command or a topic",
    arguments: [.init("WORD", .many, completion: "commands", help: "A command such as: config show, a topic, or all")],
    examples: [
      .init("Explain a command", "uptake help config show"),
      .init("List every command", "uptake help all"),
      .init("Explain the words of an answer", "uptake help definitions"),
      .init("Explain the exit codes", "uptake help exit-codes"),
    ],
    seeAlso: topics.map { "help " + $0.name }
  ) { invocation in
    let (words, program) = (invocation.arguments, invocation.program)
    guard words != ["all"] else {
      try invocation.print(program.helpForAll)
      return .done
    }
    let isCommand = program.commands(along: words) != nil
    guard let text = isCommand ? program.help(for: words) : program.help(topic: words.joined(separator: " ")) else {
      throw unknownWord(words, program)
    }
    try invocation.print(text)
    return .done
  }
}

private func unknownWord(_ words: [String], _ program: Program) -> Failure {
  let text = words.joined(separator: " ")
  let known = program.leaves.map { $0.words.joined(separator: " ") } + program.topics.map(\.name)
  return Failure(
    "unknown_word", "there is no command or topic \(quoted(text))",
    suggestions: suggestions(for: text, among: known).map { "\(program.name) help \($0)" },
    hints: ["list them with: \(program.name) help"], exit: .usage)
}
