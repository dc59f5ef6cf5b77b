extension LifeTable {
  /// The table of both populations together, as if built from the union of their intervals.
  public func merging(_ other: LifeTable) -> LifeTable {
    let rows = RowUnion(ticks, other.ticks)
    var merged = LifeTable()
    merged.ticks = rows.ticks
    merged.entered = rows.sum(entered, other.entered)
    merged.eventColumns = zip(eventColumns, other.eventColumns).map(rows.sum)
    merged.censoredColumns = zip(censoredColumns, other.censoredColumns).map(rows.sum)
    merged.countAtRisk()
    return merged
  }

  public static func merged(_ tables: [LifeTable]) -> LifeTable {
    guard tables.count > 1 else { return tables.first ?? LifeTable() }
    let middle = tables.count / 2
    return merged(Array(tables[..<middle])).merging(merged(Array(tables[middle...])))
  }
}

/// Where the rows of two tables go when both are laid over each other.
private struct RowUnion {
  private(set) var ticks: [Tick] = []
  private var leftRows: [Int] = []
  private var rightRows: [Int] = []

  init(_ left: [Tick], _ right: [Tick]) {
    ticks.reserveCapacity(left.count + right.count)
    leftRows.reserveCapacity(left.count)
    rightRows.reserveCapacity(right.count)
    var (i, j) = (0, 0)
    while i < left.count || j < right.count {
      let tick = i < left.count && (j == right.count || left[i] <= right[j]) ? left[i] : right[j]
      if i < left.count, left[i] == tick {
        leftRows.append(ticks.count)
        i += 1
      }
      if j < right.count, right[j] == tick {
        rightRows.append(ticks.count)
        j += 1
      }
      ticks.append(tick)
    }
  }

  /// An empty column is all zero.
  func sum(_ left: [Int64], _ right: [Int64]) -> [Int64] {
    guard !left.isEmpty || !right.isEmpty else { return [] }
    var sums = [Int64](repeating: 0, count: ticks.count)
    for row in left.indices { sums[leftRows[row]] += left[row] }
    for row in right.indices { sums[rightRows[row]] += right[row] }
    return sums
  }
}
