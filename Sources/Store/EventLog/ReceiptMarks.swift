import Lifecycle

/// When an event of a device of each app was last received, in `meta`: known also once single events are removed.
///
/// Marked at most once a minute: readers look at the newest rows, too (`Snapshot.newestReceipts`).
struct ReceiptMarks {
  /// As marked last, by app.
  private var marked: [String: Timestamp] = [:]
  /// Of the batch at hand, by context.
  private var newest: [Timestamp?] = []
  private static let every = Milliseconds.minutes(1)
  static let prefix = "received "

  mutating func begin(_ batch: EventBatch) {
    newest.removeAll(keepingCapacity: true)
    newest.append(contentsOf: repeatElement(nil, count: batch.contexts.count))
  }

  mutating func see(_ event: Event, _ received: Timestamp?) {
    guard let received, event.stage.isContact else { return }
    let place = Int(event.context)
    newest[place] = max(newest[place] ?? received, received)
  }

  /// `connection` is within the transaction that stores the batch.
  mutating func finish(_ batch: EventBatch, _ connection: borrowing Connection) throws(StoreError) {
    for (context, received) in zip(batch.contexts, newest) {
      guard let received, marked[context.app].map({ received - $0 >= Self.every }) ?? true else { continue }
      marked[context.app] = received
      try connection.prepare(
        "INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = max(value, ?2)"
      ).run(.text(Self.prefix + context.app), .integer(received.rawValue))
    }
  }

  /// A transaction failed, and its marks with it.
  mutating func forget() { marked.removeAll() }
}
