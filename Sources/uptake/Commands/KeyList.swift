internal import Answers
internal import Console
internal import Lifecycle
internal import Store

extension Command {
  static let keyList = Command(
    "list", purpose: "List keys and when they were last used, never the keys themselves",
    discussion: """
      LAST USED is the hour in which uptake serve last accepted the key, for whatever it may do; a refused request is no use. \
      Of a key that is older than these notes and was not used since it is not known. Each file has notes of its own service.
      """,
    options: [.database, .app] + Option.answer, examples: [.init("All of them", "uptake key list")],
    exits: [.databaseUnusable], seeAlso: ["key create", "key revoke"]
  ) { invocation in
    let path = try invocation.keyedDatabasePath()
    let registry = try Registry(path: path)
    // A key of the whole service has no app, and is one for every app.
    let all = try registry.keys()
    let keys = all.filter { $0.app.isEmpty || invocation.text(.app) == nil || $0.app == invocation.text(.app) }
    let uses = try registry.keyUses()
    let isNode = try !ShippingBinding.all(path: path).isEmpty
    try invocation.show(
      Presentation(
        table: Table(columns, rows: keys.map { $0.cells(uses.last(of: $0)) }),
        document: [
          "schema": "uptake.key-list/1", "usesKnownSince": uses.since.map { JSON.string($0.rfc3339) } ?? .null,
          "data": .array(keys.map { $0.json(uses.last(of: $0)) }),
        ], notes: keys.isEmpty ? [noKey(among: all)] : uses.notes(isNode: isNode)))
    return .done
  }
}

/// An app that is none of those that have keys may be a slip.
private func noKey(among all: [AccessKey]) -> String {
  let apps = Set(all.map(\.app)).sorted()
  if apps.isEmpty { return "there is no key here: uptake key create makes one" }
  return "no key is for that app: keys here are for \(apps.joined(separator: ", "))"
}

private let columns: [Table.Column] = [
  .init("ID", key: "id"), .init("APP", key: "app"), .init("SCOPE", key: "scope"),
  .init("FOR", key: "for", isOptional: true), .init("CHANNEL", key: "channel", isOptional: true),
  .init("PLATFORM", key: "platform", isOptional: true), .init("NOTE", key: "note"),
  .init("CREATED", key: "createdAt", isOptional: true), .init("REVOKED", key: "revokedAt"),
  .init("LAST USED", key: "lastUsed"),
]

extension AccessKey {
  fileprivate func cells(_ use: KeyUses.LastUse) -> [Cell] {
    [
      .count(Int(id)), .text(app), .text(scope.rawValue), dialect.map(Cell.text) ?? .missing(because: "any client"),
      channel.map(Cell.text) ?? .missing(because: "as clients say"),
      platform.map(Cell.text) ?? .missing(because: "as clients say"),
      note.map(Cell.text) ?? .missing(because: "no note"), .instant(createdAt),
      revokedAt.map(Cell.instant) ?? .missing(because: "valid"), use.cell,
    ]
  }

  fileprivate func json(_ use: KeyUses.LastUse) -> JSON {
    guard case .object(var fields) = json else { return json }
    if case .hour(let hour) = use { fields["lastUsed"] = .string(hour.rfc3339) } else { fields["lastUsed"] = .null }
    fields["lastUsedReason"] = use.reason.map(JSON.string) ?? .null
    return .object(fields)
  }
}

extension KeyUses.LastUse {
  fileprivate var cell: Cell {
    switch self {
    case .hour(let hour): .instant(hour)
    case .never: .term("never", words: "never")
    case .notKnown: .term("notKnown", words: "not known")
    }
  }

  /// Why there is no hour.
  fileprivate var reason: String? {
    switch self {
    case .hour: nil
    case .never: "never"
    case .notKnown: "notKnown"
    }
  }
}

extension KeyUses {
  fileprivate func notes(isNode: Bool) -> [String] {
    let known =
      since.map { "uses are noted since \($0.words): a key whose last use is not known was not used since" }
      ?? "no service has noted uses here yet: uptake serve does from its next start on"
    let others = "this file is a node of a warehouse: other nodes note uses of their own, ask each before you revoke"
    return [known] + (isNode ? [others] : [])
  }
}
