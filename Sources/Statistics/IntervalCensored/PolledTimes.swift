import Glibc

/// Times of which mostly bounds are known, counted in a room that does not grow with the fleet; adds up in any order.
///
/// Ticks are kept to four binary digits, rounded to the nearest: off by a thirty-second at most, to both sides alike. So there are
/// some 16 for each doubling, whatever the number of devices, and pairs of them.
public struct PolledTimes: Equatable, Sendable {
  struct Bounds: Hashable, Comparable, Sendable {
    var after: Tick
    var upTo: Tick
    var cause: Cause

    static func < (left: Self, right: Self) -> Bool {
      (left.after, left.upTo, left.cause) < (right.after, right.upTo, right.cause)
    }
  }

  /// Of those that are known to have updated.
  private(set) var updates: [Bounds: Int64] = [:]
  /// How many are known to have been without the update from a tick on (above 0), or until one (below 0).
  private(set) var watched: [Tick: Int64] = [:]

  public init() {}

  /// Who was watched from `entry` on, without the update at `after`, and with it at `upTo`; nil for never. The cause is known,
  /// though the time is not.
  ///
  /// What has no length is left out: nothing is known of it.
  public mutating func add(entry: Tick, after: Tick, upTo: Tick?, cause: Cause = 1, times: Int64 = 1) {
    guard let time = BoundedTime(entry: entry, after: after, upTo: upTo) else { return }
    let upTo = time.upTo.map { Self.rounded($0) }
    // Both bounds may have been rounded to one tick; nobody is at risk twice at the tick of the own update.
    let after = min(Self.rounded(time.after), upTo.map { $0 - 1 } ?? .max)
    let entry = min(Self.rounded(time.entry), after)
    if entry != after {
      note(times, at: entry, in: \.watched)
      note(-times, at: after, in: \.watched)
    }
    if let upTo { note(times, at: Bounds(after: after, upTo: upTo, cause: cause), in: \.updates) }
  }

  public mutating func add(_ other: Self, times: Int64 = 1) {
    for (tick, count) in other.watched { note(count * times, at: tick, in: \.watched) }
    for (bounds, count) in other.updates { note(count * times, at: bounds, in: \.updates) }
  }

  public var count: Int64 { updates.values.reduce(0, +) }

  private mutating func note<Key>(_ count: Int64, at key: Key, in counts: WritableKeyPath<Self, [Key: Int64]>) {
    let sum = (self[keyPath: counts][key] ?? 0) + count
    self[keyPath: counts][key] = sum == 0 ? nil : sum
  }

  static func rounded(_ tick: Tick, digits: Int = 5) -> Tick {
    let shift = max(0, Tick.bitWidth - digits - max(tick, 0).leadingZeroBitCount)
    return shift == 0 ? max(tick, 0) : ((tick + (1 << (shift - 1))) >> shift) << shift
  }
}
