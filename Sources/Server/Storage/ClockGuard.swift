internal import Console
internal import Lifecycle
internal import Locks
internal import Store

/// Refuses events where this machine's clock lies well before what it said already, as that of a machine which lost its time: the
/// right times of devices would be more than a day ahead, and set back for good.
///
/// Until a service stores events that is when they were stored last, in an earlier run. From then on it is what the clock said at
/// first and the time that has passed since: one that leaps ahead and is set right again was not behind.
final class ClockGuard: Sendable {
  /// So far a clock may be behind.
  static let tolerance = Milliseconds.hours(1)
  private struct Known {
    /// When events were stored last, as an earlier run noted it; nil where nothing did, or somebody said that the clock is right.
    var mark: Timestamp?
    var start: (said: Timestamp, at: ContinuousClock.Instant)?
  }
  private let known: Lock<Known>

  init(_ mark: Timestamp?) { known = Lock(Known(mark: mark)) }

  /// - Parameter instant: by a clock that nobody sets.
  func refusal(at now: Timestamp, _ instant: ContinuousClock.Instant = .now) -> (code: String, message: String)? {
    let known = known.withLock { $0 }
    let due = known.start.map { $0.said + Milliseconds(rawValue: Int64((instant - $0.at) / .milliseconds(1))) }
    guard let least = due ?? known.mark, least - now >= Self.tolerance else { return nil }
    let why =
      due == nil
      ? "events were stored at \(least.rfc3339) already"
      : "fell back: by the time that passed since the service began to store events it is \(least.rfc3339)"
    return (
      "clock_behind",
      "this machine's clock says \(now.rfc3339), and \(why); nothing is taken until it is set right, and nothing is lost"
    )
  }

  /// Events are stored while the clock says this: from the first time on, the time that passes is counted.
  func count(from now: Timestamp, _ instant: ContinuousClock.Instant = .now) {
    known.withLock { if $0.start == nil { $0.start = (now, instant) } }
  }

  /// Whatever the clock says is right.
  func accept() { known.withLock { $0 = Known() } }
}

/// What the watch knows of the clock.
struct ClockWatch {
  fileprivate var isBehind = false
  fileprivate var stored = 0
  fileprivate var noted: ContinuousClock.Instant?
  /// The time that was noted: where the clock was set back since, it is noted anew.
  fileprivate var mark: Timestamp?
}

extension Service {
  /// Says once that the clock is behind; else notes when events were stored last, for the next start.
  func watchClock(_ watch: inout ClockWatch, isLast: Bool = false) {
    let refusal = clockGuard.refusal(at: now)
    if let refusal, !watch.isBehind {
      journal.write(
        .error, refusal.code,
        [
          "reason": .string(refusal.message),
          "hint": .string(
            "set the clock right; where it is right, and was ahead before, say so with systemctl reload, or SIGHUP"),
        ])
    }
    if refusal == nil, watch.isBehind { journal.write(.info, "clock_is_right") }
    watch.isBehind = refusal != nil
    if refusal == nil { noteClock(&watch, isLast) }
  }

  /// Once a minute while events are stored. Where it cannot be noted it is tried again.
  private func noteClock(_ watch: inout ClockWatch, _ isLast: Bool) {
    let stored = log.tally.stored
    let isDue = isLast || watch.noted.map { ContinuousClock.now - $0 >= Swift.Duration.seconds(60) } ?? true
    let now = now
    let isAhead = watch.mark.map { $0 > now } ?? false
    guard isAhead || stored != watch.stored && isDue else { return }
    clockGuard.count(from: now)
    guard (try? log.noteClock(now)) != nil else { return }
    (watch.stored, watch.noted, watch.mark) = (stored, ContinuousClock.now, now)
  }

  /// Who has the settings read again while events are refused for it says that the clock is right.
  public func acceptClock() {
    guard clockGuard.refusal(at: now) != nil else { return }
    clockGuard.accept()
    try? log.noteClock(now)
    journal.write(.warning, "clock_accepted", ["now": .string(now.rfc3339)])
  }
}
