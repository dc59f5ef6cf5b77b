/// What `docs/cli.md` says of the JSON of all answers, in Markdown.
public func answersReference() -> [String] {
  let schemas = questions.map(\.schema)
  return [
    "## JSON",
    "Every question answers with one document, also without rows; `uptake schema QUESTION` prints its JSON Schema, and"
      + " [schema](schema/) holds them all. Times are seconds or RFC 3339 in UTC, shares 0 to 1. Every field is in every"
      + " answer: null is what cannot be known. What its words mean is in [words](words.md#in-answers).",
    fieldTable(schemas.first?.members.filter { $0.name != "data" && $0.name != "query" } ?? []),
    "### query", queryTable(schemas), "What stands in `data`:",
  ] + schemas.map { "### \($0.question) rows\n\n" + fieldTable($0.row) } + [
    "### withheld rows",
    "Groups of fewer devices than `--min-cell` are named and not counted, behind the rows of any question with `--by`.",
    fieldTable(.withheld), "## Parts of answers",
  ]
    + sharedParts.map { "### \($0.name)\n\n\($0.purpose).\n\n" + fieldTable($0.members) }
}

/// All fields of all answers' `query`, once.
private func queryTable(_ schemas: [AnswerSchema]) -> String {
  fieldTable(
    schemas.flatMap(\.query).reduce(into: []) { known, field in
      if !known.contains(where: { $0.name == field.name }) { known.append(field) }
    })
}

private func fieldTable(_ fields: [Member]) -> String {
  "| field | form | meaning |\n|---|---|---|\n" + fields.flatMap { rows($0, path: "") }.joined(separator: "\n")
}

/// The field, and below it those inside.
private func rows(_ field: Member, path: String) -> [String] {
  let (name, inner, suffix) = (path + field.name, field.shape.inner, field.shape.isList ? "[]" : "")
  return ["| `\(name)\(suffix)` | \(field.shape.words) | \(field.help) |"]
    + inner.flatMap { rows($0, path: name + suffix + ".") }
}

extension Shape {
  /// The members of the object it is, or that its elements are; shared parts have a table of their own.
  fileprivate var inner: [Member] {
    switch self {
    case .object(let members): members
    case .list(let shape), .nullable(let shape): shape.inner
    case .integer, .number, .text, .flag, .instant, .word, .map, .names, .part: []
    }
  }

  fileprivate var isList: Bool {
    switch self {
    case .list: true
    case .nullable(let shape): shape.isList
    case .integer, .number, .text, .flag, .instant, .word, .map, .object, .names, .part: false
    }
  }

  fileprivate var words: String {
    switch self {
    case .integer: "integer"
    case .number: "number"
    case .text: "string"
    case .flag: "boolean"
    case .instant: "instant"
    case .word(let words): words.map { "`\($0)`" }.joined(separator: ", ")
    case .list(let element): "list of " + element.words
    case .map(let value): "object of " + value.words
    case .object: "object"
    case .nullable(let shape): shape.words + " or null"
    case .names: "string, list or null"
    case .part(let name, _): "[\(name)](#\(name.lowercased()))"
    }
  }
}
