public import Lifecycle

/// When a service stored events last, by its own clock. What is imported tells other clocks' times, and does not count.
extension EventLog {
  /// nil where no service noted it.
  public func newestReceipt() throws(StoreError) -> Timestamp? {
    try ReceiptMark.read(Connection(path: path, mode: .read))
  }

  public func noteReceipt(_ now: Timestamp) throws(StoreError) {
    let connection = try Connection(path: path, mode: .write)
    try exclusively { () throws(StoreError) in
      try connection.transaction { () throws(StoreError) in
        try connection.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('received', ?)").run(
          .integer(now.rawValue))
      }
    }
  }
}

enum ReceiptMark {
  static func read(_ connection: borrowing Connection) throws(StoreError) -> Timestamp? {
    try connection.prepare("SELECT value FROM meta WHERE key = 'received'").first { Timestamp(stored: $0.integer(0)) }
  }
}
