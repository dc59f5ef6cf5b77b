public import Lifecycle

/// Events of devices that happened after an instant, as they say.
public struct EventsAhead: Equatable, Sendable {
  public var count: Int
  public var first: Timestamp
  public var last: Timestamp
}

extension Snapshot {
  private static let newestAhead: Int64 = 10_000

  /// Of the newest ten thousand events those of an app, or of all; nil where there are none, or single events are not to be had.
  public func eventsAhead(of app: String?, after instant: Timestamp) throws(StoreError) -> EventsAhead? {
    guard isFile else { return nil }
    return try connection.prepare(
      """
      SELECT count(*), min(e.at), max(e.at) FROM event e JOIN context c ON c.id = e.context
      WHERE e.seq > (SELECT coalesce(max(seq), 0) - ?1 FROM event) AND (?2 IS NULL OR c.app = ?2) AND e.at > ?3 AND e.stage <> ?4
      """
    ).first(
      .integer(Self.newestAhead), .optional(app), .integer(instant.rawValue), .integer(Int64(Stage.pushSent.code))
    ) { row in
      row.integer(0) == 0
        ? nil
        : EventsAhead(
          count: Int(row.integer(0)), first: Timestamp(stored: row.integer(1)), last: Timestamp(stored: row.integer(2)))
    } ?? nil
  }
}
