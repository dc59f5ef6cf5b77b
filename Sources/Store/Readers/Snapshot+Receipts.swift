public import Lifecycle

/// When an event of a device of an app was last received.
public struct NewestReceipt: Equatable, Sendable {
  public var at: Timestamp
  /// Events of which nobody knows when they were received were stored since.
  public var isBeforeImports: Bool

  public init(at: Timestamp, isBeforeImports: Bool) { (self.at, self.isBeforeImports) = (at, isBeforeImports) }
}

extension Snapshot {
  private static let newestRows: Int64 = 10_000

  /// By app, none where no event says when it was received: of imports nobody knows it, and a warehouse is not asked.
  ///
  /// Reads ten thousand rows at most: marks are as old as a minute, or missing where an older program took the events. Where neither
  /// tells, the end of the last day on which something was received stands for it, and is no later than `now`.
  public func newestReceipts(now: Timestamp) throws(StoreError) -> [String: NewestReceipt] {
    guard isFile else { return [:] }
    var receipts = daysOfReceipt(now)
    for (app, at) in try receiptMarks() where at <= now + .minutes(1) {
      receipts[app] = NewestReceipt(at: at, isBeforeImports: false)
    }
    for (app, received, isImportLast) in try recentReceipts(until: now + .minutes(1)) {
      let known = received.map { max($0, receipts[app]?.at ?? $0) }
      if let at = known ?? receipts[app]?.at { receipts[app] = NewestReceipt(at: at, isBeforeImports: isImportLast) }
    }
    return receipts
  }

  private func daysOfReceipt(_ now: Timestamp) -> [String: NewestReceipt] {
    var days: [String: Int64] = [:]
    for lag in vocabulary.lags { days[lag.app] = max(days[lag.app] ?? lag.day, lag.day) }
    return days.mapValues { day in
      NewestReceipt(at: min(now, Timestamp(seconds: (day + 1) * 86_400)), isBeforeImports: false)
    }
  }

  private func receiptMarks() throws(StoreError) -> [(app: String, at: Timestamp)] {
    try connection.prepare(
      "SELECT substr(key, ?1), value FROM meta WHERE key >= ?2 AND key < 'received!'"
    ).rows(.integer(Int64(ReceiptMarks.prefix.count + 1)), .text(ReceiptMarks.prefix)) {
      (app: $0.text(0), at: Timestamp(stored: $0.integer(1)))
    }
  }

  private func recentReceipts(until now: Timestamp) throws(StoreError) -> [(
    app: String, received: Timestamp?, isImportLast: Bool
  )] {
    try connection.prepare(
      """
      SELECT c.app, max(e.received) FILTER (WHERE e.received <= ?3), max(e.seq) > coalesce(max(e.seq) FILTER (WHERE e.received IS NOT NULL), 0)
      FROM event e JOIN context c ON c.id = e.context
      WHERE e.seq > (SELECT max(seq) FROM event) - ?1 AND e.stage <> ?2 GROUP BY c.app
      """
    ).rows(.integer(Self.newestRows), .integer(Int64(Stage.pushSent.code)), .integer(now.rawValue)) {
      (app: $0.text(0), received: $0.optionalInteger(1).map(Timestamp.init(stored:)), isImportLast: $0.integer(2) != 0)
    }
  }
}
