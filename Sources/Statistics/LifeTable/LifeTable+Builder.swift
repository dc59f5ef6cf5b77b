extension LifeTable {
  /// Collects intervals, or counts, in any order and makes the table at the end.
  ///
  /// Costs 8 bytes per interval (4 when it enters at tick 0), one radix sort, and 8 bytes for what happened at a tick, or
  /// for 127 of it; ticks beyond four years of seconds cost more. Ticks below 0 count as 0; an interval that is not at least one tick long is made so, because the entry was
  /// rounded down and the exit up.
  public struct Builder: Sendable {
    private var keys = KeyPieces()
    private var counted: [Int64] = []
    private var ascending: [[Int64]] = []
    private var enteredAtStart: Int64 = 0
    /// What was put in and taken out again.
    private var removed: [Builder] = []

    public init() {}

    public mutating func add(entry: Tick, exit: Tick, ending: Ending) {
      let start = max(entry, 0)
      add(entry: start)
      add(exit: max(exit, start + 1), ending)
    }

    /// An entry whose exit is added by itself.
    public mutating func add(entry: Tick) {
      if entry <= 0 { enteredAtStart += 1 } else { note(Run.key(Run.entry, at: entry)) }
    }

    /// An exit whose entry is added by itself.
    public mutating func add(exit: Tick, _ ending: Ending) { note(Run.key(Run.kind(ending), at: max(exit, 1))) }

    private mutating func note(_ key: Int64) {
      if key <= UInt32.max {
        keys.append(UInt32(truncatingIfNeeded: key))
      } else {
        counted.append(1, ofKey: key)
      }
    }

    public mutating func add(entered count: Int64, at tick: Tick) {
      counted.append(count, ofKey: Run.key(Run.entry, at: max(tick, 0)))
    }

    public mutating func add(_ count: Int64, _ ending: Ending, at tick: Tick) {
      counted.append(count, ofKey: Run.key(Run.kind(ending), at: max(tick, 1)))
    }

    /// The runs of a table.
    public mutating func add(runs: [Int64]) { if !runs.isEmpty { ascending.append(runs) } }

    /// Takes in what another builder has collected.
    public mutating func add(_ other: Builder) {
      removed += other.removed
      keys.append(other.keys)
      counted += other.counted
      ascending += other.ascending
      enteredAtStart += other.enteredAtStart
    }

    /// Takes out what another builder has collected, all of which must have been put in.
    public mutating func subtract(_ other: Builder) { removed.append(other) }

    /// - Parameter times: 1 to put in, -1 to take out.
    public mutating func add(_ other: Builder, times: Int) { times > 0 ? add(other) : subtract(other) }

    public consuming func build() -> LifeTable {
      if removed.isEmpty { return LifeTable(runs: collected) }
      // What was taken out is little: it is put together first, so that the whole is gone through once.
      var gone = Builder()
      for other in removed { gone.add(other) }
      return LifeTable(runs: collected.without(gone.build().runs))
    }

    private var collected: [Int64] {
      var lists = ascending
      if !keys.isEmpty || enteredAtStart > 0 {
        lists.append(laidOut(started: enteredAtStart, radixSorted(keys.pieces)))
      }
      if !counted.isEmpty { lists.append(counted.sorted()) }
      return LifeTable.mergedRuns(lists)
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

/// - Parameters:
///   - started: how many entered at tick 0.
///   - keys: of all other entries and of all exits, ascending.
private func laidOut(started: Int64, _ keys: [UInt32]) -> [Int64] {
  var runs: [Int64] = []
  runs.reserveCapacity(keys.count + Int(started / Run.mostAtOnce) + 1)
  runs.append(started, ofKey: Run.key(Run.entry, at: 0))
  var place = 0
  while place < keys.count {
    let key = keys[place]
    var end = place + 1
    while end < keys.count, keys[end] == key { end += 1 }
    runs.append(Int64(end - place), ofKey: Int64(key))
    place = end
  }
  return runs
}
