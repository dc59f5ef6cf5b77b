public import Lifecycle

extension RolloutFact {
  /// As it is told to a receiver that takes nothing old, or gives it another time, where it waited too long: a verdict or a finding as of
  /// now, with its time in words, as it may be the last that was said of its subject; nil for the rest.
  public func told(at now: Timestamp, noticedAt: Timestamp, to target: ExportTarget) -> RolloutFact? {
    // What is told without waiting is as old as `--now` made it.
    guard let oldest = target.manners.oldest, now - noticedAt > .hours(1), now - at > .seconds(oldest) else {
      return self
    }
    guard kind == .verdict || kind == .finding else { return nil }
    var late = self
    (late.at, late.text) = (now, "Of \(at.rfc3339), told late. \(text)")
    return late
  }
}
