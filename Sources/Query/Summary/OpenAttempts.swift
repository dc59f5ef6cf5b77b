import Lifecycle
import Store

/// First attempts of one release on one segment, with the cutoff left open, so that any later one can be put in.
///
/// An attempt changes with the cutoff only while it is younger than `attemptAge`, or its launch than `rollbackAge`: the first
/// are kept whole, of the second the times. All others are counted. Exact for every cutoff from `since` on, of devices whose
/// journeys tell nothing beyond `since`. Tested in `SummaryTests`.
struct OpenAttempts {
  static let options = Failures.Options()
  /// Late enough for every launch to be old.
  private static let end = Timestamp(rawValue: 1 << 52)

  /// Of attempts that are old enough, as if their launches were, too.
  var counts = AttemptCounts()
  var harm = AttemptHarm()
  /// Of these attempts the launches that are not.
  var launches: [YoungLaunch] = []
  var young: [Attempt] = []
  /// What became of the launches in the day after each; see `OpenLaunches`.
  var watched = OpenLaunches()

  /// Of an attempt whose launch may be too young at a cutoff.
  struct YoungLaunch: RawRepresentable {
    /// `time << 2`, and 1 where the attempt failed, 2 where the launch counts as rolled back.
    let rawValue: Int64
    var at: Timestamp { Timestamp(rawValue: rawValue >> 2) }
    var hasFailed: Bool { rawValue & 1 == 1 }
    var isRolledBack: Bool { rawValue & 2 == 2 }

    init(rawValue: Int64) { self.rawValue = rawValue }
    init(at: Timestamp, hasFailed: Bool, isRolledBack: Bool) {
      rawValue = at.rawValue << 2 | (hasFailed ? 1 : 0) | (isRolledBack ? 2 : 0)
    }
  }

  var isEmpty: Bool { counts.attempts == 0 && young.isEmpty }

  mutating func add(_ attempt: Attempt, since: Timestamp, _ vocabulary: Vocabulary, _ grid: LookGrid?) {
    guard since - attempt.start.at >= Self.options.attemptAge else {
      young.append(attempt)
      return
    }
    let before = (counts.failed, counts.rolledBack)
    counts.add(attempt, Self.end, Self.options, vocabulary)
    harm.add(attempt, Self.end, Self.options, vocabulary, grid)
    guard let launch = Launch(attempt) else { return }
    watched.add(launch, since: since, grid)
    guard since - launch.at < Self.options.rollbackAge else { return }
    launches.append(
      YoungLaunch(
        at: launch.at, hasFailed: counts.failed > before.0, isRolledBack: counts.rolledBack > before.1))
  }

  mutating func add(_ other: OpenAttempts) {
    counts.add(other.counts)
    harm.add(other.harm)
    launches += other.launches
    young += other.young
    watched.add(other.watched, times: 1)
  }

  /// Takes out what was put in, of both of which the same is young.
  mutating func subtract(_ other: OpenAttempts, _ vocabulary: Vocabulary) {
    counts.subtract(other.counts)
    harm.subtract(other.harm)
    watched.add(other.watched, times: -1)
    var old = launches.map(\.rawValue)
    old.add(bag: other.launches.map(\.rawValue), times: -1)
    launches = old.map(YoungLaunch.init)
    var out = Dictionary(other.young.map { ($0.named(vocabulary), 1) }, uniquingKeysWith: +)
    young.removeAll { attempt in
      let name = attempt.named(vocabulary)
      guard let left = out[name], left > 0 else { return false }
      out[name] = left - 1
      return true
    }
  }

  /// The same with less that is young, at a later instant.
  func moved(to since: Timestamp, _ vocabulary: Vocabulary, _ grid: LookGrid?) -> OpenAttempts {
    var moved = self
    moved.launches = launches.filter { since - $0.at < Self.options.rollbackAge }
    moved.watched.move(to: since, launches, grid)
    moved.young = []
    for attempt in young { moved.add(attempt, since: since, vocabulary, grid) }
    return moved
  }
}

// MARK: at a cutoff

extension OpenAttempts {
  func counts(at cutOff: Timestamp, _ vocabulary: Vocabulary) -> AttemptCounts {
    var counts = counts
    for launch in launches where cutOff - launch.at < Self.options.rollbackAge {
      if !launch.hasFailed { counts.settled -= 1 }
      (counts.applies, counts.appliesTooYoung) = (counts.applies - 1, counts.appliesTooYoung + 1)
      if launch.isRolledBack { counts.rolledBack -= 1 }
    }
    for attempt in young { counts.add(attempt, cutOff, Self.options, vocabulary) }
    return counts
  }

  /// - Parameters:
  ///   - grid: nil where looks are not asked for.
  ///   - endless: the grid that looks were counted by.
  func harm(
    at cutOff: Timestamp, _ vocabulary: Vocabulary, _ grid: LookGrid?, countedBy endless: LookGrid?
  ) -> AttemptHarm {
    var harm = harm
    let looks = harm.looks.take()
    if let grid, let endless, let looks { harm.looks = looks.seen(by: grid, countedBy: endless) }
    for launch in launches where !launch.hasFailed && cutOff - launch.at < Self.options.rollbackAge {
      harm.activation.shorten(cutOff - launch.at)
    }
    for attempt in young { harm.add(attempt, cutOff, Self.options, vocabulary, grid) }
    return harm
  }
}

extension AttemptHarm.Looks {
  fileprivate func seen(by grid: LookGrid, countedBy endless: LookGrid) -> Self {
    var looks = Self()
    looks.delivery = delivery.seen(by: grid, countedBy: endless)
    looks.activation = activation.seen(by: grid, countedBy: endless)
    return looks
  }
}
