/// Decides when the newest releases are summarised anew, without the others.
struct OpenPace {
  private(set) var isAtWork = false
  /// From when on there is time for it, and when the last one is old.
  private var rested, outdated: ContinuousClock.Instant
  /// What was stored and announced when the newest one was begun.
  private var (stored, announced) = (-1, -1)
  /// Whether questions made use of the newest one.
  private var wasUsable = false

  private static let age = Swift.Duration.seconds(5)

  init(now: ContinuousClock.Instant) { (rested, outdated) = (now, now) }

  /// Whether to begin one; not before something was stored or announced since the last.
  mutating func look(_ standing: SummaryPace.Standing, isBusy: Bool, now: ContinuousClock.Instant) -> Bool {
    guard !isAtWork else { return false }
    let isLost = wasUsable && !standing.isOpenUsable
    wasUsable = wasUsable || standing.isOpenUsable
    guard isBusy, rested <= now, (stored, announced) != (standing.stored, standing.announced),
      outdated <= now || isLost || announced != standing.announced
    else { return false }
    (stored, announced, isAtWork, wasUsable) = (standing.stored, standing.announced, true, false)
    return true
  }

  mutating func note(took: Swift.Duration, failed: Bool, now: ContinuousClock.Instant) {
    (rested, outdated, isAtWork) = (now + took * SummaryPace.rest, now + Self.age, false)
    if failed { (rested, stored, announced) = (max(rested, outdated), -1, -1) }
  }
}
