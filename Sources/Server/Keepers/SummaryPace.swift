/// Decides when summaries are made: of everything once nothing comes in, and while events come in of what is folded, once for each
/// merge.
struct SummaryPace {
  enum Due: Equatable {
    case whole
    /// Without the events that wait.
    case folded
  }

  private var isAtWork = false
  private var rested: ContinuousClock.Instant
  /// What was stored and announced when the newest summary was begun, and at the last look.
  private var summarised = -1
  private var seen = -1
  /// What was folded and announced when the newest summary of that was begun; -1 where another took its place.
  private var folded = -1
  /// When nothing came in for the last time.
  private var quiet: ContinuousClock.Instant

  /// At most this share of the time of one core.
  private static let rest = 9
  /// Events come in for so long before it is worth while to summarise without them.
  static let busy = Swift.Duration.seconds(10)
  /// Between one that failed and the next attempt, at least.
  private static let restAfterFailure = Swift.Duration.seconds(10)

  init(now: ContinuousClock.Instant = .now) { (rested, quiet) = (now, now) }

  /// What to begin now, which is then at work until `note`.
  ///
  /// - Parameters:
  ///   - known: grows with every event and every publication; nil while events wait to be sorted.
  ///   - folded: grows with every merge and every publication; nil amid a merge.
  mutating func look(known: Int?, folded: Int?, now: ContinuousClock.Instant = .now) -> Due? {
    let isQuiet = known != nil && seen == known
    seen = known ?? -1
    if isQuiet { quiet = now }
    guard !isAtWork, rested <= now else { return nil }
    if isQuiet {
      guard let known, summarised != known else { return nil }
      (isAtWork, summarised, self.folded) = (true, known, -1)
      return .whole
    }
    guard let folded, self.folded != folded, now - quiet > Self.busy else { return nil }
    (isAtWork, summarised, self.folded) = (true, -1, folded)
    return .folded
  }

  mutating func note(took: Swift.Duration, failed: Bool, now: ContinuousClock.Instant = .now) {
    rested = now + max(took * Self.rest, failed ? Self.restAfterFailure : .zero)
    // What failed is tried again, also where nothing comes in meanwhile.
    if failed { (summarised, folded) = (-1, -1) }
    isAtWork = false
  }
}
