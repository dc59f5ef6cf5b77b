public import Lifecycle

/// When a service stored events last, by its own clock. What is imported tells other clocks' times, and does not count.
extension EventLog {
  /// nil where no service noted it.
  public func clockMark() throws(StoreError) -> Timestamp? {
    try ClockMark.read(Connection(path: path, mode: .read))
  }

  /// By the connection that stores events: one more, opened by the path, would find another log where this one was deleted.
  public func noteClock(_ now: Timestamp) throws(StoreError) {
    if let misplacement { throw misplacement }
    try note(clock: now)
  }
}

enum ClockMark {
  static func write(_ now: Timestamp, _ connection: borrowing Connection) throws(StoreError) {
    try connection.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('clock', ?)").run(
      .integer(now.rawValue))
  }

  static func read(_ connection: borrowing Connection) throws(StoreError) -> Timestamp? {
    try connection.prepare("SELECT value FROM meta WHERE key = 'clock'").first { Timestamp(stored: $0.integer(0)) }
  }
}
