internal import Console

extension Command {
  static let reference = Command(
    "__reference", purpose: "Print docs/cli.md: every command, option and JSON field",
    examples: [.init("Write the page anew", "uptake __reference > docs/cli.md")], isHidden: true
  ) { invocation in
    try invocation.print(invocation.program.reference(fields: answerSchemas))
    return .done
  }
}

extension Program {
  /// The page about the command line, in Markdown, from the table of commands and the forms of the answers.
  fileprivate func reference(fields schemas: [AnswerSchema]) -> String {
    let visible = leaves.filter { !$0.command.isHidden }
    let answers = schemas.map { "### \($0.question) rows\n\n" + fieldTable($0.row) }
    let parts = Part.allCases.map { "### \($0.rawValue)\n\n\($0.purpose).\n\n" + fieldTable($0.fields) }
    let sections: [String] = [
      "# The command line", "`uptake`: \(purpose). This page is written by `uptake __reference` and tested against it.",
      "| command | what it does |\n|---|---|\n" + visible.map(indexRow).joined(separator: "\n"),
      "## Options of every command", optionTable(options),
      "## Commands",
    ]
    let json = [
      "## JSON",
      "Every question answers with one document, also without rows; `uptake schema QUESTION` prints its JSON Schema, and"
        + " [schema](schema/) holds them all. Times are seconds or RFC 3339 in UTC, shares 0 to 1. Every field is in every"
        + " answer: null is what cannot be known.",
      fieldTable(schemas.first?.fields.filter { $0.name != "data" && $0.name != "query" } ?? []),
      "### query", queryTable(schemas), "What stands in `data`:",
    ]
    return (sections + visible.map(section) + json + answers + ["## Parts of answers"] + parts).joined(
      separator: "\n\n")
      + "\n"
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
    if let fallback { sentences.append("Default `\(fallback)`") }
    return sentences.joined(separator: ". ")
  }
}

/// All fields of all answers' `query`, once.
private func queryTable(_ schemas: [AnswerSchema]) -> String {
  fieldTable(
    schemas.flatMap(\.query).reduce(into: []) { known, field in
      if !known.contains(where: { $0.name == field.name }) { known.append(field) }
    })
}

private func fieldTable(_ fields: [Field]) -> String {
  "| field | form | meaning |\n|---|---|---|\n" + fields.flatMap { rows($0, path: "") }.joined(separator: "\n")
}

/// The field, and below it those inside.
private func rows(_ field: Field, path: String) -> [String] {
  let (name, inner, suffix) = (path + field.name, field.shape.inner, field.shape.isList ? "[]" : "")
  return ["| `\(name)\(suffix)` | \(field.shape.words) | \(field.help) |"]
    + inner.flatMap { rows($0, path: name + suffix + ".") }
}

extension Shape {
  /// The members of the object it is, or that its elements are; shared parts have a table of their own.
  fileprivate var inner: [Field] {
    switch self {
    case .object(let fields): fields
    case .list(let shape), .nullable(let shape): shape.inner
    case .integer, .number, .text, .flag, .instant, .word, .map, .names, .part: []
    }
  }

  fileprivate var isList: Bool { if case .list = self { true } else { false } }

  fileprivate var words: String {
    switch self {
    case .integer: "integer"
    case .number: "number"
    case .text: "string"
    case .flag: "boolean"
    case .instant: "instant"
    case .word(let words): words.count == 1 ? "`\(words[0])`" : "word"
    case .list(let element): "list of " + element.words
    case .map(let value): "object of " + value.words
    case .object: "object"
    case .nullable(let shape): shape.words + " or null"
    case .names: "string, list or null"
    case .part(let part): "[\(part.rawValue)](#\(anchor(part.rawValue)))"
    }
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
