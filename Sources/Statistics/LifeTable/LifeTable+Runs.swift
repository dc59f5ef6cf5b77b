extension LifeTable {
  /// - Parameters:
  ///   - started: how many entered at tick 0.
  ///   - keys: of all other entries and of all exits, ascending.
  init(started: Int64, _ keys: [UInt32]) {
    self.init()
    var (rows, kinds, last) = (started > 0 ? 1 : 0, UInt32(1), UInt32.max)
    for key in keys {
      if key >> UInt32(Key.kindBits) != last { rows += 1 }
      last = key >> UInt32(Key.kindBits)
      kinds |= 1 << Key.kind(key)
    }
    var columns = (0..<32).map { [Int64](repeating: 0, count: kinds & 1 << UInt32($0) != 0 ? rows : 0) }
    ticks.reserveCapacity(rows)
    if started > 0 {
      ticks.append(0)
      columns[0][0] = started
    }
    last = .max
    for key in keys {
      if key >> UInt32(Key.kindBits) != last {
        last = key >> UInt32(Key.kindBits)
        ticks.append(Tick(last))
      }
      columns[Int(Key.kind(key))][ticks.count - 1] += 1
    }
    take(columns)
  }

  /// Runs sorted by key; several runs may share a key, and an empty one makes no row.
  init(sortedRuns runs: some Collection<Run>) {
    self.init()
    ticks = Self.ticks(of: runs)
    var kinds: UInt32 = 1
    for run in runs where run.count != 0 { kinds |= 1 << UInt32(Key.kind(run.key)) }
    var columns = (0..<32).map { [Int64](repeating: 0, count: kinds & 1 << UInt32($0) != 0 ? rowCount : 0) }
    var row = -1
    var tick = Tick.min
    for run in runs where run.count != 0 {
      if Key.tick(run.key) != tick {
        tick = Key.tick(run.key)
        row += 1
      }
      columns[Key.kind(run.key)][row] += run.count
    }
    take(columns)
  }

  private static func ticks(of runs: some Collection<Run>) -> [Tick] {
    var ticks: [Tick] = []
    var last = Tick.min
    for run in runs where run.count != 0 && Key.tick(run.key) != last {
      last = Key.tick(run.key)
      ticks.append(last)
    }
    return ticks
  }

  /// - Parameter columns: one per kind, empty where it does not occur.
  private mutating func take(_ columns: [[Int64]]) {
    entered = columns[0]
    eventColumns = Array(columns[1..<1 + eventColumns.count])
    censoredColumns = Array(columns[16..<16 + censoredColumns.count])
    countAtRisk()
  }

  mutating func countAtRisk() {
    var counts = entered
    for column in eventColumns + censoredColumns where !column.isEmpty {
      for row in counts.indices { counts[row] -= column[row] }
    }
    var now: Int64 = 0
    for row in counts.indices { (counts[row], now) = (now, now + counts[row]) }
    atRisk = counts
  }
}
