public import Console
internal import Lifecycle
public import Store

/// The audit as a table and as JSON.
public func auditPresentation(_ entries: [AuditEntry], notes: [String] = []) -> Presentation {
  Presentation(
    table: Table(
      [
        .init("AT", key: "at"), .init("WHO", key: "who"), .init("ACT", key: "act"),
        .init("APP", key: "app", isOptional: true), .init("WHAT", key: "what", least: 24).wrapping,
      ], rows: entries.map(\.cells)),
    document: ["schema": "uptake.audit/1", "data": .array(entries.map(\.json))], notes: notes)
}

extension AuditEntry {
  fileprivate var cells: [Cell] {
    [
      .instant(Instant(rawValue: at.rawValue)), .text(author.words), .text(act),
      app.map(Cell.text) ?? .missing(because: "the whole service"),
      .text(facts.map { "\($0.name) \($0.value.words)" }.joined(separator: ", ")),
    ]
  }

  fileprivate var json: JSON {
    var (key, user) = (JSON.null, JSON.null)
    switch author {
    case .key(let number): key = .integer(Int(number))
    case .user(let name): user = .string(name)
    case .anybodyHere: break
    }
    return [
      "id": .integer(Int(id)), "at": .string(at.rfc3339), "act": .string(act), "app": app.map(JSON.string) ?? .null,
      "key": key, "user": user,
      "facts": .object(.init(facts.map { ($0.name, $0.value.json) }) { $1 }),
    ]
  }
}

extension Author {
  fileprivate var words: String {
    switch self {
    case .key(let number): "key \(number)"
    case .user(let name): "user \(name)"
    case .anybodyHere: "this machine, before the first key"
    }
  }
}

extension AuditEntry.Fact.Value {
  fileprivate var words: String {
    switch self {
    case .text(let text): text
    case .number(let number): "\(number)"
    }
  }

  fileprivate var json: JSON {
    switch self {
    case .text(let text): .string(text)
    case .number(let number): .integer(Int(number))
    }
  }
}
