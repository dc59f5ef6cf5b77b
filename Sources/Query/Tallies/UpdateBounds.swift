import Lifecycle
import Statistics

/// Between which contacts devices updated, where nobody saw when; adds up in any order.
struct UpdateBounds: Mergeable {
  private(set) var times = PolledTimes()
  /// Contacts before an update, or before the end, of which only the day is known.
  private(set) var unseen = UnseenContacts()
  private(set) var updates = 0
  /// How far apart the bounds of the others are.
  private(set) var gaps = IntervalCounts()
  /// Updates of which only bounds are known.
  private(set) var open = 0

  /// Of so many, and of one update in ten, times are estimated between their bounds.
  static let fewest = 30

  /// All times, with what is unseen placed by the others.
  var placed: PolledTimes { unseen.placed(among: times) }

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

  /// Of one that was without the update at a contact in the day before an instant, nobody knows which.
  mutating func add(
    entry: Int64, floor: Int64, before: Int64, _ next: UnseenContacts.Next, origin: Int64, _ cause: Cause
  ) {
    func tick(_ at: Int64) -> Tick { Milliseconds(rawValue: at - origin).secondsRoundedDown }
    let isUpdate = next == .update
    let end = isUpdate ? max(Milliseconds(rawValue: before - origin).secondsRoundedUp, 1) : tick(before)
    if isUpdate, end <= tick(entry) { return }
    unseen.add(.init(entry: tick(entry), floor: tick(floor), before: end, next, cause: isUpdate ? cause : 1))
    if isUpdate { (open, updates) = (open + 1, updates + 1) }
  }

  /// How long before the check that showed an update the one before was.
  mutating func add(gap: Milliseconds) { unseen.add(gap: gap.secondsRoundedUp) }

  mutating func add(_ other: UpdateBounds, times sign: Int) {
    unseen.add(other.unseen, times: Int64(sign))
    times.add(other.times, times: Int64(sign))
    gaps.add(other.gaps, times: sign)
    open += sign * other.open
    updates += sign * other.updates
  }
}
