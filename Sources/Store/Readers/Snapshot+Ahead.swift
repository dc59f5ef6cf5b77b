public import Lifecycle

/// Events of devices that happened after an instant, as they say.
public struct EventsAhead: Equatable, Sendable {
  public var count: Int
  public var first: Timestamp
  public var last: Timestamp
}

extension Snapshot {
  /// Of so many of the newest events those of the app are counted.
  public static let newestAhead: Int64 = 10_000

  /// The newest events of an app, or of all, where whatever is stored happened after an instant; nil where anything did not, where there
  /// are none, and where single events are not to be had.
  public func eventsAhead(of app: String?, after instant: Timestamp) throws(StoreError) -> EventsAhead? {
    guard isFile else { return nil }
    return try connection.prepare(
      """
      SELECT events, first, last FROM (
        SELECT count(*) AS events, min(e.at) AS first, max(e.at) AS last FROM event e JOIN context c ON c.id = e.context
        WHERE e.seq > (SELECT coalesce(max(seq), 0) - ?1 FROM event) AND (?2 IS NULL OR c.app = ?2) AND e.stage <> ?3)
      WHERE first > ?4 AND NOT EXISTS (SELECT 1 FROM event e JOIN context c ON c.id = e.context
        WHERE (?2 IS NULL OR c.app = ?2) AND e.stage <> ?3 AND e.at <= ?4)
      """
    ).first(
      .integer(Self.newestAhead), .optional(app), .integer(Int64(Stage.pushSent.code)), .integer(instant.rawValue)
    ) {
      EventsAhead(
        count: Int($0.integer(0)), first: Timestamp(stored: $0.integer(1)), last: Timestamp(stored: $0.integer(2)))
    }
  }
}
