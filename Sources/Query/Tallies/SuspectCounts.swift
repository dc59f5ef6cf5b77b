import Lifecycle

/// First attempts from their start on, however young, and those of them that failed so far.
struct WatchedAttempts: Mergeable, Equatable {
  var attempts = 0
  var failures = 0

  mutating func add(_ other: Self, times: Int) {
    attempts += times * other.attempts
    failures += times * other.failures
  }

  func without(_ part: Self) -> Self {
    Self(attempts: attempts - part.attempts, failures: failures - part.failures)
  }
}

/// The same at a release and at the one before it.
struct SuspectCounts: Mergeable, Equatable {
  var own = WatchedAttempts()
  var before = WatchedAttempts()

  mutating func add(_ other: Self, times: Int) {
    own.add(other.own, times: times)
    before.add(other.before, times: times)
  }

  mutating func add(_ attempt: WatchedAttempts, isBefore: Bool) {
    if isBefore { before.add(attempt) } else { own.add(attempt) }
  }
}

/// Devices that are alike in one thing.
struct FleetTrait: Hashable {
  var by: Grouping
  /// Of a channel its number of `name`, of a mechanism its code; else as the device says of itself.
  var number: Int
}
