import Lifecycle
import Statistics
import Store

extension EndedReleases {
  /// What all devices say.
  func sums(_ snapshot: borrowing Snapshot) throws -> ReleaseSums? {
    let (cutOff, instant) = (catalogue.risk.cutOff, catalogue.risk.selection.now)
    let before = counting(ended, CutOff(at: since), now: since)
    let now = counting(ended, cutOff, now: instant)
    let rest = counting(others, cutOff, now: instant)
    guard var need = rest.need.union(now.need) else { return nil }
    need.changes = changes
    let tally = try snapshot.count(need) {
      EndedTally(earlier: before.start, now: now.start, rest: rest.start)
    }
    let others = rest.sum(tally.rest)
    let difference = Difference(tally)
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
    return ReleaseSums(
      openings: catalogue.openings, counts: counts,
      figures: catalogue.openings.map {
        figures[.init($0.record.id, $0.channel)] ?? ReleaseFigures(RiskTable(), level: ReleaseFigures.level)
      }, dataThrough: others.dataThrough, cutOff: cutOff)
  }

  private func counting(_ targets: [ReleaseRecord], _ cutOff: CutOff, now: Timestamp) -> CatalogueCounting {
    var selection = catalogue.risk.selection
    selection.now = now
    return CatalogueCounting(
      RiskCounting(catalogue.risk.vocabulary, selection, catalogue.risk.timeline, targets, [], cutOff: cutOff),
      of: targets)
  }

  private func changed(
    _ known: ReleaseFigures, _ place: ReleaseCounts.Place, _ difference: Difference, _ snapshot: borrowing Snapshot
  ) throws -> ReleaseFigures {
    let (before, after) = (difference.earlier[place] ?? [:], difference.now[place] ?? [:])
    let tables = [before, after].map { RiskTable.merged(Array($0.values)) }
    if tables[0].isAlike(tables[1]), tables[1].remarks[.fromFirstOffer] == nil {
      func more(_ count: (RiskTable) -> Int?) -> Int { (count(tables[1]) ?? 0) - (count(tables[0]) ?? 0) }
      return known.adding(
        implied: more { $0.remarks[.impliedByCheck] }, bornOn: more { $0.excluded[.bornOn] })
    }
    return try corrected(place, before, after, snapshot)
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

extension RiskTable {
  /// Whether the same devices had the same time at risk.
  fileprivate func isAlike(_ other: RiskTable) -> Bool { devices == other.devices && table.runs == other.table.runs }
}

/// What is counted of the devices that changed, by release and channel: of ended releases, before and now.
private struct Difference {
  let earlier, now: [ReleaseCounts.Place: [Group: RiskCell]]

  init(_ tally: EndedTally) {
    (earlier, now) = (Self.cells(tally.earlier.risk), Self.cells(tally.now.risk))
  }

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

  mutating func count(_ page: borrowing ShardPage) throws {
    try rest.count(page)
    guard let changes = page.changes else { return }
    try earlier.countReleases(changes.earlier)
    try now.countReleases(changes.now)
  }

  mutating func add(_ other: EndedTally, times: Int) {
    earlier.add(other.earlier, times: times)
    now.add(other.now, times: times)
    rest.add(other.rest, times: times)
  }
}
