package import Lifecycle
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

  package init(launched: Int = 0) { self.launched = launched }

  mutating func add(_ other: Self, times: Int) {
    launched += times * other.launched
    for span in young.indices { young[span] += times * other.young[span] }
    crashes.add(other.crashes, times: times)
    rollbacks.add(other.rollbacks, times: times)
  }

  /// - Parameter now: nothing later is looked at. No reporting lag is taken off: what has not arrived yet of the newest hours
  ///   makes the count of harm too low, never too high.
  mutating func add(_ attempt: Attempt, now: Timestamp) {
    let launch = attempt.launch.at
    guard attempt.launch.happened, launch <= now else { return }
    launched += 1
    let age = now - launch
    if age < Self.watched { young[Harm.span(age)] += 1 }
    func until(_ time: FirstTime) -> Milliseconds? {
      guard time.happened, time.at <= now, time.at - launch < Self.watched else { return nil }
      return max(time.at - launch, Milliseconds(rawValue: 0))
    }
    let (crash, rollback) = (until(attempt.crashed), until(attempt.rolledBack))
    rollbacks.add(rollback, watchedFor: age)
    // A device that was rolled back does not run the release any more: it cannot crash in it.
    crashes.add(
      crash.flatMap { crash in rollback.map { crash <= $0 } ?? true ? crash : nil },
      watchedFor: min(age, rollback ?? age))
  }
}

/// How often something bad happened, by the time since the launch, and how many devices were watched through each span.
///
/// Whole numbers that add up: each device is in exactly one of `happened`, `inside` and `survived`.
package struct Harm: Mergeable, Equatable {
  /// Where spans begin, in minutes since the launch; the last one ends with the day.
  static let spans: [Int64] = [0, 1, 5, 15, 30, 60, 120, 180, 240, 360, 480, 720, 960, 1200]

  private(set) var happened = [Int](repeating: 0, count: spans.count)
  /// Not watched to the end of the span.
  private(set) var inside = [Int](repeating: 0, count: spans.count)
  private(set) var survived = 0

  package init() {}

  static func span(_ age: Milliseconds) -> Int {
    let minutes = age.rawValue / 60_000
    return (spans.lastIndex { $0 <= minutes }) ?? 0
  }

  mutating func add(_ other: Self, times: Int) {
    for span in happened.indices {
      happened[span] += times * other.happened[span]
      inside[span] += times * other.inside[span]
    }
    survived += times * other.survived
  }

  /// - Parameter age: of the launch when it happened; nil where it did not, as far as the device was watched.
  package mutating func add(_ age: Milliseconds?, watchedFor end: Milliseconds) {
    if let age {
      happened[Self.span(age)] += 1
    } else if end >= LaunchCounts.watched {
      survived += 1
    } else {
      inside[Self.span(end)] += 1
    }
  }
}

extension Harm {
  var events: Int { happened.reduce(0, +) }

  /// Devices that were watched in each span, to its end or not.
  private var entered: [Int] {
    var (left, entered) = (survived, [Int](repeating: 0, count: happened.count))
    for span in happened.indices.reversed() {
      left += happened[span] + inside[span]
      entered[span] = left
    }
    return entered
  }

  /// The chance in each span of those who were watched through it.
  var chances: [Double] {
    zip(entered, zip(happened, inside)).map { entered, counts in
      entered > counts.1 ? Double(counts.0) / Double(entered - counts.1) : 0
    }
  }

  /// How often it would have happened by now at such chances; a span counts whole once a device is in it, so this is never too low.
  func expected(_ chances: [Double]) -> Double { zip(entered, chances).reduce(0) { $0 + Double($1.0) * $1.1 } }
}
