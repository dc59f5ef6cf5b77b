import Lifecycle

/// Releases that devices name and that are registered nowhere, or not on the channel or for the platform on which devices take them.
extension ContentChecks {
  static func releases(_ connection: borrowing Connection) throws(StoreError) -> Word {
    let all = try unregistered(connection)
    if let never = neverRegistered(all, in: connection.path) { return never }
    if let elsewhere = registeredElsewhere(all, in: connection.path) { return elsewhere }
    let gone = all.filter { !$0.isRegistered }
    guard let first = gone.first, let at = first.withdrawnAt else { return .ok(try allRegistered(connection)) }
    let count = gone.releases.count
    return .warn(
      "\(counted(count, one: "was", many: "were")) withdrawn though devices have \(count == 1 ? "it" : "them"), such as \(first.label) at \(at.rfc3339)",
      fix:
        "end a rollout with a halt, not by withdrawing it; how many run it: \(command: "reach", argument: first.label, options: ["app": first.app, "db": connection.path])"
    )
  }

  /// What waits to be folded may name others.
  private static func allRegistered(_ connection: borrowing Connection) throws(StoreError) -> String {
    let watermark = try Watermark.read(connection)
    let waiting = try connection.prepare("SELECT count(*) FROM event WHERE seq > ?").first(.integer(watermark)) {
      Int($0.integer(0))
    }
    guard let waiting, waiting > 0 else { return "all are registered" }
    let words = counted(waiting, one: "event waits", many: "events wait")
    return "all are registered of those that folded events name; \(words) to be folded, which uptake status counts too"
  }

  private static func neverRegistered(_ all: [UnregisteredPlace], in path: String) -> Word? {
    let never = all.filter { !$0.isRegistered && $0.withdrawnAt == nil }
    guard let first = never.first(where: { $0.takenAt != nil }) ?? never.first else { return nil }
    let (count, own) = (never.releases.count, never.filter { $0.release == first.release })
    let found =
      "\(counted(count, one: "was", many: "were")) never registered, such as \(first.label): \(count == 1 ? "its" : "their") publication is inferred"
    // At the instant that stands in until then, so that no answer changes by it; the true one is known to people only.
    if first.takenAt != nil { return .warn(found, fix: .each(own.filter { $0.takenAt != nil }.publishing(path))) }
    return .warn(
      found,
      fix:
        "devices only run it, as of a store; where it was published, name when, here as of the first word of it: \(.each(own.publishing(path)))"
    )
  }

  /// A device that came from another channel may have brought it.
  private static func registeredElsewhere(_ all: [UnregisteredPlace], in path: String) -> Word? {
    let elsewhere = all.filter { $0.isRegistered && $0.takenAt != nil && $0.withdrawnAt == nil }
    guard let first = elsewhere.first else { return nil }
    let count = elsewhere.releases.count
    return .warn(
      "\(counted(count, one: "is", many: "are")) registered, but not where devices take \(count == 1 ? "it" : "them"), such as \(first.label) on \(first.place): only reach counts \(count == 1 ? "it" : "them") there",
      fix: "where it was published there: \(.each(elsewhere.filter { $0.release == first.release }.publishing(path)))")
  }

  private static func unregistered(_ connection: borrowing Connection) throws(StoreError) -> [UnregisteredPlace] {
    let store = ReleaseLabel.storePrefix
    return try connection.prepare(
      // Of what no device ran or took nothing is inferred: it was registered by mistake and withdrawn. Platforms are told apart where
      // it is registered on the channel for others.
      """
      WITH place AS (
        SELECT r.id AS release, r.label, r.app, n.text AS channel, s.first_at, s.first_subject_at,
          CASE WHEN EXISTS (SELECT 1 FROM publication p WHERE p.release = r.id AND p.channel = n.text) THEN m.text END
            AS platform
        FROM sighting s JOIN release r ON r.id = s.release JOIN name n ON n.id = s.channel
          LEFT JOIN name m ON m.id = s.platform
        WHERE NOT EXISTS (SELECT 1 FROM publication p WHERE p.release = r.id AND p.channel = n.text
            AND p.platform IN ('', coalesce(m.text, p.platform)))
          AND substr(r.label, 1, ?1) <> ?2
      )
      SELECT place.release, place.label, place.app, place.channel, min(place.first_at), min(place.first_subject_at),
        place.release IN (SELECT release FROM publication) AS registered,
        (SELECT max(at) FROM audit WHERE act = 'withdraw' AND audit.app = place.app AND facts ->> '$.release' = place.label
          AND (place.release NOT IN (SELECT release FROM publication) OR facts ->> '$.channel' = place.channel
            AND coalesce(facts ->> '$.platform', place.platform, '') = coalesce(place.platform, facts ->> '$.platform', ''))),
        place.platform
      FROM place GROUP BY place.release, place.channel, place.platform
      ORDER BY place.label, place.app, place.channel, place.platform
      """
    ).rows(.integer(Int64(store.utf8.count)), .text(store), row: UnregisteredPlace.init)
  }
}

/// A channel, or a platform of it, on which devices name a release that is not registered there.
private struct UnregisteredPlace {
  var release: Int64
  var label, app, channel: String
  /// nil where it is not registered on the channel at all.
  var platform: String?
  var namedAt: Timestamp
  /// nil where devices only run it.
  var takenAt: Timestamp?
  /// On another channel.
  var isRegistered: Bool
  /// From there; of a release that is registered nowhere from wherever that was.
  var withdrawnAt: Timestamp?

  init(_ row: borrowing Row) {
    (release, label, app, channel) = (row.integer(0), row.text(1), row.text(2), row.text(3))
    (namedAt, takenAt) = (Timestamp(stored: row.integer(4)), row.optionalInteger(5).map(Timestamp.init(stored:)))
    (isRegistered, withdrawnAt) = (row.integer(6) == 1, row.optionalInteger(7).map(Timestamp.init(stored:)))
    platform = row.optionalText(8)
  }

  var place: String { channel + (platform.map { " (\($0))" } ?? "") }

  func publishing(_ path: String) -> Remedy {
    let at = (takenAt ?? namedAt).rfc3339
    guard let platform else {
      return
        "\(command: "release", "publish", argument: label, options: ["app": app, "channel": channel, "at": at, "db": path])"
    }
    return
      "\(command: "release", "publish", argument: label, options: ["app": app, "channel": channel, "platform": platform, "at": at, "db": path])"
  }
}

extension [UnregisteredPlace] {
  fileprivate var releases: Set<Int64> { Set(map(\.release)) }
  /// Anybody with the ingest key can make up channels.
  fileprivate func publishing(_ path: String) -> [Remedy] { prefix(5).map { $0.publishing(path) } }
}
