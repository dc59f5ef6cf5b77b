import Lifecycle
import Statistics
import Store

extension EndedReleases {
  /// What all devices say.
  func sums(_ snapshot: borrowing Snapshot) throws -> ReleaseSums? {
    try told(snapshot, upTo: nil, settling: nil)?.sums
  }

  /// - Parameters:
  ///   - last: the number of the last event that is looked at; nil for all.
  ///   - settling: where it is to be told which devices count otherwise at a later cutoff, or may once they are heard of.
  func told(_ snapshot: borrowing Snapshot, upTo last: Int64?, settling: Settling?) throws -> EndedSums? {
    let (cutOff, instant) = (catalogue.risk.cutOff, catalogue.risk.selection.now)
    let before = counting(ended, CutOff(at: since), now: since)
    let now = counting(ended, cutOff, now: instant, keepsPending: settling != nil)
    let rest = counting(others, cutOff, now: instant)
    guard var need = rest.need.union(now.need) else { return nil }
    (need.changes, need.last) = (changes, last)
    let tally = try snapshot.count(need) {
      EndedTally(earlier: before.start, now: now.start, rest: rest.start, settling: settling)
    }
    let others = rest.sum(tally.rest)
    let difference = CellDifference(tally.earlier.risk, tally.now.risk)
    var figures = Dictionary(
      zip(others.openings.map { ReleaseCounts.Place($0.record.id, $0.channel) }, others.figures)
    ) { $1 }
    var counts = tally.rest.counts
    for (place, known) in counted {
      counts.note(place, ended: known)
      if let own = known.figures { figures[place] = try changed(own, place, difference, snapshot) }
    }
    counts.add(tally.now.counts)
    counts.subtract(tally.earlier.counts)
    let sums = ReleaseSums(
      openings: catalogue.openings, counts: counts,
      figures: catalogue.openings.map {
        figures[.init($0.record.id, $0.channel)] ?? ReleaseFigures(RiskTable(), level: ReleaseFigures.level)
      }, dataThrough: others.dataThrough, cutOff: cutOff)
    return EndedSums(sums: sums, late: tally.late, young: tally.now.counts.pending?.young ?? [:])
  }

  private func counting(
    _ targets: [ReleaseRecord], _ cutOff: CutOff, now: Timestamp, keepsPending: Bool = false
  ) -> CatalogueCounting {
    var selection = catalogue.risk.selection
    selection.now = now
    return CatalogueCounting(
      RiskCounting(catalogue.risk.vocabulary, selection, catalogue.risk.timeline, targets, [], cutOff: cutOff),
      of: targets, keepsPending: keepsPending)
  }

  private func changed(
    _ known: ReleaseFigures, _ place: ReleaseCounts.Place, _ difference: CellDifference, _ snapshot: borrowing Snapshot
  ) throws -> ReleaseFigures {
    let (before, after) = (difference.earlier[place] ?? [:], difference.now[place] ?? [:])
    return try known.changed(before, after, isComplete: isComplete(place)) ?? corrected(place, before, after, snapshot)
  }

  private func isComplete(_ place: ReleaseCounts.Place) -> Bool {
    catalogue.risk.rules(of: place.release, on: place.channel).allSatisfy { !$0.isIncomplete }
  }

  private func corrected(
    _ place: ReleaseCounts.Place, _ before: [Group: RiskCell], _ after: [Group: RiskCell],
    _ snapshot: borrowing Snapshot
  ) throws -> ReleaseFigures {
    let (risk, level) = (catalogue.risk, catalogue.risk.selection.level)
    let parts = try snapshot.summary(app: risk.selection.app, releases: [place.release], SummaryPart.ofTables) ?? []
    var cells = Dictionary(grouping: parts.filter { $0.channel == place.channel }, by: \.group)
      .mapValues { SummaryPart.cell($0, cutOff: risk.cutOff.at) }
    for (group, cell) in after { cells[group, default: RiskCell()].add(cell) }
    for (group, cell) in before { cells[group, default: RiskCell()].subtract(cell) }
    let places = cells.keys.map {
      ($0, RiskRules(risk.selection, risk.cutOff.at, risk.timeline, place.release, $0))
    }
    return RiskTables(cells, places, dataThrough: nil, risk.cutOff).figures(on: place.channel, level: level)
  }
}

/// What was counted of releases that ended, with what another cutoff counts otherwise.
struct EndedSums {
  var sums: ReleaseSums
  /// By release the devices whose journeys tell something beyond the cutoff, and under 0 those that may say their first word about
  /// one yet.
  var late: [Int64: [UInt64]]
  /// As in `PendingCounts`.
  var young: [ReleaseCounts.Place: [Int64]]
}

extension [Int64: [UInt64]] {
  mutating func add(_ other: Self) { merge(other, uniquingKeysWith: +) }
}

extension ReleaseFigures {
  /// With some devices counted otherwise; nil where that changes the table.
  ///
  /// - Parameter isComplete: whether the rollout came to its end, so that it does not matter whose bucket nobody knows.
  func changed(_ before: [Group: RiskCell], _ after: [Group: RiskCell], isComplete: Bool) -> ReleaseFigures? {
    let tables = [before, after].map { RiskTable.merged(Array($0.values)) }
    guard tables[0].isAlike(tables[1]), isComplete || tables[1].remarks[.fromFirstOffer] == nil else { return nil }
    func more(_ count: (RiskTable) -> Int?) -> Int { (count(tables[1]) ?? 0) - (count(tables[0]) ?? 0) }
    return adding(
      implied: more { $0.remarks[.impliedByCheck] }, bornOn: more { $0.excluded[.bornOn] },
      early: more { $0.excluded[.skewExcluded] })
  }
}

extension RiskTable {
  /// Whether the same devices had the same time at risk.
  fileprivate func isAlike(_ other: RiskTable) -> Bool { devices == other.devices && table.runs == other.table.runs }
}

/// What is counted of the devices that changed, by release and channel: of ended releases, before and now.
struct CellDifference {
  let earlier, now: [ReleaseCounts.Place: [Group: RiskCell]]

  init(_ earlier: RiskTally, _ now: RiskTally) { (self.earlier, self.now) = (Self.cells(earlier), Self.cells(now)) }

  private static func cells(_ tally: RiskTally) -> [ReleaseCounts.Place: [Group: RiskCell]] {
    var cells: [ReleaseCounts.Place: [Group: RiskCell]] = [:]
    for (key, counter) in tally.counters {
      let place = ReleaseCounts.Place(tally.question.targets[key.target].id, key.group.channel ?? "")
      cells[place, default: [:]][key.group] = counter.cell
    }
    return cells
  }
}

/// All devices for the other releases, and those that changed for the ended ones.
private struct EndedTally: Tally {
  var earlier: CatalogueTally
  var now: CatalogueTally
  var rest: CatalogueTally
  let settling: Settling?
  private(set) var late: [Int64: [UInt64]] = [:]

  init(earlier: CatalogueTally, now: CatalogueTally, rest: CatalogueTally, settling: Settling?) {
    (self.earlier, self.now, self.rest, self.settling) = (earlier, now, rest, settling)
  }

  mutating func count(_ page: borrowing ShardPage) throws {
    try rest.count(page)
    guard let changes = page.changes else { return }
    try earlier.countReleases(changes.earlier)
    try now.countReleases(changes.now)
    if let settling { late.add(settling.ofEnded(changes.now)) }
  }

  mutating func add(_ other: EndedTally, times: Int) {
    earlier.add(other.earlier, times: times)
    now.add(other.now, times: times)
    rest.add(other.rest, times: times)
    late.add(other.late)
  }
}
