/// The manual page, in mdoc.
extension Program {
  /// One page for the program and all of its commands; clean under `mandoc -T lint -W warning`.
  public var manualPage: String {
    let visible = leaves.filter { !$0.command.isHidden }
    let lines =
      [
        ".Dd \(manualDate)", ".Dt \(name.uppercased()) 1", ".Os",
        ".Sh NAME", ".Nm \(name)", ".Nd \(roff(purpose))",
        ".Sh SYNOPSIS", ".Nm", ".Ar command", ".Op Ar options",
        ".Sh DESCRIPTION",
      ] + paragraphs(discussion.isEmpty ? purpose.prefix(1).uppercased() + purpose.dropFirst() + "." : discussion)
      + [".Sh COMMANDS"] + visible.flatMap { manual($0.words, $0.command) }
      + [".Sh GLOBAL OPTIONS"] + optionList(options)
      + topics.flatMap { [".Sh " + $0.name.uppercased()] + paragraphs($0.text(self)) }
      + [".Sh EXIT STATUS"] + [".Bl -tag -width 4n"]
      + ExitCode.allCases.flatMap { [".It \($0.rawValue)", roff($0.meaning)] }
      + [".El", ".Sh EXAMPLES"] + exampleLines(examples)
    return lines.map { $0 + "\n" }.joined()
  }

  private var manualDate: String {
    let months = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
      "December",
    ]
    let parts = date.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3, months.indices.contains(parts[1] - 1) else { return date }
    return "\(months[parts[1] - 1]) \(parts[2]), \(parts[0])"
  }

  private func manual(_ words: [String], _ command: Command) -> [String] {
    let arguments = command.arguments.flatMap { [".It Ar \(roff($0.name))"] + sentences($0.help) }
    return [".Ss " + roff(usage(words, command))] + paragraphs(command.purpose + ".\n\n" + command.discussion)
      + (arguments.isEmpty ? [] : [".Bl -tag -width Ds"] + arguments + [".El"]) + optionList(command.options)
      + exampleLines(command.examples)
  }

  private func optionList(_ options: [Option]) -> [String] {
    let visible = options.filter { !$0.isHidden }
    guard !visible.isEmpty else { return [] }
    let items = visible.flatMap { option in
      let short = option.short.map { "Fl \($0) , " } ?? ""
      let value = option.takesValue ? " Ar " + roff(option.value) : ""
      return [".It \(short)Fl -\(option.name)\(value)"] + sentences(option.description)
    }
    return [".Bl -tag -width Ds"] + items + [".El"]
  }

  private func exampleLines(_ examples: [Command.Example]) -> [String] {
    guard !examples.isEmpty else { return [] }
    let items: [String] = examples.flatMap { [".It \(roff($0.purpose)):", ".Li \(roff($0.line))"] }
    return [".Bl -tag -width Ds"] + items + [".El"]
  }
}

/// Text as mdoc: paragraphs, and displays where lines begin with a space.
private func paragraphs(_ text: String) -> [String] {
  let blocks = text.split(separator: "\n", omittingEmptySubsequences: false).split(separator: "")
  return blocks.enumerated().flatMap { index, lines -> [String] in
    let isDisplay = lines.contains { $0.hasPrefix("  ") }
    let gap = index == 0 || isDisplay ? [] : [".Pp"]
    guard isDisplay else { return gap + sentences(lines.joined(separator: " ")) }
    return [".Bd -literal -offset indent"] + lines.map { roff($0) } + [".Ed"]
  }
}

/// Each sentence on lines of its own, as mdoc wants it.
private func sentences(_ text: String) -> [String] {
  var (lines, sentence): ([String], [Substring]) = ([], [])
  for word in text.split(separator: " ") {
    sentence.append(word)
    guard let last = word.last, ".!?".contains(last) else { continue }
    lines += wrapped(sentence.joined(separator: " "), to: 76)
    sentence = []
  }
  lines += wrapped(sentence.joined(separator: " "), to: 76)
  return lines.map { roff($0) }
}

/// Text that roff prints as it is.
private func roff(_ text: some StringProtocol) -> String {
  let escaped = text.reduce(into: "") { $0 += $1 == "\\" ? "\\e" : String($1) }
  return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
}
