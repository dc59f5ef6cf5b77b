internal import Answers
internal import Console

extension Command {
  static let reference = Command(
    "__reference", purpose: "Print docs/cli.md: every command, option and JSON field",
    examples: [.init("Write the page anew", "uptake __reference > docs/cli.md")], isHidden: true
  ) { invocation in
    try invocation.print(invocation.program.reference)
    return .done
  }
}

extension Program {
  /// The page about the command line, in Markdown, from the table of commands and the forms of the answers.
  fileprivate var reference: String {
    let visible = leaves.filter { !$0.command.isHidden }
    let sections: [String] = [
      "# The command line", "`uptake`: \(purpose). This page is written by `uptake __reference` and tested against it.",
      "| command | what it does |\n|---|---|\n" + visible.map(indexRow).joined(separator: "\n"),
      "## Options of every command", optionTable(options),
      "## Commands",
    ]
    return (sections + visible.map(section) + answersReference()).joined(separator: "\n\n") + "\n"
  }

  private func indexRow(_ leaf: (words: [String], command: Command)) -> String {
    let name = leaf.words.joined(separator: " ")
    return "| [`\(name)`](#\(anchor(name))) | \(leaf.command.purpose) |"
  }

  private func section(_ leaf: (words: [String], command: Command)) -> String {
    let (words, command) = leaf
    let arguments = command.arguments.map { "* `\($0.name)`: \($0.help)" }.joined(separator: "\n")
    let examples = command.examples.map { "# \($0.purpose)\n\($0.line)" }.joined(separator: "\n")
    let parts = [
      "### \(words.joined(separator: " "))", command.purpose + ". " + command.discussion, arguments,
      "```\n\(examples)\n```", optionTable(command.options.filter { !$0.isHidden }),
    ]
    return parts.map { $0.trimmed }.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private func optionTable(_ options: [Option]) -> String {
    guard !options.isEmpty else { return "" }
    let rows = options.map { option in
      let value = option.takesValue ? " \(option.value)" : ""
      return "| `--\(option.name)\(value)` | \(option.meaning) |"
    }
    return "| option | meaning |\n|---|---|\n" + rows.map(escaped).joined(separator: "\n")
  }
}

extension Option {
  fileprivate var meaning: String {
    var sentences = [help]
    if case .choice(let words) = kind { sentences.append("One of " + words.joined(separator: ", ")) }
    if let fallbackWords { sentences.append("Default `\(fallbackWords)`") }
    return sentences.joined(separator: ". ")
  }
}

private func anchor(_ heading: String) -> String {
  String(heading.lowercased().map { $0 == " " ? "-" : $0 })
}

/// A row whose cells hold no further bars.
private func escaped(_ row: String) -> String {
  guard row.count > 4 else { return row }
  let cells = row.dropFirst(2).dropLast(2).split(separator: " | ").map { $0.replacing("|", with: "\\|") }
  return "| " + cells.joined(separator: " | ") + " |"
}

extension String {
  fileprivate var trimmed: String {
    var text = self[...]
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
