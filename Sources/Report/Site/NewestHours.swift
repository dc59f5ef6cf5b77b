internal import Console
public import Lifecycle
public import Query

/// What is known from the cutoff until now, while some events are still to come.
public struct NewestHours: Sendable {
  /// On the clock that starts at publication.
  public var adoption: Asked<Counted<Adoption>>
  public var reach: Asked<Reach>

  /// The rollout was widened or halted since the cutoff.
  let isMoved: Bool
  /// The newest hours end with that halt.
  let isUntilHalt: Bool

  public init(adoption: Asked<Counted<Adoption>>, reach: Asked<Reach>, _ facts: ReleaseFacts, now: Timestamp) {
    (self.adoption, self.reach) = (adoption, reach)
    isMoved = facts.isMoved(until: now)
    isUntilHalt = facts.haltedAt.map { $0 > facts.cutOff && $0 <= now } ?? false
  }

  /// The ages, in seconds, that are stated of them: ticks that the release was not followed to, and now.
  public static func ages(_ facts: ReleaseFacts, now: Timestamp) -> [Int64]? {
    facts.newest(now: now).map { age in
      let ticks = Ticks.ages(to: Double(StepChart.horizon(age, atMost: 14 * 86_400))).map { Int64($0) }
      return ticks.filter { $0 > facts.followed ?? 0 && $0 < age } + [age]
    }
  }

  var exhibits: [Exhibit] { [Exhibit(adoption), Exhibit(reach)] }
  var sinceRelease: Counted<Adoption>? { adoption.data.first { $0.counts.devices > 0 } }
  var end: String { isUntilHalt ? "Until the halt" : "Until now" }
  /// How far it is known.
  var age: Int64 { sinceRelease?.ages.last?.seconds ?? 0 }
}

extension ReleaseAnswers {
  /// Whether much of its time lies after the cutoff, so that what is counted up to there is little of what is known.
  var isMostlyNew: Bool {
    guard let newest, let followed = facts.followed else { return false }
    return newest.isMoved || (newest.age - followed) * 4 > newest.age
  }

  /// What is counted until now, or until the halt, where the rollout was widened or halted since the cutoff: figures up to there
  /// are of the devices that could have it then.
  var movedWords: HTML? {
    guard let newest, newest.isMoved, let row = newest.sinceRelease else { return nil }
    return "\(newest.end), provisional: \(row.counts.observedHTML)"
  }

  /// What that rests on.
  var movedExhibits: [Exhibit] {
    guard let newest, newest.isMoved else { return [] }
    return [Exhibit(newest.adoption)]
  }

  /// Why a line goes on faintly.
  var newestNote: HTML {
    guard newest != nil, case .integer(let lag) = standing.adoption.query.fields["reportingLagSeconds"] else {
      return ""
    }
    return " Drawn faint: the newest \(Console.duration(seconds: Double(lag))), provisional: 1% of events come later."
  }
}
