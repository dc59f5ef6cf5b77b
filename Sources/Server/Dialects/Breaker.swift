internal import Lifecycle

/// Leaves a server alone for a while that has failed several times in a row: whoever asks then is not made to wait for it.
///
/// After the rest a single question goes through. What becomes of it decides whether the others follow.
struct Breaker {
  static let failuresInARow = 5
  static let rest = Duration.seconds(5)

  private var failures = 0
  private var restsUntil: ContinuousClock.Instant?
  private var isProbing = false

  /// Whether it is left alone, the question that goes through aside.
  var isOpen: Bool { failures >= Self.failuresInARow }

  /// Whether a question may go through. Each that does must be followed by `succeeded` or `failed`.
  mutating func mayAsk(_ now: ContinuousClock.Instant) -> Bool {
    guard isOpen else { return true }
    guard !isProbing, now >= restsUntil ?? now else { return false }
    isProbing = true
    return true
  }

  mutating func succeeded() { self = Breaker() }

  mutating func failed(_ now: ContinuousClock.Instant) {
    failures += 1
    isProbing = false
    if isOpen { restsUntil = now + Self.rest }
  }
}
