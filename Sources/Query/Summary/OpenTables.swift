import Lifecycle
import Statistics
import Store

/// Tables of time at risk for the newest releases, from an open summary and the devices that were heard of since; the same to the byte
/// as from all devices.
struct OpenTables {
  let reading: OpenReading
  private var risk: RiskCounting { reading.risk }

  init(_ reading: OpenReading) { self.reading = reading }

  /// nil where the question must be answered from the devices.
  init?(_ snapshot: borrowing Snapshot, _ risk: RiskCounting) throws {
    guard let reading = try OpenReading(snapshot, risk) else { return nil }
    self.init(reading)
  }

  /// nil where the question must be answered from the devices.
  func kept(_ snapshot: borrowing Snapshot) throws -> Kept<RiskCounting.Sum>? {
    guard Set(reading.column(SummaryPart.tabled)).isSuperset(of: risk.targets.map(\.id)),
      reading.paired.isSuperset(of: risk.pairs), let span = reading.span,
      let read = try reading.parts(snapshot, risk.targets, SummaryPart.ofTables),
      let shared = try risk.pairs.isEmpty ? [] : reading.parts(snapshot, risk.targets, SummaryPart.ofShared)
    else {
      return nil
    }
    let start = HeardTwice(earlier: reading.earlier.start, now: risk.start)
    let ask = HeardAsk(risk.need, span, start) { try $0.count($1) }
    return .beside(ask) { _ in sum(ask.sum, read, shared) }
  }

  private func sum(
    _ tally: HeardTwice<RiskTally, RiskTally>, _ read: [SummaryPart], _ shared: [SummaryPart]
  ) -> RiskCounting.Sum? {
    let cutOff = risk.cutOff.at
    guard let known = SummaryPart.sharedCells(shared, of: risk.pairs, at: cutOff) else { return nil }
    let cells =
      known + tally.now.sharedCells(at: cutOff, times: 1) + tally.earlier.sharedCells(at: cutOff, times: -1)
    return RiskCounting.Sum(
      tables: tables(read, tally.earlier, tally.now, newest: tally.newest),
      shared: cells.filter { risk.selection.includes($0.first) })
  }

  /// - Parameters:
  ///   - read: of the targets.
  ///   - earlier: the devices that may count otherwise, as they were summarised; `now` as they are.
  func tables(_ read: [SummaryPart], _ earlier: RiskTally, _ now: RiskTally, newest: Int64?) -> [RiskTables] {
    let cutOff = risk.cutOff
    let stored = Dictionary(grouping: read.filter { SummaryPart.ofTables.contains($0.number) }, by: \.release)
    let (before, after) = (earlier.cells(cutOff.at), now.cells(cutOff.at))
    let places = places(earlier, now)
    return risk.targets.enumerated().map { index, target in
      var cells = Dictionary(grouping: stored[target.id] ?? [], by: \.group).mapValues {
        SummaryPart.cell($0, cutOff: cutOff.at)
      }
      for (key, cell) in after where key.target == index { cells[key.group, default: RiskCell()].add(cell) }
      for (key, cell) in before where key.target == index { cells[key.group, default: RiskCell()].subtract(cell) }
      return RiskTables(
        cells.filter { !$1.isEmpty }.mapValues(\.withoutZeros),
        places.map { ($0, RiskRules(risk.selection, cutOff.at, risk.timeline, target.id, $0)) },
        dataThrough: reading.dataThrough(newest), cutOff
      ).part(risk.selection)
    }
  }

  /// Where any device is now.
  private func places(_ earlier: RiskTally, _ now: RiskTally) -> [Group] {
    var stays = reading.stays
    for segment in now.segments { stays[segment.group, default: 0] += segment.stays }
    for segment in earlier.segments { stays[segment.group, default: 0] -= segment.stays }
    return stays.filter { $1 > 0 }.keys.sorted()
  }
}

extension RiskTally {
  fileprivate func cells(_ cutOff: Timestamp) -> [(key: Key, cell: RiskCell)] {
    counters.map { ($0.key, $0.counter.cell(cutOff: cutOff)) }
  }
}

extension RiskCell {
  /// Of which nothing is said.
  fileprivate var isEmpty: Bool { sums.devices == 0 && sums.excluded.values.allSatisfy { $0 == 0 } }

  fileprivate var withoutZeros: RiskCell {
    var cell = self
    cell.sums.excluded = sums.excluded.filter { $1 != 0 }
    cell.sums.remarks = sums.remarks.filter { $1 != 0 }
    return cell
  }
}
