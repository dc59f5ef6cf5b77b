internal import Console
internal import Lifecycle
internal import Locks
internal import Store

/// Refuses events where this machine's clock lies well before what a service stored when it ran last, as that of a machine
/// which lost its time: the right times of devices would be more than a day ahead, and set back for good.
final class ClockGuard: Sendable {
  /// So far a clock may be behind.
  static let tolerance = Milliseconds.hours(1)
  /// When events were stored last, as an earlier run noted it; nil where nothing did, or somebody said that the clock is right.
  private let mark: Lock<Timestamp?>

  init(_ mark: Timestamp?) { self.mark = Lock(mark) }

  func refusal(at now: Timestamp) -> (code: String, message: String)? {
    guard let mark = mark.withLock({ $0 }), mark - now >= Self.tolerance else { return nil }
    return (
      "clock_behind",
      "this machine's clock says \(now.rfc3339), and events were stored at \(mark.rfc3339) already; nothing is taken until "
        + "it is set right, and nothing is lost"
    )
  }

  func accept() { mark.withLock { $0 = nil } }
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
    guard isAhead || stored != watch.stored && isDue, (try? log.noteClock(now)) != nil else { return }
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
