internal import Console
internal import Lifecycle
internal import Query

/// What operators did with a rollout after its publication, on every platform.
extension Rollout {
  /// Of platforms that got the release apart what happened at one instant is told at once, and a halt of some of them is a step.
  static func steps(_ facts: ReleaseFacts, _ published: Timestamp) -> [RolloutFact.Chapter] {
    let moves = facts.starts.flatMap { $0.moves(since: published) }
    return Set(moves.map(\.at)).sorted().map { instant in
      let isHalt = RolloutProgress(facts.starts, at: instant).percent == 0
      return RolloutFact.Chapter(
        kind: isHalt ? .halted : .step,
        level: moves.contains { $0.at == instant && $0.percent == 0 } ? .warning : .info,
        at: instant, text: sentence(moves.filter { $0.at == instant }, facts))
    }
  }

  private static func sentence(_ moves: [Move], _ facts: ReleaseFacts) -> String {
    let isOfAll = moves.count == facts.starts.count && Set(moves.map(\.percent)).count == 1
    guard !isOfAll else { return "\(facts.label) \(moves[0].words(on: facts.channel))." }
    let names = firstFew(
      moves.map { "\($0.words(on: facts.channel)) for \($0.platform ?? "other platforms")" }, atMost: 5)
    return "\(facts.label) \(names)."
  }

  fileprivate struct Move {
    var platform: String?
    var at: Timestamp
    var percent: Double
    var isPublication = false

    func words(on channel: String) -> String {
      if isPublication, percent >= 100 { return "was published on \(channel)" }
      if isPublication { return "was published on \(channel) to \(Rollout.words(percent)) of devices" }
      return percent > 0
        ? "goes to \(Rollout.words(percent)) of devices on \(channel)" : "was halted on \(channel)"
    }
  }
}

extension Timeline.PlatformStart {
  /// Its own publication, where that came later than the first, and the steps after that.
  fileprivate func moves(since published: Timestamp) -> [Rollout.Move] {
    let first = start.publishedAt
    let came = first > published ? [first] : []
    let later = start.rollout.map(\.at).filter { $0 > max(first, published) }
    return (came + later).map { instant in
      let percent = RolloutProgress([self], at: instant).percent ?? 0
      return Rollout.Move(platform: platform, at: instant, percent: percent, isPublication: instant == first)
    }
  }
}
