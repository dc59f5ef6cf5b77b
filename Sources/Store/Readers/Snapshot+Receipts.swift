public import Lifecycle

/// When an event of a device of an app was last received.
public struct NewestReceipt: Equatable, Sendable {
  public var at: Timestamp
  /// Events of which nobody knows when they were received were stored since.
  public var isBeforeImports: Bool
  /// Others were received after the instant that it is asked for.
  public var hasLater: Bool

  public init(at: Timestamp, isBeforeImports: Bool, hasLater: Bool = false) {
    (self.at, self.isBeforeImports, self.hasLater) = (at, isBeforeImports, hasLater)
  }
}

extension Snapshot {
  private static let newestRows: Int64 = 10_000

  /// By app, none where no event says when it was received: of imports nobody knows it, and a warehouse is not asked.
  ///
  /// Reads ten thousand rows at most: marks are as old as a minute, or missing where an older program took the events. Where neither
  /// tells, the end of the last day on which something was received stands for it, and is no later than `now`.
  public func newestReceipts(now: Timestamp) throws(StoreError) -> [String: NewestReceipt] {
    guard isFile else { return [:] }
    let limit = now + .minutes(1)
    var (receipts, marked) = (daysOfReceipt(now), Set<String>())
    for (app, at) in try receiptMarks() {
      if at <= limit {
        receipts[app] = NewestReceipt(at: at, isBeforeImports: false)
        marked.insert(app)
      } else {
        receipts[app]?.hasLater = true
      }
    }
    for (app, received, isImportLast, hasLater) in try recentReceipts(until: limit) {
      let known = receipts[app]
      guard let at = newest(received, known?.at, isDayEnd: !marked.contains(app)) else { continue }
      receipts[app] = NewestReceipt(
        at: at, isBeforeImports: isImportLast, hasLater: hasLater || known?.hasLater ?? false)
    }
    return receipts
  }

  /// - Parameter isDayEnd: whether `known` is the end of a day, or the present on it: events of that day tell more.
  private func newest(_ received: Timestamp?, _ known: Timestamp?, isDayEnd: Bool) -> Timestamp? {
    guard let received, let known else { return received ?? known }
    let isOfDay = isDayEnd && received.seconds / 86_400 == (known.seconds - 1) / 86_400
    return isOfDay ? received : max(received, known)
  }

  private func daysOfReceipt(_ now: Timestamp) -> [String: NewestReceipt] {
    let today = now.seconds / 86_400
    var days: [String: Int64] = [:]
    for lag in vocabulary.lags where lag.day <= today { days[lag.app] = max(days[lag.app] ?? lag.day, lag.day) }
    let later = Set(vocabulary.lags.filter { $0.day > today }.map(\.app))
    return Dictionary(
      uniqueKeysWithValues: days.map { app, day in
        let end = Timestamp(seconds: (day + 1) * 86_400)
        return (app, NewestReceipt(at: min(now, end), isBeforeImports: false, hasLater: later.contains(app)))
      })
  }

  private func receiptMarks() throws(StoreError) -> [(app: String, at: Timestamp)] {
    try connection.prepare(
      "SELECT substr(key, ?1), value FROM meta WHERE key >= ?2 AND key < 'received!'"
    ).rows(.integer(Int64(ReceiptMarks.prefix.count + 1)), .text(ReceiptMarks.prefix)) {
      (app: $0.text(0), at: Timestamp(stored: $0.integer(1)))
    }
  }

  private func recentReceipts(until now: Timestamp) throws(StoreError) -> [(
    app: String, received: Timestamp?, isImportLast: Bool, hasLater: Bool
  )] {
    try connection.prepare(
      """
      SELECT c.app, max(e.received) FILTER (WHERE e.received <= ?3), max(e.seq) > coalesce(max(e.seq) FILTER (WHERE e.received IS NOT NULL), 0),
        coalesce(max(e.received) > ?3, 0)
      FROM event e JOIN context c ON c.id = e.context
      WHERE e.seq > (SELECT max(seq) FROM event) - ?1 AND e.stage <> ?2 GROUP BY c.app
      """
    ).rows(.integer(Self.newestRows), .integer(Int64(Stage.pushSent.code)), .integer(now.rawValue)) {
      (
        app: $0.text(0), received: $0.optionalInteger(1).map(Timestamp.init(stored:)),
        isImportLast: $0.integer(2) != 0, hasLater: $0.integer(3) != 0
      )
    }
  }
}
