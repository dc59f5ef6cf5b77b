internal import Console

extension Command {
  static let settingsReference = Command(
    "__settings", purpose: "Print docs/configuration.md: every setting and every variable",
    examples: [.init("Write the page anew", "uptake __settings > docs/configuration.md")], isHidden: true
  ) { invocation in
    try invocation.print(invocation.program.settingsReference)
    return .done
  }
}

extension Program {
  /// The page about settings, in Markdown, from the table of commands.
  fileprivate var settingsReference: String {
    let keyed = (leaves.flatMap(\.command.options) + options).filter { $0.key != nil && !$0.isHidden }.sorted {
      ($0.key ?? "") < ($1.key ?? "")
    }
    let settings = keyed.reduce(into: [[Option]]()) { groups, option in
      if groups.last?.first?.key == option.key {
        groups[groups.count - 1].append(option)
      } else {
        groups.append([option])
      }
    }
    let sections: [String] =
      [
        "# Configuration", introduction, "## Keys",
        settingsTable("key | option | what it sets", settings.map(settingsRow)),
      ] + tables.flatMap(tableSection) + ["## Variables", variables]
    return sections.joined(separator: "\n\n") + "\n"
  }

  private var introduction: String {
    """
    Nothing has to be set: `uptake serve` and `uptake status` find each other by their defaults. What is to be otherwise comes from the
    first of these that says something:

    1. the option on the command line;
    2. its environment variable;
    3. `./uptake.toml`;
    4. `$XDG_CONFIG_HOME/uptake/config.toml`, which is `~/.config/uptake/config.toml` for most;
    5. `/etc/uptake/config.toml`, which the Debian package has;
    6. its default.

    `--config FILE` or `UPTAKE_CONFIG` names one file that is read in the place of all three. To begin one, to check it, and to see what holds and why:

    ```sh
    uptake config example > uptake.toml
    uptake config check
    uptake config show --origin
    ```

    `--verbose` says on standard error by which files and settings one command goes, what it opened, and what time and memory it took.

    A key that nobody knows and a value of another kind are errors, with file and line, and so is a secret: those come from files of their own or from
    variables. This page is written by `uptake __settings` and tested against it.
    """
  }

  /// - Parameter options: of several commands, with one key; the first one's words hold for all.
  private func settingsRow(_ options: [Option]) -> String {
    let option = options[0]
    let fallbacks = options.compactMap(\.fallbackWords).reduce(into: [String]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    var sentences = [option.help]
    if case .choice(let words) = option.kind { sentences.append("One of `" + words.joined(separator: "`, `") + "`") }
    if option.arity != .once { sentences.append("A list") }
    if !fallbacks.isEmpty {
      sentences.append("Default " + fallbacks.map { "`\($0)`" }.joined(separator: " or, by command, "))
    }
    if let environment = option.environment { sentences.append("Variable `\(environment)`") }
    return "| `\(option.key ?? option.name)` | `--\(option.name)` | \(cell(sentences.joined(separator: ". "))) |"
  }

  /// A table that no option reads.
  private func tableSection(_ table: FileTable) -> [String] {
    let name = table.repeats ? "[[\(table.name)]]" : "[\(table.name)]"
    let rows = table.keys.map { "| `\(table.name).\($0.name)` | \(cell($0.help)) |" }
    let note = table.repeats ? "Once for each; keys stand below its heading: `\(name)`." : "Keys stand below `\(name)`."
    return ["## \(name)", note, settingsTable("key | what it sets", rows)]
  }

  private var variables: String {
    let known = allOptions.filter { !$0.isHidden }.compactMap { option in option.environment.map { ($0, option) } }
    let rows = known.sorted { $0.0 < $1.0 }.map { name, option in
      "| `\(name)` | `--\(option.name)` | \(cell(option.help)) |"
    }
    return settingsTable("variable | option | what it sets", rows) + """


      `UPTAKE_WAREHOUSE_PASSWORD` is the password of the warehouse that `--db` or `--ship` names, `UPTAKE_WAREHOUSE_TRUST` a file (PEM) of
      certificates to trust there where the system does not know its authority. `NO_COLOR`, `CLICOLOR`, `COLUMNS`, the locale and the folders of XDG are read as other
      programs read them: `uptake help environment`.
      """
  }
}

private func settingsTable(_ heading: String, _ rows: [String]) -> String {
  let columns = heading.split(separator: "|").count
  return (["| \(heading) |", "|" + String(repeating: "---|", count: columns)] + rows).joined(separator: "\n")
}

/// A cell holds no bars.
private func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
