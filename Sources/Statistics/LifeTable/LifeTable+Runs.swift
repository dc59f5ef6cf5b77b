extension LifeTable {
  /// Runs sorted by key; several runs may share a key, and an empty one makes no row.
  init(sortedRuns runs: some Collection<Run>) {
    self.init()
    ticks = Self.ticks(of: runs)
    var columns = KindColumns(kindsOf: runs, rows: ticks.count)
    var row = -1
    var tick = Tick.min
    for run in runs where run.count != 0 {
      if Key.tick(run.key) != tick {
        tick = Key.tick(run.key)
        row += 1
      }
      columns.add(run.count, kind: Key.kind(run.key), row: row)
    }
    take(columns)
    countAtRisk()
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

  private mutating func take(_ columns: KindColumns) {
    entered = columns[0] ?? Array(repeating: 0, count: rowCount)
    for index in eventColumns.indices { eventColumns[index] = columns[index + 1] ?? [] }
    for index in censoredColumns.indices { censoredColumns[index] = columns[index + 16] ?? [] }
  }

  mutating func countAtRisk() {
    let exits = exitsPerRow()
    var counts = [Int64](repeating: 0, count: rowCount)
    var now: Int64 = 0
    for row in counts.indices {
      counts[row] = now
      now += entered[row] - exits[row]
    }
    atRisk = counts
  }

  private func exitsPerRow() -> [Int64] {
    var exits = events(in: .all)
    for column in censoredColumns where !column.isEmpty {
      for row in exits.indices { exits[row] += column[row] }
    }
    return exits
  }
}

/// One column per kind that occurs, all in one array.
private struct KindColumns {
  private let rows: Int
  private var starts = [Int](repeating: -1, count: 32)
  private var counts: [Int64]

  init(kindsOf runs: some Collection<Run>, rows: Int) {
    self.rows = rows
    var present: UInt32 = 0
    for run in runs where run.count != 0 { present |= 1 << UInt32(Key.kind(run.key)) }
    var used = 0
    for kind in starts.indices where present & 1 << UInt32(kind) != 0 {
      starts[kind] = used * rows
      used += 1
    }
    counts = Array(repeating: 0, count: used * rows)
  }

  mutating func add(_ count: Int64, kind: Int, row: Int) { counts[starts[kind] + row] += count }

  /// nil for a kind that never occurs.
  subscript(_ kind: Int) -> [Int64]? {
    starts[kind] < 0 ? nil : Array(counts[starts[kind]..<starts[kind] + rows])
  }
}
