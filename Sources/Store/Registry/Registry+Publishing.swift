public import Lifecycle

extension Registry {
  /// Registers a publication, or replaces the one of the same release, channel and platform.
  ///
  /// - Returns: as it is registered now.
  @discardableResult
  public func publish(
    _ publication: Publication, by author: Author = .thisUser, now: Timestamp
  ) throws(StoreError) -> Publication {
    try write { connection throws(StoreError) in try replace(publication, by: author, now: now, connection) }
  }

  /// Several in one transaction, each over what was known there: none of them where somebody changed one since.
  ///
  /// - Returns: that one; nil where all are registered.
  public func publish(
    _ changes: [(publication: Publication, known: Publication?)], by author: Author = .thisUser, now: Timestamp
  ) throws(StoreError) -> PublicationClash? {
    try write { connection throws(StoreError) -> PublicationClash? in
      for (publication, known) in changes {
        let registered = try registeredPublication(PublicationPlace(publication), connection)?.publication
        guard PublicationCondition.unchanged(since: known).holds(of: registered) else {
          return PublicationClash(publication: publication, registered: registered)
        }
      }
      for (publication, _) in changes { _ = try replace(publication, by: author, now: now, connection) }
      return nil
    }
  }

  /// Registers a publication where the condition holds of what is registered there.
  ///
  /// A sender whose answer was lost and who asks again is told that it was done, as RFC 9110 (13.1.1) permits.
  ///
  /// - Parameters:
  ///   - keepsTime: of the one that it replaces.
  ///   - keepsHalt: with the steps before it, where the one that it replaces ends with one.
  public func publish(
    _ asked: Publication, keepsTime: Bool = false, keepsHalt: Bool = false, if condition: PublicationCondition,
    by author: Author = .thisUser, now: Timestamp
  ) throws(StoreError) -> PublicationChange {
    try write { connection throws(StoreError) in
      let known = try registeredPublication(PublicationPlace(asked), connection)?.publication
      let publication = asked.keeping(time: keepsTime, halt: keepsHalt, of: known)
      guard condition.holds(of: known) else {
        return publication == known && condition.noneMatch == nil ? .done(publication) : .refused(registered: known)
      }
      return .done(try replace(publication, by: author, now: now, connection))
    }
  }

  public func publication(at place: PublicationPlace) throws(StoreError) -> Publication? {
    try write { connection throws(StoreError) in try registeredPublication(place, connection)?.publication }
  }
}

private func replace(
  _ publication: Publication, by author: Author, now: Timestamp, _ connection: borrowing Connection
) throws(StoreError) -> Publication {
  try AuditEntry.write(.publish, by: author, at: now, app: publication.app, publication.auditFacts, connection)
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
  // Read again: of two equal steps one is stored.
  return try registeredPublication(PublicationPlace(publication), connection)?.publication ?? publication
}

private func releaseID(_ publication: Publication, _ connection: borrowing Connection) throws(StoreError) -> Int64 {
  let (app, label) = (Value.text(publication.app), Value.text(publication.release.rawValue))
  try connection.prepare("INSERT OR IGNORE INTO release (app, label) VALUES (?, ?)").run(app, label)
  return try connection.prepare("SELECT id FROM release WHERE app = ? AND label = ?").first(app, label) {
    $0.integer(0)
  } ?? 0
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
