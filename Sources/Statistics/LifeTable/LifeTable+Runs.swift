extension LifeTable {
  /// Runs sorted by key; several runs may share a key.
  init(sortedRuns runs: [Run]) {
    self.init()
    for run in runs where run.count != 0 {
      let tick = Key.tick(run.key)
      if ticks.last != tick { appendRow(at: tick) }
      count(run.count, kind: Key.kind(run.key))
    }
    fillColumns()
    countAtRisk()
  }

  private mutating func appendRow(at tick: Tick) {
    ticks.append(tick)
    entered.append(0)
  }

  private mutating func count(_ count: Int64, kind: Int) {
    switch kind {
    case 0: entered[rowCount - 1] += count
    case 1...Int(Cause.highest): eventColumns[kind - 1].add(count, row: rowCount - 1)
    default: censoredColumns[kind - 16].add(count, row: rowCount - 1)
    }
  }

  private mutating func fillColumns() {
    for column in eventColumns.indices { eventColumns[column].pad(to: rowCount) }
    for column in censoredColumns.indices { censoredColumns[column].pad(to: rowCount) }
  }

  mutating func countAtRisk() {
    let exits = exitsPerRow()
    var now: Int64 = 0
    atRisk = ticks.indices.map { row in
      defer { now += entered[row] - exits[row] }
      return now
    }
  }

  private func exitsPerRow() -> [Int64] {
    var exits = events(in: .all)
    for column in censoredColumns where !column.isEmpty {
      for row in exits.indices { exits[row] += column[row] }
    }
    return exits
  }
}

extension [Int64] {
  fileprivate mutating func add(_ amount: Int64, row: Int) {
    if count <= row { append(contentsOf: repeatElement(0, count: row + 1 - count)) }
    self[row] += amount
  }

  /// A column that was never written stays empty.
  fileprivate mutating func pad(to rows: Int) {
    if !isEmpty { append(contentsOf: repeatElement(0, count: rows - count)) }
  }
}
