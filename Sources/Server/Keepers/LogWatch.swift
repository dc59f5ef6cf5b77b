import Locks
internal import Answers
internal import Console
internal import Ingest
internal import Store
internal import Synchronization

extension Swift.Duration {
  var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}

extension Service {
  /// Grows with what is stored and what is folded.
  var commits: Int { log.tally.stored + metrics.folds.total }

  /// A commit failed for want of space: no more are tried until there is some.
  func sawFullDisk() {
    storage.sawFullDisk()
    housekeepingBell.signal()
  }

  /// Says so when a reader keeps the write-ahead log from beginning anew, and who it is.
  func watchLog() {
    let second = Int((ContinuousClock.now - started).components.seconds)
    let readers = logReaders.look(now: second).filter { $0.seconds >= Self.longReading }
    longReaders.withLock { $0 = readers }
    let size = fileSize(settings.path + "-wal")
    let since = logLargeSince.withLock { since in
      since = size > settings.largeLog ? since ?? second : nil
      return since
    }
    guard let since, second - since >= Self.longReading else { return }
    journal.writeSparingly(
      .warning, "log_is_long",
      [
        "walBytes": .integer(size),
        "readers": .array(
          readers.map {
            ["pid": .integer($0.process), "program": .string($0.program), "seconds": .integer($0.seconds)]
          }),
        "hint": .string(
          readers.isEmpty ? "the disk is slower than what comes in" : "end those programs, or let them read less long"),
      ])
  }

  /// Seconds; a question takes less.
  private static let longReading = 3
}
