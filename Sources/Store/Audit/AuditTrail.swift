public import Lifecycle

/// Which entries of the audit are asked for.
public struct AuditTrail: Sendable {
  /// Only of this app; entries of the whole service are of none. nil for all.
  public var app: String?
  public var since: Timestamp?
  public var until: Timestamp?
  /// The most entries: the newest ones.
  public var limit: Int

  public init(app: String? = nil, since: Timestamp? = nil, until: Timestamp? = nil, limit: Int) {
    (self.app, self.since, self.until, self.limit) = (app, since, until, limit)
  }

  /// The newest entry first.
  public func entries(path: String) throws(StoreError) -> [AuditEntry] {
    let connection = try Connection(path: path, mode: .read)
    try Schema.requireCurrent(connection)
    return try connection.snapshot { () throws(StoreError) in try entries(connection) }
  }

  private func entries(_ connection: borrowing Connection) throws(StoreError) -> [AuditEntry] {
    let select = try connection.prepare(
      """
      SELECT id, at, act, app, key, os_user, facts FROM audit
      WHERE (?1 IS NULL OR app = ?1) AND (?2 IS NULL OR at >= ?2) AND (?3 IS NULL OR at < ?3)
      ORDER BY id DESC LIMIT ?4
      """)
    let rows = try select.rows(
      .optional(app), .optional(since?.rawValue), .optional(until?.rawValue), .integer(Int64(limit))
    ) { (entry: AuditEntry($0), facts: $0.text(6)) }
    var entries: [AuditEntry] = []
    for row in rows {
      var entry = row.entry
      entry.facts = try AuditEntry.facts(row.facts, connection)
      entries.append(entry)
    }
    return entries
  }
}

extension AuditEntry {
  fileprivate init(_ row: borrowing Row) {
    id = row.integer(0)
    at = Timestamp(stored: row.integer(1))
    act = row.text(2)
    app = row.optionalText(3)
    author = row.optionalInteger(4).map(Author.key) ?? row.optionalText(5).map(Author.user) ?? .anybodyHere
    facts = []
  }

  fileprivate static func facts(_ document: String, _ connection: borrowing Connection) throws(StoreError) -> [Fact] {
    try connection.prepare("SELECT key, value, type = 'integer' FROM json_each(?)").rows(.text(document)) {
      $0.integer(2) == 1 ? Fact($0.text(0), $0.integer(1)) : Fact($0.text(0), $0.text(1))
    }
  }
}

extension Registry {
  /// That a service began, unless it did so with the same settings as the one before it: what is started again and again
  /// would fill the audit and tell nothing.
  public func noteStart(_ facts: [AuditEntry.Fact], by author: Author = .thisUser, now: Timestamp) throws(StoreError) {
    try write { connection throws(StoreError) in
      let last = try connection.prepare("SELECT facts FROM audit WHERE act = ? ORDER BY id DESC LIMIT 1")
        .first(.text(AuditEntry.Act.serve.rawValue)) { $0.text(0) }
      guard try last != AuditEntry.document(facts, connection) else { return }
      try AuditEntry.write(.serve, by: author, at: now, facts, connection)
    }
  }
}
