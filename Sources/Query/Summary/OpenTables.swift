import Lifecycle
import Statistics
import Store

/// Tables of time at risk for the newest releases, from an open summary and the devices that were heard of since; the same to the byte
/// as from all devices.
struct OpenTables {
  private let question: RiskCounting
  private let state: SummaryState
  private let heard: [SummaryPart]

  /// nil where the question must be answered from the devices.
  init?(_ snapshot: borrowing Snapshot, _ question: RiskCounting) throws {
    let (selection, cutOff) = (question.selection, question.cutOff.at)
    guard selection.rulesOnly == Selection(app: selection.app, release: selection.release, now: selection.now),
      let state = try snapshot.earlierSummaryState(app: selection.app, .open),
      state.ground == question.timeline.openGround, cutOff >= state.since, cutOff <= state.until,
      let heard = try snapshot.summary(app: selection.app, releases: [0], SummaryPart.all, .open)
    else { return nil }
    (self.question, self.state, self.heard) = (question, state, heard)
  }

  func tables(_ snapshot: borrowing Snapshot) throws -> [RiskTables]? {
    let targets = question.targets
    let read = try snapshot.summary(app: question.selection.app, releases: targets.map(\.id), SummaryPart.all, .open)
    guard let read, var span, targets.allSatisfy({ holds(read, $0.id) }) else { return nil }
    let known = knownNewest(span)
    guard let known else { return nil }
    span.isNewestKnown = known == question.cutOff.at.rawValue
    let earlier = RiskCounting(
      open: targets, question.vocabulary, question.selection.app, question.timeline, state.since)
    let found = try snapshot.scan(question.need, span) { HeardTally(earlier: RiskTally(earlier), now: RiskTally(question)) } _: {
      try $0.count($1)
    }
    let tally = found.reduce(into: HeardTally(earlier: RiskTally(earlier), now: RiskTally(question))) { $0.add($1, times: 1) }
    let newest = Timestamp(rawValue: max(known, tally.newest ?? known))
    return tables(read, tally, dataThrough: newest)
  }

  /// Whether the release's rules are those that it was summarised by.
  private func holds(_ read: [SummaryPart], _ release: Int64) -> Bool {
    let grounds = read.filter { $0.release == release && $0.number == SummaryPart.ground }
    return !grounds.isEmpty
      && question.timeline.channels(of: release).allSatisfy { channel in
        grounds.first { $0.channel == channel }?.values == question.rules(of: release, on: channel).ground
      }
  }

  /// How many devices are looked at.
  func looked(_ snapshot: borrowing Snapshot) throws -> Int {
    guard let span else { return 0 }
    return try snapshot.scan(question.need, span, start: { 0 }) { $0 += $1.changes?.now.devices.devices.count ?? 0 }
      .reduce(0, +)
  }

  private func column(_ number: Int64) -> [Int64] { heard.first { $0.number == number }?.values ?? [] }

  private var span: HeardSpan? {
    HeardSpan(
      last: state.folded, cutOff: question.cutOff.at.rawValue,
      unsettled: column(SummaryPart.unsettled).map(UInt64.init(bitPattern:)))
  }

  /// The newest contact up to the cut-off of those that the summary knows; nil where it does not tell.
  private func knownNewest(_ span: HeardSpan) -> Int64? {
    if let newest = state.dataThrough?.rawValue, newest <= span.cutOff { return newest }
    return column(SummaryPart.straddling).first.flatMap { $0 >= span.cutOff ? span.cutOff : nil }
  }

  private func tables(_ read: [SummaryPart], _ tally: HeardTally, dataThrough: Timestamp) -> [RiskTables] {
    let cutOff = question.cutOff
    let stored = Dictionary(grouping: read.filter { SummaryPart.ofTables.contains($0.number) }, by: \.release)
    let (before, after) = (tally.earlier.cells(cutOff.at), tally.now.cells(cutOff.at))
    let places = places(tally)
    return question.targets.enumerated().map { index, target in
      var cells = Dictionary(grouping: stored[target.id] ?? [], by: \.group).mapValues {
        SummaryPart.cell($0, cutOff: cutOff.at)
      }
      for (key, cell) in after where key.target == index { cells[key.group, default: RiskCell()].add(cell) }
      for (key, cell) in before where key.target == index { cells[key.group, default: RiskCell()].subtract(cell) }
      return RiskTables(
        cells.filter { !$1.isEmpty }.mapValues(\.withoutZeros),
        places.map { ($0, RiskRules(question.selection, cutOff.at, question.timeline, target.id, $0)) },
        dataThrough: dataThrough, cutOff
      ).part(question.selection)
    }
  }

  /// Where any device is now.
  private func places(_ tally: HeardTally) -> [Group] {
    var stays: [Group: Int] = [:]
    for part in heard where part.number == SummaryPart.place { stays[part.group] = Int(part.values.first ?? 0) }
    for segment in tally.now.segments { stays[segment.group, default: 0] += segment.stays }
    for segment in tally.earlier.segments { stays[segment.group, default: 0] -= segment.stays }
    return stays.filter { $1 > 0 }.keys.sorted()
  }
}

/// The devices that may count otherwise than they were summarised: as they were known then, and now.
private struct HeardTally: Mergeable {
  var earlier: RiskTally
  var now: RiskTally
  private(set) var newest: Int64?

  init(earlier: RiskTally, now: RiskTally) { (self.earlier, self.now) = (earlier, now) }

  mutating func count(_ page: borrowing ShardPage) throws {
    note(page.newest)
    guard let changes = page.changes else { return }
    try earlier.count(changes.earlier)
    try now.count(changes.now)
  }

  private mutating func note(_ contact: Int64?) {
    if let contact { newest = max(newest ?? contact, contact) }
  }

  mutating func add(_ other: HeardTally, times: Int) {
    earlier.add(other.earlier, times: times)
    now.add(other.now, times: times)
    note(other.newest)
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
