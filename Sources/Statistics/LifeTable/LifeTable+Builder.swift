extension LifeTable {
  /// Collects intervals, or counts, in any order and makes the table at the end.
  ///
  /// Costs 8 bytes per interval (4 when it enters at tick 0) and one radix sort; ticks beyond four years of seconds cost
  /// more. Ticks below 0 count as 0; an interval that is not at least one tick long is made so, because the entry was
  /// rounded down and the exit up.
  public struct Builder: Sendable {
    private var keys = KeyPieces()
    private var counted: [Run] = []
    private var enteredAtStart: Int64 = 0

    public init() {}

    public var isEmpty: Bool { keys.isEmpty && counted.isEmpty && enteredAtStart == 0 }

    public mutating func add(entry: Tick, exit: Tick, ending: Ending) {
      let start = max(entry, 0)
      if start == 0 { enteredAtStart += 1 } else { note(Key.entry(at: start)) }
      note(Key.exit(at: max(exit, start + 1), ending))
    }

    private mutating func note(_ key: UInt64) {
      if key <= UInt32.max {
        keys.append(UInt32(truncatingIfNeeded: key))
      } else {
        counted.append(Run(key: key, count: 1))
      }
    }

    public mutating func add(entered count: Int64, at tick: Tick) {
      counted.append(Run(key: Key.entry(at: max(tick, 0)), count: count))
    }

    public mutating func add(_ count: Int64, _ ending: Ending, at tick: Tick) {
      counted.append(Run(key: Key.exit(at: max(tick, 1), ending), count: count))
    }

    /// Takes in what another builder has collected.
    public mutating func add(_ other: Builder) {
      keys.append(other.keys)
      counted += other.counted
      enteredAtStart += other.enteredAtStart
    }

    public consuming func build() -> LifeTable {
      let table = LifeTable(started: enteredAtStart, radixSorted(keys.pieces))
      if counted.isEmpty { return table }
      counted.sort { $0.key < $1.key }
      return LifeTable(sortedRuns: counted).merging(table)
    }
  }

  public init(intervals: some Sequence<(entry: Tick, exit: Tick, ending: Ending)>) {
    var builder = Builder()
    for interval in intervals {
      builder.add(entry: interval.entry, exit: interval.exit, ending: interval.ending)
    }
    self = builder.build()
  }
}

/// So many entries or exits of one kind at one tick.
struct Run: Sendable {
  var key: UInt64
  var count: Int64
}

/// Tick and kind in one integer that sorts by tick: kind 0 enters, 1...15 are causes, 16... are censorings.
enum Key {
  static let kindBits: UInt64 = 5

  static func entry(at tick: Tick) -> UInt64 { UInt64(tick) << kindBits }

  static func exit(at tick: Tick, _ ending: Ending) -> UInt64 {
    switch ending {
    case .event(let cause): UInt64(tick) << kindBits | UInt64(cause.rawValue)
    case .censored(let reason): UInt64(tick) << kindBits | UInt64(16 + reason.column)
    }
  }

  static func tick(_ key: UInt64) -> Tick { Tick(key >> kindBits) }
  static func kind(_ key: UInt64) -> Int { Int(key & (1 << kindBits - 1)) }
  static func kind(_ key: UInt32) -> UInt32 { key & (1 << UInt32(kindBits) - 1) }
}
