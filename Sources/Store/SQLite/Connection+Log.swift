import CSQLite
import Glibc

/// How long somebody who writes much beside the events has waited for the log, over all his transactions.
struct LogPatience {
  private var left: Duration

  init(_ left: Duration = .seconds(10)) { self.left = left }

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
  static let longestLog = 4096

  /// Moves pages out of the log, and lets it begin anew once it is long. One that questions read from only grows, so this waits for them
  /// while there is patience.
  ///
  /// - Parameter beginAnew: `beginLogAnew`, with all other writers kept out.
  func keepLogShort(
    _ patience: inout LogPatience, while goesOn: () -> Bool,
    beginAnew: (borrowing Connection) throws(StoreError) -> Bool
  ) throws(StoreError) {
    guard try moveLog().pages > Self.longestLog else { return }
    while try !beginAnew(self), goesOn(), patience.wait(.milliseconds(50)) { _ = try moveLog() }
  }

  /// The same for who cannot keep others out: takes no lock that these wait for. The next of them who writes
  /// lets the log begin anew once all of it was moved and nobody reads from it.
  func awaitShortLog(_ patience: inout LogPatience) throws(StoreError) {
    var log = try moveLog()
    while log.pages > Self.longestLog, log.moved < log.pages, patience.wait(.milliseconds(50)) { log = try moveLog() }
  }

  /// For who has read for long and is about to go on: while nobody reads from a log that is long, and all of it was moved, the next who
  /// writes lets it begin anew. Waits for him while there is patience.
  func awaitNewLog(_ patience: inout LogPatience, longerThan longest: Int = longestLog) throws(StoreError) {
    var log = try moveLog()
    while log.pages > longest || log.pages < 0, patience.wait(.milliseconds(20)) { log = try moveLog() }
  }

  /// Moves pages out of the log; waits for nobody. Answers how many it holds and how many of these were moved; −1 while another does
  /// the same.
  func moveLog(_ length: FileLength? = nil) throws(StoreError) -> (pages: Int, moved: Int) {
    try requireLength(length)
    let log = try prepare("PRAGMA wal_checkpoint(PASSIVE)").first { (Int($0.integer(1)), Int($0.integer(2))) }
    return log ?? (0, 0)
  }

  /// Lets the log begin anew; false while somebody reads from it or writes.
  func beginLogAnew() throws(StoreError) -> Bool {
    sqlite3_busy_timeout(handle, 0)
    defer { sqlite3_busy_timeout(handle, Self.busyTimeout) }
    return try prepare("PRAGMA wal_checkpoint(RESTART)").first { $0.integer(0) } == 0
  }
}
