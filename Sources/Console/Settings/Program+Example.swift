extension Program {
  /// A configuration file that sets nothing: every key behind `#`, below what it does, with its default as the value. A key without
  /// one has the placeholder of its help, which is no value, and says so.
  public var exampleConfiguration: String {
    let keyed = allOptions.filter { $0.key != nil && !$0.isHidden }.sorted { ($0.key ?? "") < ($1.key ?? "") }
    let options = keyed.reduce(into: [Option]()) { if $0.last?.key != $1.key { $0.append($1) } }
    let headings = options.compactMap(\.table).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
    let blocks =
      [
        commented(
          "Settings of \(name). Options and environment variables go before them; \(name) config check reads them.")
      ]
      + options.filter { $0.table == nil }.map(example)
      + headings.flatMap { heading in ["[\(heading)]"] + options.filter { $0.table == heading }.map(example) }
      + tables.map(example)
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private func example(_ option: Option) -> String {
    var sentences = [option.help]
    if case .choice(let words) = option.kind { sentences.append("One of: " + words.joined(separator: ", ")) }
    if option.arity != .once { sentences.append("Several: [\"…\", \"…\"]") }
    if let fallback = option.fallbackWords { sentences.append("Default: \(fallback)") }
    if let environment = option.environment { sentences.append("Environment: \(environment)") }
    let name = option.key?.split(separator: ".").last.map(String.init) ?? option.name
    return commented(sentences.joined(separator: ". "))
      + "\n#\(name) = \(option.kind.toml(option.fallback, else: option.value))"
  }

  private func example(_ table: FileTable) -> String {
    let keys = table.keys.map { commented($0.help) + "\n#\($0.name) = \($0.kind.toml(nil, else: $0.kind.placeholder))" }
    return ([table.repeats ? "#[[\(table.name)]]" : "#[\(table.name)]"] + keys).joined(separator: "\n")
  }

  private func commented(_ text: String) -> String {
    wrapped(text, to: Self.helpWidth - 2).map { "# " + $0 }.joined(separator: "\n")
  }
}

extension Option {
  /// The table of the file in which its key stands; nil for a key at the top.
  fileprivate var table: String? { key.flatMap { key in key.lastIndex(of: ".").map { String(key[..<$0]) } } }
}

extension Option.Kind {
  fileprivate func toml(_ value: String?, else placeholder: String) -> String {
    switch self {
    case .flag: value ?? "false"
    case .integer, .number: value ?? "\"\(placeholder)\""
    case .text, .share, .duration, .instant, .size, .path, .choice: "\"\(value ?? placeholder)\""
    }
  }
}
