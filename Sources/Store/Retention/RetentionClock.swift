public import Lifecycle

/// Whether events may be dropped by a clock. One that is years ahead, as that of a machine that lost its time, would let all go.
///
/// Time may pass from one retention to the next, or from the newest event where there was none, as long as a service usually rests.
/// A longer leap counts once devices agree: of the events that came since, the clocks of most are near ours.
public enum RetentionClock {
  /// What nobody has to confirm.
  public static let leap = Milliseconds.days(7)
  private static let near = Milliseconds.days(2)
  /// The newest events that are asked.
  private static let asked = 1000
}

extension EventLog {
  /// The instant that the clock leaps from, nil where it does not, or devices agree.
  public func retentionLeap(to now: Timestamp) throws(StoreError) -> Timestamp? {
    let connection = try Connection(path: path, mode: .read)
    guard let last = try RetentionClock.last(connection), now - last > RetentionClock.leap else { return nil }
    return try RetentionClock.isConfirmed(since: last, connection) ? nil : last
  }

  /// To be told after a retention: from here on the next leap is counted.
  public func noteRetention(_ now: Timestamp) throws(StoreError) {
    let connection = try Connection(path: path, mode: .write)
    try exclusively { () throws(StoreError) in
      try connection.transaction { () throws(StoreError) in
        try connection.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('retained', ?)").run(
          .integer(now.rawValue))
      }
    }
  }
}

extension RetentionClock {
  fileprivate static func last(_ connection: borrowing Connection) throws(StoreError) -> Timestamp? {
    let noted = try connection.prepare("SELECT value FROM meta WHERE key = 'retained'").first { $0.integer(0) }
    let newest = try connection.prepare("SELECT coalesce(received, at) FROM event ORDER BY seq DESC LIMIT 1").first {
      $0.integer(0)
    }
    return (noted ?? newest).map(Timestamp.init(stored:))
  }

  /// Events of clients without a clock have the time of receipt, which is our own.
  fileprivate static func isConfirmed(
    since last: Timestamp, _ connection: borrowing Connection
  ) throws(StoreError) -> Bool {
    let select = try connection.prepare(
      """
      SELECT count(*), count(*) FILTER (WHERE abs(received - at) < ?1) FROM
        (SELECT at, received FROM event WHERE received IS NOT NULL ORDER BY seq DESC LIMIT ?2)
      WHERE received > ?3 AND received <> at
      """)
    let counts = try select.first(
      .integer(near.rawValue), .integer(Int64(asked)), .integer((last + leap).rawValue),
      row: { (all: $0.integer(0), near: $0.integer(1)) })
    guard let counts else { return false }
    return counts.near * 2 > counts.all
  }
}
