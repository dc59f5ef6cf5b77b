public import Lifecycle
import Locks

/// Releases, their publications, and keys: the little that people enter by hand.
public final class Registry: Sendable {
  private let connection: Lock<Connection>

  /// Of a database that is there: makes none where it was moved away.
  public init(existing path: String) throws(StoreError) {
    let connection = try Connection(path: path, mode: .write)
    try Schema.requireCurrent(connection)
    try connection.execute("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")
    self.connection = Lock(connection)
  }

  /// Creates the database where there is none.
  public init(path: String) throws(StoreError) {
    let connection = try Connection(path: path, mode: .create)
    try connection.execute("PRAGMA page_size = 16384")
    try Schema.check(connection)
    try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")
    try Schema.bringUpToDate(connection)
    // Copies of a file without events have the same keys, and may be nodes of one warehouse.
    _ = try IdentityKeys.loadOrCreate(connection)
    self.connection = Lock(connection)
  }

  var path: String { connection.withLock { $0.path } }

  func read<T: Sendable>(_ sql: StaticString, row: @Sendable (borrowing Row) -> T) throws(StoreError) -> [T] {
    try connection.withLock { connection throws(StoreError) in try connection.prepare(sql).rows(row: row) }
  }

  func each(_ sql: StaticString, _ body: (borrowing Row) -> Void) throws(StoreError) {
    try connection.withLock { connection throws(StoreError) in
      let statement = try connection.prepare(sql)
      while try statement.step() { body(statement.row) }
    }
  }

  func write<T>(_ body: (borrowing Connection) throws(StoreError) -> sending T) throws(StoreError) -> T {
    try connection.withLock { connection throws(StoreError) in
      try connection.execute("BEGIN IMMEDIATE")
      do throws(StoreError) {
        let result = try body(connection)
        try connection.commit()
        return result
      } catch {
        try? connection.execute("ROLLBACK")
        throw error
      }
    }
  }
}

extension Registry {
  /// Refuses a file that a newer program has upgraded meanwhile.
  public func requireKnownSchema() throws(StoreError) {
    try connection.withLock { connection throws(StoreError) in _ = try Schema.check(connection) }
  }

  /// How many releases and publications there are.
  public func announcements() throws(StoreError) -> Int {
    try connection.withLock { connection throws(StoreError) in
      Int(try connection.integer("SELECT (SELECT count(*) FROM release) + (SELECT count(*) FROM publication)"))
    }
  }

  /// Registers a publication, or replaces the one of the same release, channel and platform.
  ///
  /// - Parameters:
  ///   - keepsTime: of the one that it replaces.
  ///   - keepsHalt: with the steps before it, where the one that it replaces ends with one.
  /// - Returns: as it is registered now.
  @discardableResult
  public func publish(
    _ asked: Publication, keepsTime: Bool = false, keepsHalt: Bool = false, by author: Author = .thisUser,
    now: Timestamp
  ) throws(StoreError) -> Publication {
    try write { connection throws(StoreError) -> Publication in
      var publication = asked
      let place = PublicationPlace(
        app: asked.app, release: asked.release, channel: asked.channel, platform: asked.platform)
      if keepsTime || keepsHalt, let (_, known) = try registeredPublication(place, connection) {
        if keepsTime { publication.publishedAt = known.publishedAt }
        if keepsHalt, known.rollout.last?.percent == 0 { publication.rollout = known.rollout }
      }
      try AuditEntry.write(
        .publish, by: author, at: now, app: publication.app, publication.auditFacts, connection)
      let release = try releaseID(publication, connection)
      let upsert = try connection.prepare(
        """
        INSERT INTO publication (release, channel, platform, published_at, mandatory) VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT (release, channel, platform) DO UPDATE SET published_at = ?4, mandatory = ?5 RETURNING id
        """)
      let id = try upsert.first(
        .integer(release), .text(publication.channel), .text(publication.platform ?? ""),
        .integer(publication.publishedAt.rawValue), .integer(publication.mandatory ? 1 : 0), row: { $0.integer(0) })
      guard let id else { return publication }
      try connection.prepare("DELETE FROM rollout_step WHERE publication = ?").run(.integer(id))
      let step = try connection.prepare("INSERT OR REPLACE INTO rollout_step VALUES (?, ?, ?)")
      for rollout in publication.rollout {
        try step.run(.integer(id), .integer(rollout.at.rawValue), .real(rollout.percent))
      }
      return publication
    }
  }
}

extension Publication {
  var auditFacts: [AuditEntry.Fact?] {
    let steps = rollout.map { "\($0.percent)% from \($0.at.rfc3339)" }.joined(separator: ", ")
    return [
      .init("release", release.rawValue), .init("channel", channel), .init("platform", ifSaid: platform),
      .init("publishedAt", publishedAt.rfc3339), .init("rollout", ifSaid: rollout.isEmpty ? nil : steps),
      .init("mandatory", ifSaid: mandatory ? "yes" : nil),
    ]
  }
}

private func releaseID(_ publication: Publication, _ connection: borrowing Connection) throws(StoreError) -> Int64 {
  let (app, label) = (Value.text(publication.app), Value.text(publication.release.rawValue))
  try connection.prepare("INSERT OR IGNORE INTO release (app, label) VALUES (?, ?)").run(app, label)
  return try connection.prepare("SELECT id FROM release WHERE app = ? AND label = ?").first(app, label) {
    $0.integer(0)
  } ?? 0
}
