internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

extension Rollout {
  private typealias Chapter = RolloutFact.Chapter

  /// What happened up to now, oldest first: published, steps, milestones, failures rising, halted, replaced.
  static func story(_ standing: Standing, _ now: Timestamp) -> [RolloutFact.Chapter] {
    guard let published = standing.facts.publishedAt, published <= now else { return [] }
    let chapters =
      [publication(standing.facts, published)] + steps(standing.facts, published) + milestones(standing, published)
      + [failuresRising(standing, now), superseded(standing.facts)].compactMap(\.self)
    return chapters.filter { $0.at <= now }.enumerated().sorted {
      ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
    }.map(\.element)
  }

  private static func publication(_ facts: ReleaseFacts, _ published: Lifecycle.Timestamp) -> Chapter {
    let progress = RolloutProgress(facts.starts, at: published)
    let apart = progress.apart.words.map { ": \($0)" } ?? ""
    let share = percent(facts, at: published).map { $0 < 100 ? " to \(words($0)) of devices" : "" } ?? apart
    let how = facts.isInferred ? "first heard of" : "published"
    return Chapter(
      kind: .published, level: .info, at: published, text: "\(facts.label) was \(how) on \(facts.channel)\(share).")
  }

  /// When shares of devices had it: estimated, or counted where the rollout came in steps.
  private static func milestones(_ standing: Standing, _ published: Lifecycle.Timestamp) -> [Chapter] {
    guard !standing.isOfOffered, let row = standing.sinceRelease, row.counts.devices >= Verdict.fewestDevices else {
      return []
    }
    let found =
      row.publications.contains(where: \.isStaged)
      ? countedMilestones(row.curve, standing.facts) : estimatedMilestones(row.curve, standing.facts.label)
    return found.map { seconds, text in
      Chapter(kind: .milestone, level: .info, at: published + .seconds(seconds), text: text)
    }
  }

  /// Where the estimated curve first reaches a share, and it is no guess of a few devices.
  private static func estimatedMilestones(_ curve: Curve, _ label: String) -> [(seconds: Int64, text: String)] {
    let end = curve.stableUntilSeconds ?? 0
    return zip(Curve.milestones, curve.reached).compactMap { share, reached -> (Int64, String)? in
      guard let reached, reached <= end else { return nil }
      return (
        reached,
        "\(Format.share(share, 0)) adoption of \(label) \(Console.duration(seconds: Double(reached))) after its publication, estimated for devices that could have it since."
      )
    }
  }

  /// From the last step on: before it, and by the curve, a share of the few that had been let have it would read as one of all.
  /// Data that end before that step know nothing of those that it lets in. Of shares that it had then, the greatest is told.
  private static func countedMilestones(_ curve: Curve, _ facts: ReleaseFacts) -> [(seconds: Int64, text: String)] {
    let known = zip(Curve.milestones, curve.counted).compactMap { share, reached in
      reached.flatMap { $0.tick < facts.followed ?? 0 ? (share: share, reached: $0) : nil }
    }
    let greatest = known.indices.filter { $0 + 1 == known.count || known[$0 + 1].reached.tick > known[$0].reached.tick }
    return greatest.map { index in
      let (share, reached) = known[index]
      let counts = "\(grouped(Int(reached.events))) of \(grouped(Int(reached.entered))) eligible devices"
      return (
        reached.tick,
        "\(Format.share(share, 0)) of devices had \(facts.label) \(Console.duration(seconds: Double(reached.tick))) after its publication, when its rollout was complete: \(counts), counted."
      )
    }
  }

  /// Failing more often than the release before, for certain, or above the limit.
  private static func failuresRising(_ standing: Standing, _ now: Lifecycle.Timestamp) -> Chapter? {
    guard let row = standing.failed else { return nil }
    let isMore = (row.previous?.difference.lo ?? 0) > 0
    guard isMore || row.stopRule.decision == .stop else { return nil }
    let against =
      isMore
      ? row.previous.map { "\($0.rate.text(.share)) of \($0.release)" } ?? ""
      : "a limit of \(Format.share(row.stopRule.limit))"
    return Chapter(
      kind: .failuresRising, level: .warning, at: min(now, standing.facts.cutOff),
      text: "First attempts at \(standing.facts.label) fail more often: \(row.rate.text(.share)), against \(against).")
  }

  private static func superseded(_ facts: ReleaseFacts) -> Chapter? {
    facts.supersededAt.map {
      Chapter(
        kind: .superseded, level: .info, at: $0,
        text: "A newer release took the place of \(facts.label) on \(facts.channel).")
    }
  }

  /// `10%`, `0.5%`.
  static func words(_ percent: Double) -> String { RolloutFigures.number(percent).text() + "%" }
}
