/// Decides when summaries are made: of everything once nothing comes in, and while events come in of what is sorted, when questions
/// have none to make use of and before a merge, which makes what was known before untellable.
struct SummaryPace {
  enum Due: Equatable {
    case whole
    /// Without the events that come in meanwhile.
    case sorted
  }

  private var atWork: Due?
  private var rested: ContinuousClock.Instant
  /// What was stored and announced when the newest summary was begun, and at the last look.
  private var summarised = -1
  private var seen = -1
  /// What was announced when the newest summary was begun.
  private var announced = -1
  /// When nothing came in for the last time.
  private var quiet: ContinuousClock.Instant

  /// At most this share of the time of one core.
  private static let rest = 9
  /// Events come in for so long before it is worth while to summarise without them.
  static let busy = Swift.Duration.seconds(10)
  /// Between one that failed, or did not know the last events, and the next, at least.
  private static let leastRest = Swift.Duration.seconds(10)

  init(now: ContinuousClock.Instant = .now) { (rested, quiet) = (now, now) }

  /// What to begin now, which is then at work until `note`.
  ///
  /// - Parameters:
  ///   - known: grows with every event and every publication; nil while events wait to be sorted.
  ///   - announced: grows with every publication.
  ///   - isUsable: whether questions can make use of the newest summary.
  mutating func look(
    known: Int?, announced: Int, isUsable: Bool, now: ContinuousClock.Instant = .now
  ) -> Due? {
    let isQuiet = known != nil && seen == known
    seen = known ?? -1
    if isQuiet { quiet = now }
    guard atWork == nil, rested <= now else { return nil }
    if isQuiet {
      guard let known, summarised != known else { return nil }
      summarised = known
      return begin(.whole, announced)
    }
    guard !isUsable || self.announced != announced, now - quiet > Self.busy else { return nil }
    return begin(.sorted, announced)
  }

  /// What to begin before a merge; `isAwaited` says whether the merge does better to wait for a summary.
  mutating func lookBeforeMerge(
    announced: Int, now: ContinuousClock.Instant = .now
  ) -> (due: Due?, isAwaited: Bool) {
    if atWork != nil { return (nil, true) }
    guard rested <= now, now - quiet > Self.busy else { return (nil, false) }
    return (begin(.sorted, announced), true)
  }

  private mutating func begin(_ due: Due, _ announced: Int) -> Due {
    if due == .sorted { summarised = -1 }
    (atWork, self.announced) = (due, announced)
    return due
  }

  mutating func note(took: Swift.Duration, failed: Bool, now: ContinuousClock.Instant = .now) {
    rested = now + max(took * Self.rest, failed || atWork == .sorted ? Self.leastRest : .zero)
    // What failed is tried again, also where nothing comes in meanwhile.
    if failed { (summarised, announced) = (-1, -1) }
    atWork = nil
  }
}
