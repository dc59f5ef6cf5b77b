/// Decides when the newest releases are summarised anew, without the others.
struct OpenPace {
  private(set) var isAtWork = false
  /// From when on there is time for it where few events came in since, and where many did; and when the last one was made.
  private var rested: (few: ContinuousClock.Instant, many: ContinuousClock.Instant)
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
  private static let few = 20_000
  /// So many cost a question more than a summary does: of them there is one as soon as it has rested twice as long as it took.
  private static let many = 50_000
  private static let restOfMany = 2
  /// How old a summary may become with no more than few.
  private static let ageOfFew = Swift.Duration.seconds(180)

  init(now: ContinuousClock.Instant) { rested = (now, now) }

  /// Whether to begin one; not before something was stored or announced since the last.
  mutating func look(_ standing: SummaryPace.Standing, isBusy: Bool, now: ContinuousClock.Instant) -> Bool {
    guard !isAtWork else { return false }
    let isLost = wasUsable && !standing.isOpenUsable
    wasUsable = wasUsable || standing.isOpenUsable
    guard isBusy, hasRested(standing.stored, now), (stored, announced) != (standing.stored, standing.announced),
      isOutdated(standing.stored, now) || isLost || announced != standing.announced
    else { return false }
    isFirst = made == nil || isLost || announced != standing.announced
    (stored, announced, isAtWork, wasUsable) = (standing.stored, standing.announced, true, false)
    return true
  }

  mutating func note(took: Swift.Duration, failed: Bool, now: ContinuousClock.Instant) {
    // What is counted of all devices after a publication or a rollout step takes many times as long, and not again.
    let usual = self.took.map { min(took, $0 * 2) } ?? took
    let least = failed ? now + Self.age : now
    rested = (max(least, now + usual * SummaryPace.rest), max(least, now + usual * Self.restOfMany))
    (made, self.took, isAtWork) = (now, took, false)
    if failed { (made, stored, announced) = (nil, -1, -1) }
  }

  private func hasRested(_ stored: Int, _ now: ContinuousClock.Instant) -> Bool {
    now >= (stored - self.stored < Self.many ? rested.few : rested.many)
  }

  private func isOutdated(_ stored: Int, _ now: ContinuousClock.Instant) -> Bool {
    guard let made, stored - self.stored < Self.many else { return true }
    return now >= made + (stored - self.stored < Self.few && !isFirst ? Self.ageOfFew : Self.age)
  }
}
