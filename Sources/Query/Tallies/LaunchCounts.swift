import Lifecycle
import Store

/// What became of devices in the day after they launched a release, whatever part of that day is over.
package struct LaunchCounts: Mergeable, Equatable {
  /// How long after a launch a rollback or a crash counts as the release's.
  static let watched = Milliseconds.days(1)

  var launched = 0
  /// Launched less than a day ago, by the span of time since.
  var young = [Int](repeating: 0, count: Harm.spans.count)
  var crashes = Harm()
  var rollbacks = Harm()
  /// Where the release is judged itself: when what happened.
  var looks: Looks?

  /// The same at every look since the publication.
  struct Looks: Mergeable, Equatable {
    var crashes = HarmLooks()
    var rollbacks = HarmLooks()

    mutating func add(_ other: Self, times: Int) {
      crashes.add(other.crashes, times: times)
      rollbacks.add(other.rollbacks, times: times)
    }
  }

  package init(launched: Int = 0) { self.launched = launched }

  mutating func add(_ other: Self, times: Int) {
    launched += times * other.launched
    for span in young.indices { young[span] += times * other.young[span] }
    crashes.add(other.crashes, times: times)
    rollbacks.add(other.rollbacks, times: times)
    if let more = other.looks {
      var sum = looks ?? Looks()
      sum.add(more, times: times)
      looks = sum == Looks() ? nil : sum
    }
  }

  /// How long it takes until so many launches are a day old; nil where they are, and where there are fewer.
  func settling(_ fewest: Int) -> Milliseconds? {
    var settled = launched - young.reduce(0, +)
    guard settled < fewest else { return nil }
    for span in young.indices.reversed() {
      settled += young[span]
      if settled >= fewest { return Milliseconds(rawValue: Self.watched.rawValue - Harm.spans[span] * 60_000) }
    }
    return nil
  }

  mutating func add(_ attempt: Attempt, now: Timestamp, _ grid: LookGrid? = nil) {
    if let launch = Launch(attempt) { add(launch, now: now, grid) }
  }

  /// - Parameters:
  ///   - now: nothing later is looked at. No reporting lag is taken off: what has not arrived yet of the newest hours makes
  ///     the count of harm too low, never too high.
  ///   - grid: where it is to be known what each look found.
  mutating func add(_ one: Launch, now: Timestamp, _ grid: LookGrid? = nil) {
    let launch = one.at
    guard launch <= now else { return }
    launched += 1
    let age = now - launch
    if age < Self.watched { young[Harm.span(age)] += 1 }
    func until(_ time: Timestamp?) -> Milliseconds? {
      guard let time, time <= now, time - launch < Self.watched else { return nil }
      return max(time - launch, Milliseconds(rawValue: 0))
    }
    let rollback = until(one.rolledBack)
    // A device that was rolled back does not run the release any more: it cannot crash in it.
    let crash = until(one.crashed).flatMap { crash in rollback.map { crash <= $0 } ?? true ? crash : nil }
    rollbacks.add(rollback, watchedFor: age)
    crashes.add(crash, watchedFor: min(age, rollback ?? age))
    guard let grid else { return }
    var looks = looks.take() ?? Looks()
    looks.rollbacks.add(grid, from: launch, rollback.map { .happened($0) })
    looks.crashes.add(grid, from: launch, crash.map { .happened($0) } ?? rollback.map { .left($0) })
    self.looks = looks
  }
}

/// When a device launched a release, and when something bad was heard of it.
struct Launch: Hashable {
  var at: Timestamp
  var rolledBack: Timestamp?
  var crashed: Timestamp?

  init(at: Timestamp, rolledBack: Timestamp? = nil, crashed: Timestamp? = nil) {
    (self.at, self.rolledBack, self.crashed) = (at, rolledBack, crashed)
  }

  /// nil where the device did not launch it.
  init?(_ attempt: Attempt) {
    guard attempt.launch.happened else { return nil }
    func time(_ first: FirstTime) -> Timestamp? { first.happened ? first.at : nil }
    self.init(at: attempt.launch.at, rolledBack: time(attempt.rolledBack), crashed: time(attempt.crashed))
  }

  var isHarmed: Bool { rolledBack != nil || crashed != nil }
}
