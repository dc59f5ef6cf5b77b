/// Decides when summaries are made: of everything once nothing comes in, and while events come in of what is sorted, when questions
/// have none to make use of and before a merge, which makes what was known before untellable. Those of the newest releases only, which
/// cost little, are made every few seconds while events come in, beside the others.
struct SummaryPace {
  enum Due: String, Codable, Sendable {
    case whole
    /// Without the events that come in meanwhile.
    case sorted
    /// The same, of the newest releases only.
    case open
  }

  /// How things stand when it is decided what to begin.
  struct Standing {
    /// Grows with every event and every publication; nil while events wait to be sorted.
    var known: Int?
    /// Grows with every event.
    var stored = 0
    /// Grows with every publication.
    var announced: Int
    /// Whether questions can make use of the newest summary, and of the newest of the newest releases.
    var isUsable: Bool
    var isOpenUsable = true
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
  private var open: OpenPace

  /// At most this share of the time of one core, and as much for those of the newest releases.
  static let rest = 9
  /// Events come in for so long before it is worth while to summarise without them.
  static let busy = Swift.Duration.seconds(10)
  /// Between one that failed, or did not know the last events, and the next, at least.
  private static let leastRest = Swift.Duration.seconds(10)

  /// - Parameter announced: what was announced when the summary in place was made, where that is known.
  init(now: ContinuousClock.Instant = .now, announced: Int? = nil) {
    (rested, quiet, open) = (now, now, OpenPace(now: now))
    self.announced = announced ?? -1
  }

  /// What to begin now, which is then at work until `note`.
  mutating func look(_ standing: Standing, now: ContinuousClock.Instant = .now) -> [Due] {
    let isQuiet = standing.known != nil && seen == standing.known
    seen = standing.known ?? -1
    if isQuiet { quiet = now }
    let due = isQuiet ? lookWhenQuiet(standing, now) : lookWhenBusy(standing, now)
    return [due, open.look(standing, isBusy: now - quiet > Self.busy, now: now) ? .open : nil].compactMap(\.self)
  }

  private mutating func lookWhenQuiet(_ standing: Standing, _ now: ContinuousClock.Instant) -> Due? {
    guard let known = standing.known, summarised != known, atWork == nil, rested <= now else { return nil }
    summarised = known
    return begin(.whole, standing.announced)
  }

  private mutating func lookWhenBusy(_ standing: Standing, _ now: ContinuousClock.Instant) -> Due? {
    guard !standing.isUsable || announced != standing.announced, now - quiet > Self.busy, atWork == nil, rested <= now
    else { return nil }
    return begin(.sorted, standing.announced)
  }

  /// What to begin before a merge; `isAwaited` says whether the merge does better to wait for a summary.
  mutating func lookBeforeMerge(
    announced: Int, now: ContinuousClock.Instant = .now
  ) -> (due: Due?, isAwaited: Bool) {
    if atWork != nil || open.isAtWork { return (nil, true) }
    guard rested <= now, now - quiet > Self.busy else { return (nil, false) }
    return (begin(.sorted, announced), true)
  }

  private mutating func begin(_ due: Due, _ announced: Int) -> Due {
    if due == .sorted { summarised = -1 }
    (atWork, self.announced) = (due, announced)
    return due
  }

  mutating func note(_ due: Due, took: Swift.Duration, failed: Bool, now: ContinuousClock.Instant = .now) {
    if due == .open { return open.note(took: took, failed: failed, now: now) }
    rested = now + max(took * Self.rest, failed || due == .sorted ? Self.leastRest : .zero)
    // What failed is tried again, also where nothing comes in meanwhile.
    if failed { (summarised, announced) = (-1, -1) }
    atWork = nil
  }
}
