extension LifeTable {
  /// The table of both populations together, as if built from the union of their intervals.
  public func merging(_ other: LifeTable) -> LifeTable {
    LifeTable(sortedRuns: merge(runs(), other.runs()))
  }

  public static func merged(_ tables: [LifeTable]) -> LifeTable {
    guard tables.count > 1 else { return tables.first ?? LifeTable() }
    let middle = tables.count / 2
    return merged(Array(tables[..<middle])).merging(merged(Array(tables[middle...])))
  }

  private func runs() -> [Run] {
    var runs: [Run] = []
    runs.reserveCapacity(rowCount * 2)
    let causes = self.causes
    for row in ticks.indices { appendRuns(of: row, causes, to: &runs) }
    return runs
  }

  private func appendRuns(of row: Int, _ causes: [Cause], to runs: inout [Run]) {
    let tick = ticks[row]
    runs.append(Run(key: Key.entry(at: tick), count: entered[row]))
    for cause in causes {
      runs.append(Run(key: Key.exit(at: tick, .event(cause)), count: events(cause, row: row)))
    }
    for reason in Censoring.allCases {
      runs.append(Run(key: Key.exit(at: tick, .censored(reason)), count: censored(reason, row: row)))
    }
  }
}

/// Merges two sorted lists of runs; equal keys stay beside each other.
func merge(_ left: [Run], _ right: [Run]) -> [Run] {
  guard !left.isEmpty else { return right }
  guard !right.isEmpty else { return left }
  var merged: [Run] = []
  merged.reserveCapacity(left.count + right.count)
  var (i, j) = (0, 0)
  while i < left.count || j < right.count {
    let takesLeft = j == right.count || (i < left.count && left[i].key <= right[j].key)
    if takesLeft { merged.append(left[i]) } else { merged.append(right[j]) }
    if takesLeft { i += 1 } else { j += 1 }
  }
  return merged
}
