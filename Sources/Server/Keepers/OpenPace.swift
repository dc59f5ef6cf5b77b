/// Decides when the newest releases are summarised anew, without the others.
struct OpenPace {
  private(set) var isAtWork = false
  /// From when on there is time for it, and when the last one was made.
  private var rested: ContinuousClock.Instant
  private var made: ContinuousClock.Instant?
  private var took: Swift.Duration?
  /// What was stored and announced when the newest one was begun.
  private var (stored, announced) = (-1, -1)
  /// Whether the newest one is the first by what is announced: the next one keeps more.
  private var isFirst = true
  /// Whether questions made use of the newest one.
  private var wasUsable = false

  private static let age = Swift.Duration.seconds(5)
  /// So few events cost a question little. Where many more came in reach is not made of all devices (`ReachLimits`).
  private static let few = 10_000
  /// How old a summary may become with no more than these.
  private static let ageOfFew = Swift.Duration.seconds(180)

  init(now: ContinuousClock.Instant) { rested = now }

  /// Whether to begin one; not before something was stored or announced since the last.
  mutating func look(_ standing: SummaryPace.Standing, isBusy: Bool, now: ContinuousClock.Instant) -> Bool {
    guard !isAtWork else { return false }
    let isLost = wasUsable && !standing.isOpenUsable
    wasUsable = wasUsable || standing.isOpenUsable
    guard isBusy, rested <= now, (stored, announced) != (standing.stored, standing.announced),
      isOutdated(standing.stored, now) || isLost || announced != standing.announced
    else { return false }
    isFirst = made == nil || isLost || announced != standing.announced
    (stored, announced, isAtWork, wasUsable) = (standing.stored, standing.announced, true, false)
    return true
  }

  mutating func note(took: Swift.Duration, failed: Bool, now: ContinuousClock.Instant) {
    // What is counted of all devices after a publication or a rollout step takes many times as long, and not again.
    let usual = self.took.map { min(took, $0 * 2) } ?? took
    (rested, made, self.took, isAtWork) = (now + usual * SummaryPace.rest, now, took, false)
    if failed { (rested, made, stored, announced) = (max(rested, now + Self.age), nil, -1, -1) }
  }

  private func isOutdated(_ stored: Int, _ now: ContinuousClock.Instant) -> Bool {
    guard let made else { return true }
    return now >= made + (stored - self.stored < Self.few && !isFirst ? Self.ageOfFew : Self.age)
  }
}
