import CSQLite
import Glibc

/// How long somebody who writes much beside the events has waited for the log, over all his transactions.
struct LogPatience {
  private var left = Duration.seconds(10)

  fileprivate mutating func wait(_ time: Duration) -> Bool {
    guard left > .zero else { return false }
    usleep(UInt32(time / Duration.microseconds(1)))
    left -= time
    return true
  }
}

/// The write-ahead log while much is written beside the events.
extension Connection {
  /// In pages of 16 KB: 64 MB.
  private static let longestLog = 4096

  /// Moves pages out of the log; one that questions read from only grows, so this waits for them while there is patience.
  ///
  /// - Parameter beginAnew: `beginLogAnew`, with whatever keeps other writers out.
  func keepLogShort(
    _ patience: inout LogPatience, while goesOn: () -> Bool = { true },
    beginAnew: (borrowing Connection) throws(StoreError) -> Bool
  ) throws(StoreError) {
    guard try moveLog() > Self.longestLog else { return }
    while try !beginAnew(self), goesOn(), patience.wait(.milliseconds(50)) { _ = try moveLog() }
  }

  /// Moves pages out of the log; waits for nobody. Answers how many it holds; −1 while another does the same.
  func moveLog() throws(StoreError) -> Int {
    try requireLength()
    return Int(try prepare("PRAGMA wal_checkpoint(PASSIVE)").first { $0.integer(1) } ?? 0)
  }

  /// Lets the log begin anew; false while somebody reads from it or writes.
  func beginLogAnew() throws(StoreError) -> Bool {
    sqlite3_busy_timeout(handle, 0)
    defer { sqlite3_busy_timeout(handle, Self.busyTimeout) }
    return try prepare("PRAGMA wal_checkpoint(RESTART)").first { $0.integer(0) } == 0
  }
}
