extension LifeTable {
  /// One line of the table.
  public struct Row: Sendable {
    public let tick: Tick
    public let atRisk: Int64
    fileprivate let runs: ArraySlice<Int64>

    public var entered: Int64 { count { $0 == Run.entry } }
    public func events(_ cause: Cause) -> Int64 { count { $0 == Run.kind(.event(cause)) } }
    public func events(in causes: CauseSet) -> Int64 { count { Run.isEvent($0, causes) } }
    public func censored(_ reason: Censoring) -> Int64 { count { $0 == Run.kind(.censored(reason)) } }
    public var censored: Int64 { count { $0 >= Run.firstReason } }

    private func count(_ isCounted: (_ kind: Int) -> Bool) -> Int64 {
      runs.reduce(0) { $0 + (isCounted(Run.kind($1)) ? Run.count($1) : 0) }
    }
  }

  public struct Rows: Sequence, IteratorProtocol, Sendable {
    private let runs: [Int64]
    private var reader = RowReader()

    fileprivate init(_ table: LifeTable) { runs = table.runs }

    public mutating func next() -> Row? {
      guard reader.next < runs.count else { return nil }
      let all = runs
      reader.read(all.span)
      return Row(tick: reader.tick, atRisk: reader.atRisk, runs: runs[reader.first..<reader.next])
    }
  }

  public var rows: Rows { Rows(self) }
}

extension LifeTable {
  /// At risk at a tick that need not be a row; 0 after the last exit.
  public func atRisk(at tick: Tick) -> Int64 {
    guard let last = lastTick, tick <= last else { return 0 }
    let before = marks.partitioningIndex { Run.tick(runs[$0.place]) >= tick }
    guard before > 0 else { return 0 }
    var reader = RowReader(marks[before - 1])
    while Run.tick(runs[reader.next]) < tick { reader.read(runs.span) }
    return reader.after
  }

  /// The last tick at which at least so many are at risk; nil when there is none.
  ///
  /// - Parameter end: only ticks before it.
  public func lastTick(atRisk least: Int64, before end: Tick = .max) -> Tick? {
    let least = max(least, 1)
    var last = marks.partitioningIndex { Run.tick(runs[$0.place]) >= end }
    while let mark = marks[..<last].lastIndex(where: { $0.mostAtRisk >= least }) {
      if let found = lastRow(of: mark, atRisk: least, before: end) { return found }
      last = mark
    }
    return nil
  }

  /// The first tick after another one at which at least so many are at risk, which need not be a row; nil when there is none.
  public func firstTick(atRisk least: Int64, after tick: Tick) -> Tick? {
    guard let last = lastTick(atRisk: least), last > tick else { return nil }
    let before = marks.partitioningIndex { Run.tick(runs[$0.place]) > tick } - 1
    var reader = before < 0 ? RowReader() : RowReader(marks[before])
    while reader.next < runs.count {
      if Run.tick(runs[reader.next]) > tick, reader.after >= max(least, 1) { return max(reader.tick, tick) + 1 }
      reader.read(runs.span)
    }
    return nil
  }

  private func lastRow(of mark: Int, atRisk least: Int64, before end: Tick) -> Tick? {
    let next = mark + 1 < marks.count ? marks[mark + 1].place : runs.count
    var reader = RowReader(marks[mark])
    var found: Tick?
    while reader.next < next, Run.tick(runs[reader.next]) < end {
      reader.read(runs.span)
      if reader.atRisk >= least { found = reader.tick }
    }
    return found
  }
}

extension Array {
  /// The first index whose element satisfies a predicate that is false, then true, over the sorted array.
  package func partitioningIndex(where belongsAfter: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if belongsAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The same from a place on, near to which it is.
  func partitioningIndex(from start: Int, where belongsAfter: (Element) -> Bool) -> Int {
    var (low, step) = (start, 1)
    while low + step <= count, !belongsAfter(self[low + step - 1]) { (low, step) = (low + step, step * 2) }
    var high = Swift.min(low + step, count)
    while low < high {
      let middle = (low + high) / 2
      if belongsAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
