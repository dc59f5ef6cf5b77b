extension Verdict.Condition {
  public var decision: Verdict.Decision {
    switch self {
    case .crashing, .rollingBack, .failing, .fallingSilent: .stop
    case .replaced, .scheduled, .undone, .halted, .stale, .noLimit, .unsettled, .belowObjective, .slow: .wait
    case .healthy: .goOn
    }
  }

  /// Whether nothing about it can be decided, whatever else there is.
  var isFinal: Bool { self == .replaced || self == .scheduled }

  /// In capitals where the line begins with it.
  public var words: String {
    switch self {
    case .replaced: "replaced"
    case .scheduled: "scheduled"
    case .crashing: "crashing"
    case .rollingBack: "rolling back"
    case .failing: "failing"
    case .fallingSilent: "falling silent"
    case .undone: "undone"
    case .halted: "halted"
    case .stale: "data are stale"
    case .noLimit: "no limit"
    case .unsettled: "too early"
    case .belowObjective: "below objective"
    case .slow: "slow"
    case .healthy: "healthy"
    }
  }
}

extension Verdict.Decision {
  public var words: String {
    switch self {
    case .goOn: "go on"
    case .wait: "wait"
    case .stop: "stop"
    }
  }
}

extension Verdict {
  /// Where there is no event at all.
  static let noDevice = "no device was heard of yet"
  private static let noData = "no data yet"
  private var hasNoData: Bool { condition == .stale && reasons[0].sentence == Self.noDevice }

  /// What is the matter, in a word; what is likely the matter, where that would be too early to tell for certain.
  public var conditionWords: String {
    if hasNoData { return Self.noData }
    return Self.words(condition, likely: isLikelyHarmful ? reasons[0].subject : nil, isTooSmall: isTooSmall)
  }

  /// - Parameter likely: what likely harms.
  public static func words(_ condition: Condition, likely: Subject?, isTooSmall: Bool) -> String {
    switch likely {
    case .crashes, .lateCrashes: "likely crashing"
    case .rollbacks, .lateRollbacks: "likely rolling back"
    case .firstAttempts: "likely failing"
    case .silence: "likely falling silent"
    case .publication, .data, .running, .speed, .objective, nil:
      isTooSmall ? "too few" : condition.words
    }
  }

  /// `Stop: crashing`, with its platforms where these are not all, as pages name it; `Replaced` where there is nothing to decide.
  /// A warning goes before what to do: `Likely crashing: wait`.
  /// Of one that was halted the page says so: nobody is to halt it again.
  public var title: String { title(conditionWords + (decision == .stop && isHalted ? ", halted" : "")) }

  /// The same, as exports name it and know what they told: it is no news that a fleet has grown beyond too few devices.
  public var newsTitle: String { title(isLikelyHarmful || hasNoData ? conditionWords : condition.words) }

  private var isHalted: Bool { state == .paused || rolloutPercent == 0 }

  private func title(_ what: String) -> String {
    let words =
      condition.isFinal ? what : isLikelyHarmful ? "\(what): \(decision.words)" : "\(decision.words): \(what)"
    return words.prefix(1).uppercased() + words.dropFirst() + Self.apart(platforms)
  }

  /// ` (ios, web)`, behind what is about these platforms alone; nothing where it is about all.
  public static func apart(_ platforms: [String]) -> String {
    platforms.isEmpty ? "" : " (\(platforms.joined(separator: ", ")))"
  }

  /// Stop outweighs wait, which outweighs go on; nil where there is no row.
  public static func decision(_ rows: [Verdict]) -> Decision? {
    Decision.allCases.reversed().first { decision in rows.contains { $0.decision == decision } }
  }
}
