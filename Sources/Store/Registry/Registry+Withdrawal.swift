public import Lifecycle

/// What names a publication: there is one of a release on a channel for a platform, or for all.
public struct PublicationPlace: Hashable, Sendable {
  public var app: String
  public var release: ReleaseLabel
  public var channel: String
  public var platform: String?

  public init(app: String, release: ReleaseLabel, channel: String, platform: String?) {
    (self.app, self.release, self.channel, self.platform) = (app, release, channel, platform)
  }

  public init(_ publication: Publication) {
    self.init(
      app: publication.app, release: publication.release, channel: publication.channel, platform: publication.platform)
  }
}

extension Registry {
  /// Takes back a publication that was registered by mistake; answers it as it was, nil where there is none.
  public func withdraw(
    _ place: PublicationPlace, by author: Author = .thisUser, now: Timestamp
  ) throws(StoreError) -> Publication? {
    switch try withdraw(place, if: .none, by: author, now: now) {
    case .done(let known): known
    case .refused: nil
    }
  }

  /// The same, where the condition holds of what is registered there. Refused, too, where there is none.
  public func withdraw(
    _ place: PublicationPlace, if condition: PublicationCondition, by author: Author = .thisUser, now: Timestamp
  ) throws(StoreError) -> PublicationChange {
    try write { connection throws(StoreError) -> PublicationChange in
      guard let (id, known) = try registeredPublication(place, connection) else { return .refused(registered: nil) }
      guard condition.holds(of: known) else { return .refused(registered: known) }
      try AuditEntry.write(.withdraw, by: author, at: now, app: place.app, known.auditFacts, connection)
      try connection.prepare("DELETE FROM rollout_step WHERE publication = ?").run(.integer(id))
      try connection.prepare("DELETE FROM publication WHERE id = ?").run(.integer(id))
      return .done(known)
    }
  }
}

func registeredPublication(
  _ place: PublicationPlace, _ connection: borrowing Connection
) throws(StoreError) -> (id: Int64, publication: Publication)? {
  let known = try connection.prepare(
    """
    SELECT p.id, p.published_at, p.mandatory FROM publication p JOIN release r ON r.id = p.release
    WHERE r.app = ? AND r.label = ? AND p.channel = ? AND p.platform = ?
    """
  ).first(
    .text(place.app), .text(place.release.rawValue), .text(place.channel), .text(place.platform ?? ""),
    row: { (id: $0.integer(0), at: $0.integer(1), mandatory: $0.integer(2) == 1) })
  guard let known else { return nil }
  let steps = try connection.prepare("SELECT at, percent FROM rollout_step WHERE publication = ? ORDER BY at")
    .rows(.integer(known.id)) { RolloutStep(at: Timestamp(rawValue: $0.integer(0)), percent: $0.real(1)) }
  return (
    known.id,
    Publication(
      app: place.app, release: place.release, channel: place.channel, platform: place.platform,
      publishedAt: Timestamp(rawValue: known.at), rollout: steps, mandatory: known.mandatory)
  )
}
