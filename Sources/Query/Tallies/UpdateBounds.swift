import Lifecycle
import Statistics

/// Between which contacts devices updated, where nobody saw when; adds up in any order.
struct UpdateBounds: Mergeable {
  private(set) var times = PolledTimes()
  private(set) var updates = 0
  /// How far apart the bounds of the others are.
  private(set) var gaps = IntervalCounts()
  /// Updates of which only bounds are known.
  private(set) var open = 0

  /// Of so many, and of one update in ten, times are estimated between their bounds.
  static let fewest = 30

  /// Whether times of checks would mislead.
  var areNotable: Bool { open >= Self.fewest && open * 10 >= updates }

  /// A stretch of a device that says its launches, in milliseconds.
  mutating func add(watched from: Int64, _ to: Int64, origin: Int64, _ ending: Ending) {
    let interval = Interval(
      from: Timestamp(rawValue: from), to: Timestamp(rawValue: to), origin: Timestamp(rawValue: origin), ending: ending)
    if case .event(let cause) = ending, cause != .newerRelease {
      updates += 1
      times.add(entry: interval.entry, after: interval.exit - 1, upTo: interval.exit, cause: cause)
    } else {
      times.add(entry: interval.entry, after: interval.exit, upTo: nil)
    }
  }

  /// Of one that only checks: when it was last without the update and first with it; nil for never.
  mutating func add(entry: Int64, after: Int64, upTo: Int64?, origin: Int64, _ cause: Cause) {
    func tick(_ at: Int64) -> Tick { Milliseconds(rawValue: at - origin).secondsRoundedDown }
    guard let upTo else { return times.add(entry: tick(entry), after: tick(after), upTo: nil) }
    let end = max(Milliseconds(rawValue: upTo - origin).secondsRoundedUp, 1)
    guard end > tick(after) else { return }
    times.add(entry: tick(entry), after: tick(after), upTo: end, cause: cause)
    gaps.count(Milliseconds(rawValue: upTo - after))
    (open, updates) = (open + 1, updates + 1)
  }

  mutating func add(_ other: UpdateBounds, times sign: Int) {
    times.add(other.times, times: Int64(sign))
    gaps.add(other.gaps, times: sign)
    open += sign * other.open
    updates += sign * other.updates
  }
}
