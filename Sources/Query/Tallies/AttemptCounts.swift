import Lifecycle
import Store

/// First attempts at a release and first launches of it, counted.
struct AttemptCounts: Mergeable, Equatable {
  var attempts = 0
  var tooYoung = 0
  var failed = 0
  /// Of the attempts: a patch failed, and the whole was fetched in its place.
  var retried = 0
  /// Of the failed: got the release in another attempt.
  var recovered = 0
  /// Of the failed: rolled back or crashed, so launched.
  var broken = 0
  /// Of the attempts: launched so long ago that a failure would be known, or broken.
  var settled = 0
  var reasons: [String: Int] = [:]
  /// Of those too young that failed already.
  var youngReasons: [String: Int] = [:]
  var applies = 0
  var appliesTooYoung = 0
  var rolledBack = 0
}

extension AttemptCounts {
  mutating func add(_ other: Self, times: Int) {
    attempts += times * other.attempts
    tooYoung += times * other.tooYoung
    failed += times * other.failed
    retried += times * other.retried
    recovered += times * other.recovered
    broken += times * other.broken
    settled += times * other.settled
    reasons.add(other.reasons, times: times)
    youngReasons.add(other.youngReasons, times: times)
    applies += times * other.applies
    appliesTooYoung += times * other.appliesTooYoung
    rolledBack += times * other.rolledBack
  }

  mutating func add(
    _ attempt: Attempt, _ cutOff: Timestamp, _ options: Failures.Options, _ vocabulary: Vocabulary
  ) {
    if cutOff - attempt.start.at >= options.attemptAge {
      count(attempt, cutOff, options, vocabulary)
    } else {
      tooYoung += 1
      if let failure = attempt.knownFailure(by: cutOff, options, vocabulary) {
        youngReasons[attempt.word(of: failure.stage, vocabulary), default: 0] += 1
      }
    }
    countLaunch(attempt, cutOff, options)
  }

  private mutating func count(
    _ attempt: Attempt, _ cutOff: Timestamp, _ options: Failures.Options, _ vocabulary: Vocabulary
  ) {
    attempts += 1
    guard let failure = attempt.failure(by: cutOff, options, vocabulary) else {
      if attempt.isSettled(by: cutOff, options) { settled += 1 }
      if attempt.wasRetried(by: cutOff, options, vocabulary) { retried += 1 }
      return
    }
    failed += 1
    switch failure {
    case .failed: if attempt.hasRecovered(by: cutOff) { recovered += 1 }
    case .rolledBack, .crashed: (broken, settled) = (broken + 1, settled + 1)
    }
    reasons[attempt.word(of: failure, vocabulary), default: 0] += 1
  }

  private mutating func countLaunch(_ attempt: Attempt, _ cutOff: Timestamp, _ options: Failures.Options) {
    let launch = attempt.launch
    guard launch.happened, launch.at <= cutOff else { return }
    guard cutOff - launch.at >= options.rollbackAge else {
      appliesTooYoung += 1
      return
    }
    applies += 1
    let back = attempt.rolledBack
    if back.happened, back.at - launch.at <= options.rollbackAge { rolledBack += 1 }
  }
}

extension Attempt {
  /// As the client says why it failed; else what came after the launch.
  fileprivate func word(of failure: FailedStage, _ vocabulary: Vocabulary) -> String {
    switch failure {
    case .failed: reason.map(vocabulary.name) ?? Group.unnamed
    case .rolledBack, .crashed: failure.rawValue
    }
  }
}
