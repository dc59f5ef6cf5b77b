public import Lifecycle

/// When a service stored events last, by its own clock. What is imported tells other clocks' times, and does not count.
extension EventLog {
  /// nil where no service noted it.
  public func newestReceipt() throws(StoreError) -> Timestamp? {
    try ReceiptMark.read(Connection(path: path, mode: .read))
  }

  /// By the connection that stores events: one more, opened by the path, would find another log where this one was deleted.
  public func noteReceipt(_ now: Timestamp) throws(StoreError) {
    if let misplacement { throw misplacement }
    try note(receipt: now)
  }
}

enum ReceiptMark {
  static func write(_ now: Timestamp, _ connection: borrowing Connection) throws(StoreError) {
    try connection.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('received', ?)").run(
      .integer(now.rawValue))
  }

  static func read(_ connection: borrowing Connection) throws(StoreError) -> Timestamp? {
    try connection.prepare("SELECT value FROM meta WHERE key = 'received'").first { Timestamp(stored: $0.integer(0)) }
  }
}
