internal import Answers
internal import Console
internal import Lifecycle
internal import Store

/// Devices that were to be forgotten and are not yet, as where the service ended meanwhile, or an archive of theirs is not there: at the start, and
/// again until it is done. Who waits for an archive still takes events.
struct PendingForgetting {
  private let log: EventLog
  private let journal: ServiceLog
  /// nil where nothing is pending any more.
  private var next: ContinuousClock.Instant? = .now

  private static let rest = Swift.Duration.seconds(600)

  init(_ log: EventLog, _ journal: ServiceLog) { (self.log, self.journal) = (log, journal) }

  mutating func finishWhenDue(at time: Timestamp, now: ContinuousClock.Instant = .now) {
    guard let due = next, now >= due else { return }
    do throws(StoreError) {
      let devices = try log.finishForgetting(now: time)
      if devices > 0 { journal.write(.info, "devices_forgotten_at_start", ["devices": .integer(devices)]) }
      next = nil
    } catch {
      journal.write(
        .error, "forgetting_failed",
        [
          "reason": .string(error.description), "hint": .string(error.hint.words),
          "effect": .string("devices that were to be forgotten are not yet; it is tried again every ten minutes"),
        ])
      next = now + Self.rest
    }
  }

  /// What is asked for while the service runs, and fails, is tried again, too.
  mutating func noteFailure(now: ContinuousClock.Instant = .now) { next = now + Self.rest }
}
