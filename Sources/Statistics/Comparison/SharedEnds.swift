/// Devices that are in two tables at once: how often an end in the one came with an end in the other.
///
/// Ends are kept by spans of time, so the room does not grow with the fleet. Counts are whole: they add up in any order, and
/// what was put in can be taken out again.
public struct SharedEnds: Equatable, Sendable {
  /// What a device did in a table, as a small number: how an interval ended and when, or when it began late.
  public typealias Mark = UInt8

  /// By a mark of the first table and one of the second. A late entry counts against an end.
  private(set) var counts: [Pair: Int] = [:]

  public struct Pair: Hashable, Comparable, Sendable {
    public var first: Mark
    public var second: Mark

    public init(first: Mark, second: Mark) { (self.first, self.second) = (first, second) }

    public static func < (left: Self, right: Self) -> Bool { (left.first, left.second) < (right.first, right.second) }
  }

  public init() {}

  public var isEmpty: Bool { counts.allSatisfy { $0.value == 0 } }

  public mutating func add(_ pair: Pair, times: Int) { counts[pair, default: 0] += times }
  public mutating func add(_ other: SharedEnds) { counts.merge(other.counts, uniquingKeysWith: +) }

  /// Every two of a device's marks in both tables, and how often they count.
  public static func pairs(_ first: some Sequence<Mark>, _ second: some Sequence<Mark>, _ note: (Pair, Int) -> Void) {
    for one in first {
      for other in second { note(Pair(first: one, second: other), sign(one) * sign(other)) }
    }
  }

  public static func isMark(_ number: Mark) -> Bool { Int(number) < Marks.count }
  /// 1 for an end, -1 for a late entry.
  public static func sign(_ mark: Mark) -> Int { Marks.sign(mark) }
  /// Of an end without an update; at a later one no smaller number.
  public static func end(at tick: Tick) -> Mark { Marks.mark(.end, at: tick) }
  /// nil where an interval begins with the clock.
  public static func entry(at tick: Tick) -> Mark? { tick > 0 ? Marks.mark(.entry, at: tick) : nil }
}

/// The numbers of marks: updates, ends without one, and late entries, each by span.
enum Marks {
  enum Kind: Int, CaseIterable { case update, end, entry }

  /// Where spans of time end, in ticks that are seconds; the last one is open. Ages that people ask for lie at an end, so that
  /// who had updated by then is told exactly.
  static let ends: [Tick] =
    [900, 1800]
    + [1, 2, 3, 4, 6, 8, 12, 18, 24, 36, 48, 72, 96, 120, 144, 168, 240, 336, 504, 672, 1008].map { $0 * 3600 }
  static let spans = ends.count + 1
  static let count = spans * Kind.allCases.count

  @inline(__always)
  static func mark(_ kind: Kind, at tick: Tick) -> SharedEnds.Mark {
    SharedEnds.Mark(kind.rawValue * spans + ends.partitioningIndex { $0 >= tick })
  }

  static func sign(_ mark: SharedEnds.Mark) -> Int { Int(mark) < 2 * spans ? 1 : -1 }
}

extension [SharedEnds.Mark] {
  /// Takes in an interval as `LifeTable.Builder` would; events outside of `causes` are ends without an update.
  public mutating func add(entry: Tick, exit: Tick, _ ending: Ending, events causes: CauseSet) {
    let start = Swift.max(entry, 0)
    let isUpdate =
      switch ending {
      case .event(let cause): causes.contains(cause)
      case .censored: false
      }
    append(Marks.mark(isUpdate ? .update : .end, at: Swift.max(exit, start + 1)))
    if start > 0 { append(Marks.mark(.entry, at: start)) }
  }
}
