internal import Console
public import Lifecycle
internal import Query
internal import Statistics

/// A release on a channel, as it is told to others: its story, and the facts that are news.
public struct Rollout: Sendable {
  public let app: String
  public let now: Timestamp
  let standing: Standing
  let figures: RolloutFigures
  public let story: [RolloutFact.Chapter]
  /// nil where it was never published.
  let verdict: Verdict?

  public init(_ standing: Standing, app: String, now: Timestamp) {
    (self.app, self.now, self.standing) = (app, now, standing)
    figures = RolloutFigures(standing)
    verdict = standing.verdict.data.first
    story = Self.story(standing, now)
  }

  public var release: String { standing.facts.label }
  public var channel: String { standing.facts.channel }
  public var verdictWord: String { verdict?.newsTitle ?? "Not published" }

  /// What happened at `since` or later, in order of time.
  ///
  /// - Parameters:
  ///   - told: what is no news.
  ///   - isChat: of halts and their ends a chat is told where no verdict tells of them.
  ///   - interval: seconds between readings of the figures.
  public func facts(
    _ kinds: Set<RolloutFact.Kind>, since: Timestamp, told: RolloutTold, isChat: Bool = false, interval: Int64 = 600
  ) -> [RolloutFact] {
    guard let published = standing.facts.publishedAt, published <= now else { return [] }
    // Whoever never heard of a release need not hear that another took its place.
    let isNews = isNews(told) && (told.verdict != nil || verdict?.condition != .replaced)
    let saysHalted = isNews && verdict?.condition == .halted
    var facts =
      isChat
      ? turns(told, butForHalt: saysHalted) + [reminder(told, since: since)].compactMap(\.self)
      : story.indices.map { fact(story[$0], until: $0, told) }
    if isNews { facts.append(verdictFact(times: told.verdicts)) }
    facts.append(reading(interval))
    return facts.filter { kinds.contains($0.kind) && $0.at >= since && $0.at <= now }
  }

  /// Also the same verdict, where the publication that was taken back is there again.
  private func isNews(_ told: RolloutTold) -> Bool {
    told.verdict != verdictWord || told.isWithdrawn && !standing.facts.isInferred
  }

  private func fact(_ chapter: RolloutFact.Chapter, until place: Int, _ told: RolloutTold) -> RolloutFact {
    let percent = Self.percent(standing.facts, at: chapter.at)
    let moved = chapter.kind == .published ? publicationMoved(told.publishedAt) : nil
    let detail =
      switch chapter.kind {
      case .step, .halted: "\(chapter.at.rawValue) \(percent ?? 0)"
      case .milestone: String(chapter.text.prefix { $0 != "%" })
      case .published where moved != nil: String(chapter.at.rawValue)
      // It was the newest again meanwhile, as after a halt of the one that took its place.
      case .superseded where told.supersededAt.map({ $0 < chapter.at }) ?? false: String(chapter.at.rawValue)
      case .failuresRising: reopenedAndFailing.map { String($0.rawValue) } ?? ""
      default: ""
      }
    let before = moved.map { " Told before as of \($0.words)." } ?? ""
    return fact(
      chapter.kind, chapter.level, at: chapter.at, detail: detail, title: "\(release) on \(channel)",
      text: chapter.text + before, percent: percent, story: Array(story[...place]))
  }

  /// The time that was told before, where it was registered at another one since. What is only heard of moves with each late event.
  private func publicationMoved(_ told: Timestamp?) -> Timestamp? {
    standing.facts.isInferred || told == standing.facts.publishedAt ? nil : told
  }

  /// When the rollout went on after a halt, where what came since says by itself that attempts fail too often.
  private var reopenedAndFailing: Timestamp? {
    standing.failed?.stopRule.decision == .stop ? reopenedAt : nil
  }

  private func verdictFact(times: Int) -> RolloutFact {
    let reasons = verdict?.reasons.map { $0.sentence.capitalizedFirst(butFor: standing.platforms) } ?? []
    let words = reasons + stillRun.map(sentence) + haltsAndSteps + standing.figures.map(\.text)
    var fact = fact(
      .verdict, verdict?.level ?? .info, at: now, detail: String(times),
      title: "\(release) on \(channel): \(verdictWord)",
      text: words.joined(separator: "\n"), percent: Self.percent(standing.facts, at: now), story: story)
    fact.verdict = verdictWord
    fact.story.append(.init(kind: .verdict, level: fact.level, at: now, text: "\(verdictWord). \(words.first ?? "")"))
    return fact
  }

  /// At the start of the interval that the present lies in, so that each interval is told once.
  private func reading(_ interval: Int64) -> RolloutFact {
    let at = Timestamp(rawValue: now.rawValue - now.rawValue % (interval * 1000))
    return fact(
      .figures, .info, at: at, detail: String(at.rawValue), title: "\(release) on \(channel)",
      text: standing.figures.map(\.text).joined(separator: "\n"), percent: Self.percent(standing.facts, at: now),
      story: [])
  }

  func fact(
    _ kind: RolloutFact.Kind, _ level: RolloutFact.Level, at: Timestamp, detail: String, title: String, text: String,
    percent: Double?, story: [RolloutFact.Chapter]
  ) -> RolloutFact {
    RolloutFact(
      id: RolloutFact.id(app, release, channel, kind, detail), kind: kind, level: level, app: app, release: release,
      channel: channel, at: at, title: title, text: text, stage: Self.stage(standing.facts, at: now), percent: percent,
      rolloutByPlatform: percent == nil ? Self.platforms(standing.facts, at: min(at, now)) : nil,
      verdict: nil, publishedAt: standing.facts.publishedAt, figures: figures, story: story, finding: nil)
  }
}

extension Verdict {
  fileprivate var level: RolloutFact.Level {
    switch condition {
    case .crashing, .rollingBack, .failing, .fallingSilent: .error
    case .undone where decision == .stop: .error
    case .undone, .halted, .stale, .noLimit, .belowObjective, .slow: .warning
    case .unsettled where isLikelyHarmful: .warning
    case .healthy, .unsettled, .replaced, .scheduled: .info
    }
  }
}

extension Rollout {
  /// The share of devices that may have it at an instant; nil before its publication, where nobody registered one, and where
  /// platforms differ.
  static func percent(_ facts: ReleaseFacts, at instant: Timestamp) -> Double? {
    facts.isInferred ? nil : RolloutProgress(facts.starts, at: instant).percent
  }

  /// `ios 100%, android 20%`; nil where platforms do not differ.
  static func platforms(_ facts: ReleaseFacts, at instant: Timestamp) -> String? {
    RolloutProgress(facts.starts, at: instant).apart.words
  }

  static func stage(_ facts: ReleaseFacts, at now: Timestamp) -> Releases.State {
    Releases.State(
      RolloutProgress(facts.starts, at: now), isInferred: facts.isInferred, isSuperseded: facts.supersededAt != nil)
  }
}
