/// Last contacts without the update that lie somewhere inside a stretch of contacts, of which only the ends are kept; adds up in any
/// order.
///
/// How long before an update, or before the end, such a contact was is taken from the others: from how far apart the contacts around
/// their updates are. To take the earliest that it can have been would shorten the time at risk of those that wait, and of them
/// alone; to take the end itself would lengthen it, as who updated between that contact and the end is not counted.
public struct UnseenContacts: Equatable, Sendable {
  /// What the contact came before.
  public enum Next: Int, Hashable, Comparable, Sendable {
    /// The contact that showed the update.
    case update
    /// Another contact, without it.
    case contact
    /// An instant between two contacts, after which devices updated, or not.
    case end, halt

    public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
  }

  public struct Time: Hashable, Comparable, Sendable {
    var next: Next
    var entry, floor, before: Tick
    var cause: Cause

    /// - Parameters:
    ///   - floor: an earlier contact without the update.
    ///   - before: the contact, or the instant, that follows the unseen one within a day.
    public init(entry: Tick, floor: Tick, before: Tick, _ next: Next, cause: Cause = 1) {
      (self.next, self.cause) = (next, cause)
      (self.entry, self.floor) = (PolledTimes.rounded(entry), PolledTimes.rounded(floor))
      self.before = PolledTimes.rounded(before, digits: 10)
    }

    public static func < (one: Self, other: Self) -> Bool {
      (one.next, one.entry, one.floor, one.before, one.cause)
        < (other.next, other.entry, other.floor, other.before, other.cause)
    }
  }

  private(set) var times: [Time: Int64] = [:]
  /// How far apart the contacts around updates are, up to a day.
  private(set) var gaps: [Tick: Int64] = [:]

  public init() {}

  public mutating func add(_ time: Time, times count: Int64 = 1) { Self.note(count, at: time, in: &times) }

  /// A contact without the update and the next one, with it; no longer than a stretch may be silent.
  public mutating func add(gap: Tick, times count: Int64 = 1) {
    if gap > 0, gap <= Self.longest { Self.note(count, at: PolledTimes.rounded(gap), in: &gaps) }
  }

  public mutating func add(_ other: Self, times sign: Int64 = 1) {
    for (time, count) in other.times { add(time, times: sign * count) }
    for (gap, count) in other.gaps { Self.note(sign * count, at: gap, in: &gaps) }
  }

  static let longest: Tick = 86_400

  private static func note<Key>(_ count: Int64, at key: Key, in counts: inout [Key: Int64]) {
    let sum = (counts[key] ?? 0) + count
    counts[key] = sum == 0 ? nil : sum
  }
}
