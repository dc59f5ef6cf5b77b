extension LifeTable {
  /// Intervals, not devices: a device that went silent and came back has two.
  public var intervals: Int64 { entered.reduce(0, +) }

  public var events: Int64 { causes.reduce(0) { $0 + events($1) } }

  public func events(_ cause: Cause) -> Int64 { eventColumns[cause.column].reduce(0, +) }

  public func censored(_ reason: Censoring) -> Int64 { censoredColumns[reason.column].reduce(0, +) }

  /// The causes that occur, in ascending order.
  public var causes: [Cause] {
    (1...Cause.highest).compactMap(Cause.init(rawValue:)).filter { !eventColumns[$0.column].isEmpty }
  }

  /// Intervals that entered after the first tick anybody entered: late entries.
  public var enteredLate: Int64 { intervals - (entered.first { $0 > 0 } ?? 0) }

  /// At risk at a tick that need not be a row; 0 after the last exit.
  public func atRisk(at tick: Tick) -> Int64 {
    let row = ticks.partitioningIndex { $0 >= tick }
    return row < rowCount ? atRisk[row] : 0
  }

  /// The last tick at which at least so many are at risk; nil when there is none.
  public func lastTick(atRisk least: Int64) -> Tick? {
    atRisk.lastIndex { $0 >= max(least, 1) }.map { ticks[$0] }
  }

  /// Events of the given causes per row.
  func events(in set: CauseSet) -> [Int64] {
    let columns = causes.filter(set.contains).map { eventColumns[$0.column] }
    guard let first = columns.first else { return [Int64](repeating: 0, count: rowCount) }
    return columns.dropFirst().reduce(into: first) { sums, column in
      for row in sums.indices { sums[row] += column[row] }
    }
  }
}

extension Array {
  /// The first index whose element satisfies a predicate that is false, then true, over the sorted array.
  func partitioningIndex(where belongsAfter: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if belongsAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
