public import Lifecycle

/// How the retention of a service fares, in `meta`: also told where the service is not there any more.
public struct RetentionStanding: Equatable, Sendable {
  /// From the end of one to the next.
  public var every: Milliseconds
  /// When it last worked, or began to be due.
  public var succeeded: Timestamp
  /// Since when it fails; nil where the newest one worked.
  public var failingSince: Timestamp?
  /// Of the newest failure.
  public var reason: String?

  public init(every: Milliseconds, succeeded: Timestamp, failingSince: Timestamp? = nil, reason: String? = nil) {
    (self.every, self.succeeded, self.failingSince, self.reason) = (every, succeeded, failingSince, reason)
  }

  /// It is overdue by a day: so long one may take, and a service rest.
  public func isLate(at now: Timestamp) -> Bool { succeeded + every + .days(1) < now }
}

extension EventLog {
  /// Notes how often a service takes old events out; nil where it does not, and nothing of it is a concern.
  public func planRetention(every: Milliseconds?, at now: Timestamp) throws(StoreError) {
    let known = try RetentionStanding.read(Connection(path: path, mode: .read))
    guard known?.every != every else { return }
    try note(RetentionStanding.rows(every.map { RetentionStanding(every: $0, succeeded: now) }))
  }

  /// Notes how one went, where it was planned.
  ///
  /// - Parameter failure: nil where it worked.
  public func noteRetention(failure: String?, at now: Timestamp) throws(StoreError) {
    guard var standing = try RetentionStanding.read(Connection(path: path, mode: .read)) else { return }
    if failure == nil { standing.succeeded = now }
    standing.failingSince = failure.map { _ in standing.failingSince ?? now }
    standing.reason = failure
    try note(RetentionStanding.rows(standing))
  }
}

extension Snapshot {
  /// nil where no service takes events out.
  public func retentionStanding() throws(StoreError) -> RetentionStanding? {
    isFile ? try RetentionStanding.read(connection) : nil
  }
}

extension RetentionStanding {
  /// Of `meta`; those without a value are to go.
  fileprivate static func rows(_ standing: RetentionStanding?) -> [(key: String, value: Value?)] {
    [
      ("retention every", standing.map { .integer($0.every.rawValue) }),
      ("retention succeeded", standing.map { .integer($0.succeeded.rawValue) }),
      ("retention failing", standing?.failingSince.map { .integer($0.rawValue) }),
      ("retention reason", standing?.reason.map { .text($0) }),
    ]
  }

  static func read(_ connection: borrowing Connection) throws(StoreError) -> RetentionStanding? {
    try connection.prepare(
      """
      SELECT max(value) FILTER (WHERE key = 'retention every'), max(value) FILTER (WHERE key = 'retention succeeded'),
        max(value) FILTER (WHERE key = 'retention failing'), max(value) FILTER (WHERE key = 'retention reason')
      FROM meta WHERE key >= 'retention ' AND key < 'retention!'
      """
    ).first { row in
      row.optionalInteger(0).map { every in
        RetentionStanding(
          every: Milliseconds(rawValue: every), succeeded: Timestamp(stored: row.integer(1)),
          failingSince: row.optionalInteger(2).map(Timestamp.init(stored:)), reason: row.optionalText(3))
      }
    } ?? nil
  }
}
