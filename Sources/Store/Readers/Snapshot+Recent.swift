public import Lifecycle

/// One of the newest events, as far as it tells of repeats, of downloads and of refused pushes.
public struct RecentEvent: Sendable {
  public var device: UInt64
  public var at: Timestamp
  public var stage: Stage
  public var trigger: Trigger
  /// 0 where it is about none.
  public var release: Int64
  public var push: UInt64
  public var bytes: Int64?
  public var network: String?
  public var platform: String?
  public var channel: String
  /// It happened when it was received, or said no time: then events that came together share an instant.
  public var isAsReceived = false
  /// Of a push that the gateway refused, its word for why; empty where it gave none, nil for all else.
  public var refusal: String?
}

extension Snapshot {
  /// So many of the newest events are looked at, at most: what they say together changes slowly, and reading more takes long.
  public static let mostRecent: Int64 = 100_000

  /// The newest events of an app's devices by the order of their arrival, up to an instant; those whose clients say no time, and
  /// those of emulators, are left out. None where single events are not to be had.
  ///
  /// - Parameter newest: so many are looked at, of all apps.
  public func recentEvents(
    of app: String, until: Timestamp, newest: Int64 = mostRecent
  ) throws(StoreError) -> [RecentEvent] {
    guard isFile else { return [] }
    return try connection.prepare(
      """
      SELECT e.device, e.at, e.stage, e.trigger, coalesce(e.release, 0), coalesce(e.push, 0), e.bytes, c.network, p.platform,
        c.channel, e.at = e.received,
        CASE WHEN e.stage = ?5 AND e.outcome = ?6 THEN coalesce((SELECT text FROM name WHERE id = e.reason), '') END
      FROM event e JOIN context c ON c.id = e.context JOIN profile p ON p.id = c.profile
      WHERE e.seq > (SELECT coalesce(max(seq), 0) - ?1 FROM event) AND c.app = ?2 AND e.at <= ?3
        AND coalesce(p.emulator, 0) = 0 AND (e.reason IS NULL OR e.reason <> coalesce((SELECT id FROM name WHERE text = ?4), -1))
      """
    ).rows(
      .integer(newest), .text(app), .integer(until.rawValue), .text(Event.timeOfReceipt),
      .integer(Int64(Stage.pushSent.code)), .integer(Int64(Outcome.rejected.code)), row: RecentEvent.init
    )
  }
}

extension RecentEvent {
  fileprivate init(_ row: borrowing Row) {
    self.init(
      device: UInt64(bitPattern: row.integer(0)), at: Timestamp(stored: row.integer(1)),
      stage: Stage(code: UInt8(truncatingIfNeeded: row.integer(2))) ?? .check,
      trigger: Trigger(code: UInt8(truncatingIfNeeded: row.integer(3))) ?? .unknown, release: row.integer(4),
      push: UInt64(bitPattern: row.integer(5)), bytes: row.optionalInteger(6), network: row.optionalText(7),
      platform: row.optionalText(8), channel: row.text(9), isAsReceived: row.optionalInteger(10) == 1,
      refusal: row.optionalText(11))
  }
}
