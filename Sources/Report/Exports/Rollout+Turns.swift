public import Lifecycle
internal import Query

/// Halts and their ends, as people in a chat are told of them: by themselves where the verdict stays what it was.
extension Rollout {
  /// When the rollout last went on after a halt; nil where it never did.
  var reopenedAt: Timestamp? { story.indices.last(where: isEndOfHalt).map { story[$0].at } }

  /// Those that the last verdict did not know of. Whoever was told of none learns of them with the first.
  ///
  /// - Parameter butForHalt: the verdict that is told now says that it is halted.
  func turns(_ told: RolloutTold, butForHalt: Bool) -> [RolloutFact] {
    guard told.verdict != nil else { return [] }
    let turns = story.indices.filter { place in
      (story[place].kind == .halted || isEndOfHalt(place))
        && !told.story.contains { $0.kind == story[place].kind && $0.at == story[place].at }
    }
    return turns.filter { !butForHalt || $0 != turns.last || story[$0].kind != .halted }.map(turn)
  }

  private func isEndOfHalt(_ place: Int) -> Bool {
    story[place].kind == .step && story[..<place].last { Self.moves.contains($0.kind) }?.kind == .halted
  }

  /// What says how many devices may have it.
  private static let moves: Set<RolloutFact.Kind> = [.published, .step, .halted]

  private func turn(_ place: Int) -> RolloutFact {
    let chapter = story[place]
    let (percent, isHalt) = (Self.percent(standing.facts, at: chapter.at), chapter.kind == .halted)
    let share = percent.map(Self.words) ?? Self.platforms(standing.facts, at: chapter.at) ?? "0%"
    let what = isHalt ? "halted" : "goes on at \(share)"
    let means = isHalt ? " No other device is offered it; those that have downloaded it may still start it." : ""
    let still = haltOnDevices.flatMap { isHalt && $0.since == chapter.at ? "\n\(sentence($0))" : nil } ?? ""
    return fact(
      .halted, chapter.level, at: chapter.at, detail: "\(chapter.at.rawValue) \(percent ?? 0)",
      title: "\(release) on \(channel): \(what)", text: "\(chapter.text)\(means)\(still)\nVerdict: \(verdictWord)",
      percent: percent, story: Array(story[...place]))
  }
}

extension RolloutFact {
  /// Of the last verdict that was told: that the publication which it was about was taken back.
  public func withdrawn(at now: Timestamp) -> RolloutFact {
    var fact = self
    (fact.id, fact.kind, fact.level, fact.at) = (withdrawnID, .halted, .warning, now)
    fact.title = "\(release) on \(channel): withdrawn"
    fact.text = """
      Its publication on \(channel) was taken back: \(release) is registered there no more.
      Verdict before: \(verdict ?? "none")
      """
    (fact.stage, fact.percent, fact.verdict, fact.figures) = (nil, nil, nil, nil)
    fact.rolloutByPlatform = nil
    return fact
  }

  public var withdrawnID: String { Self.id(app, release, channel, .halted, "withdrawn \(id)") }

  /// Whether, as it was told, somebody had registered the release and no other had taken its place.
  public var isOfPublication: Bool {
    switch stage {
    case .rollingOut, .paused, .complete: true
    case .scheduled, .superseded, .inferred, nil: false
    }
  }
}
