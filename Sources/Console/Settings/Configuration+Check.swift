public import Lifecycle

extension Configuration {
  /// Everything that is wrong in the files: unknown keys and tables, values of the wrong kind.
  public func problems(_ program: Program, now: Instant) -> [Failure] {
    guard !files.isEmpty else { return [] }
    let known = KnownKeys(program)
    return files.flatMap { file in
      var found: [Failure] = []
      // A heading that is of the other kind is told once, not for each of its keys.
      for problem in file.entries.compactMap({ problem($0, file, known, now) }) where !found.contains(problem) {
        found.append(problem)
      }
      return found + unknownTables(file, known)
    }
  }

  private func problem(_ entry: TOMLFile.Entry, _ file: TOMLFile, _ known: KnownKeys, _ now: Instant) -> Failure? {
    let place = "\(file.path):\(entry.line)"
    guard let found = known.keys.first(where: { $0.key == entry.key && $0.isElement == (entry.element != nil) }) else {
      if let other = known.keys.first(where: { $0.key == entry.key }) { return misheaded(other, entry, file) }
      let near = suggestions(for: entry.key, among: known.keys.map(\.key))
      return Failure(
        "unknown_key", "unknown key \(quoted(entry.key))", place: place, suggestions: near,
        hints: near.isEmpty ? ["list the keys with: \(known.program) config show"] : [], exit: .usage)
    }
    if case .array = entry.value, !found.isList {
      return Failure("bad_value", "\(entry.key) takes one value, not an array", place: place, exit: .usage)
    }
    for text in entry.value.texts {
      do throws(Misreading) { _ = try found.kind.value(text, now: now) } catch {
        return unreadable(text, entry.key, error, place: place, isSecret: found.isSecret)
      }
    }
    return nil
  }

  /// `[export]` where there may be several, or `[[output]]` where there is one.
  private func misheaded(_ known: KnownKeys.Known, _ entry: TOMLFile.Entry, _ file: TOMLFile) -> Failure {
    let table = known.key.lastIndex(of: ".").map { String(known.key[..<$0]) } ?? known.key
    let line = entry.element.flatMap { file.elements[table]?[$0] } ?? file.tables[table] ?? entry.line
    let (wrong, right) = known.isElement ? ("[\(table)]", "[[\(table)]]") : ("[[\(table)]]", "[\(table)]")
    return Failure(
      "unknown_key", known.isElement ? "there may be several of \(wrong)" : "there is only one of \(wrong)",
      place: "\(file.path):\(line)", hints: ["write the heading \(right)"], exit: .usage)
  }

  private func unknownTables(_ file: TOMLFile, _ known: KnownKeys) -> [Failure] {
    let tables = Set(known.keys.compactMap { $0.key.lastIndex(of: ".").map($0.key.prefix(upTo:)) }.map(String.init))
    let headings = file.tables.map { ($0.key, $0.value) } + file.elements.map { ($0.key, $0.value.first ?? 0) }
    let used = Set(file.entries.map(\.key))
    return headings.sorted { $0.1 < $1.1 }.compactMap { name, line in
      guard !tables.contains(name), !used.contains(where: { $0.hasPrefix(name + ".") }) else { return nil }
      return Failure(
        "unknown_key", "unknown table [\(name)]", place: "\(file.path):\(line)",
        suggestions: suggestions(for: name, among: tables.sorted()), exit: .usage)
    }
  }
}

/// Every key that a file may hold, read off the program's options and tables once.
private struct KnownKeys {
  struct Known { let key: String, kind: Option.Kind, isList: Bool, isElement: Bool, isSecret: Bool }

  let program: String
  let keys: [Known]

  init(_ program: Program) {
    self.program = program.name
    keys = Self.options(program) + Self.tables(program)
  }

  private static func options(_ program: Program) -> [Known] {
    program.allOptions.compactMap { option in
      option.key.map {
        Known(key: $0, kind: option.kind, isList: option.arity != .once, isElement: false, isSecret: option.isSecret)
      }
    }
  }

  private static func tables(_ program: Program) -> [Known] {
    program.tables.flatMap { table in
      table.keys.map {
        Known(
          key: "\(table.name).\($0.name)", kind: $0.kind, isList: false, isElement: table.repeats, isSecret: $0.isSecret
        )
      }
    }
  }
}

/// A text that is no value of its option; a secret is not repeated.
func unreadable(_ text: String, _ name: String, _ error: Misreading, place: String, isSecret: Bool) -> Failure {
  let shown = isSecret ? "the value" : quoted(text)
  let what = place == name ? "\(shown) \(error.problem)" : "\(name): \(shown) \(error.problem)"
  return Failure(
    "bad_value", what, place: place, suggestions: error.suggestions, hints: error.hints, exit: .usage)
}
