import Glibc

/// The write-ahead log while much is written beside the events.
extension Connection {
  /// In pages of 16 KB: 64 MB.
  private static let longestLog = 4096

  /// Moves pages out of the log; one that questions read from only grows, so this waits for them, ten seconds at most.
  ///
  /// - Parameter beginAnew: `beginLogAnew`, with whatever keeps other writers out.
  func keepLogShort(
    while goesOn: () -> Bool = { true }, beginAnew: () throws(StoreError) -> Bool
  ) throws(StoreError) {
    guard try moveLog() > Self.longestLog else { return }
    let end = ContinuousClock.now + .seconds(10)
    while try !beginAnew(), goesOn(), .now < end {
      usleep(50_000)
      _ = try moveLog()
    }
  }

  /// Moves pages out of the log; waits for nobody. Answers how many it holds.
  func moveLog() throws(StoreError) -> Int {
    Int(try prepare("PRAGMA wal_checkpoint(PASSIVE)").first { $0.integer(1) } ?? 0)
  }

  /// Lets the log begin anew; false while somebody reads from it or writes.
  func beginLogAnew() throws(StoreError) -> Bool {
    try execute("PRAGMA busy_timeout = 0")
    let isBusy = try prepare("PRAGMA wal_checkpoint(RESTART)").first { $0.integer(0) }
    try execute("PRAGMA busy_timeout = 10000")
    return isBusy == 0
  }
}
