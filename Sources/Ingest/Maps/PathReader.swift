/// Reads the text of a `MapPath`.
struct PathReader {
  private let text: String
  private var rest: Substring

  init(_ text: String) {
    self.text = text
    rest = text[...]
  }

  mutating func read() throws(MapSyntaxError) -> [MapPath.Step] {
    var steps = [try member()]
    while let next = rest.popFirst() {
      switch next {
      case ".": steps.append(try member())
      case "[": steps.append(try element())
      case "?":
        guard !rest.isEmpty else { throw failure("names no parameter behind ?") }
        steps.append(.query(String(rest)))
        rest = ""
      default: throw failure("goes on with \"\(next)\" where . [ or ? is expected")
      }
    }
    return steps
  }

  private mutating func member() throws(MapSyntaxError) -> MapPath.Step {
    if rest.first == "\"" { return .member(try quoted()) }
    let name = take { !".[]?\"".contains($0) }
    guard !name.isEmpty else { throw failure("has an empty name") }
    return name == "*" ? .anyMember : .member(name)
  }

  /// Behind the bracket: `0]`, `key=version]` or `key="a]b"]`.
  private mutating func element() throws(MapSyntaxError) -> MapPath.Step {
    let name = take { $0 != "]" && $0 != "=" }
    if rest.first == "]" {
      rest.removeFirst()
      guard let index = Int(name), index >= 0 else { throw failure("has [\(name)], which is no number") }
      return .index(index)
    }
    guard rest.popFirst() == "=", !name.isEmpty else { throw failure("has a [ that is not closed") }
    let value = rest.first == "\"" ? try quoted() : take { $0 != "]" }
    guard rest.popFirst() == "]" else { throw failure("has a [ that is not closed") }
    return .element(name, value)
  }

  private mutating func quoted() throws(MapSyntaxError) -> String {
    rest.removeFirst()
    let name = take { $0 != "\"" }
    guard rest.popFirst() != nil, !name.isEmpty else { throw failure("has a \" that is not closed") }
    return name
  }

  private mutating func take(while condition: (Character) -> Bool) -> String {
    let taken = rest.prefix(while: condition)
    rest = rest[taken.endIndex...]
    return String(taken)
  }

  private func failure(_ what: String) -> MapSyntaxError {
    MapSyntaxError(
      "the path \(quotedWord(text)) \(what)",
      hint: "paths look like a.b, a[0], a[key=version].value, a.*, request?version; put odd names in \"…\"")
  }
}

/// For messages about maps.
func quotedWord(_ word: String) -> String { withText(word) { quoted($0) } }
