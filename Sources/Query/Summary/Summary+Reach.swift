import Lifecycle
import Store

extension ReachCounting {
  /// Exact, or not used at all.
  func stored(_ snapshot: borrowing Snapshot) throws -> ReachSum? {
    var selection = chosen.selection
    let isSplitBySegments = selection.by.allSatisfy { $0 == .channel || $0 == .platform }
    // It says where the cut-off lies, which is known.
    selection.isProvisional = false
    guard isSplitBySegments, selection.isByDefaultRules else { return nil }
    return try whole(snapshot) ?? open(snapshot, selection)
  }

  /// From a summary that knows everything; nil where there is none, or an instant that is asked about is not kept.
  private func whole(_ snapshot: borrowing Snapshot) throws -> ReachSum? {
    let app = chosen.selection.app
    guard let state = try snapshot.summaryState(app: app), state.ground == chosen.timeline.ground,
      cutOff >= state.since, cutOff < state.until,
      let read = try snapshot.summary(app: app, releases: keptReleases, SummaryPart.ofReach),
      let cells = KeptReach(read, since: state.since, self)?.cells
    else { return nil }
    return ReachSum(groups: groups([(cells, 1)]), newest: state.dataThrough)
  }

  /// From an open one and the devices that were heard of since; likewise.
  private func open(_ snapshot: borrowing Snapshot, _ selection: Selection) throws -> ReachSum? {
    let risk = RiskCounting(vocabulary, selection, chosen.timeline, [], [], cutOff: CutOff(at: cutOff))
    guard let reading = try OpenReading(snapshot, risk), cutOff < reading.state.until, var span = reading.span,
      try reading.parts(snapshot, [chosen.target], SummaryPart.grounds) != nil,
      let read = try snapshot.summary(app: selection.app, releases: keptReleases, SummaryPart.ofReach, .open),
      let kept = KeptReach(read, since: reading.state.since, self),
      let unsettled = read.first(where: { $0.number == SummaryPart.reachUnsettled })
    else { return nil }
    span.unsettled = unsettled.values.map(UInt64.init(bitPattern:))
    // Another contact makes no difference to who spoke within the narrowest of the windows.
    let narrowest = windows.min() ?? .days(1)
    span.patience = Milliseconds(rawValue: narrowest.rawValue - HeardSpan.tolerance.rawValue)
    var need = need
    need.devices.remove(.runs)
    let start = HeardReach(ReachHistoryCounting(self, since: reading.state.since).start, self.start)
    let tally = try snapshot.scan(need, span, start: { start }) { try $0.count($1) }.reduce(into: start) { $0.add($1) }
    guard let earlier = KeptReach(tally.earlier.parts, since: reading.state.since, self) else { return nil }
    var sum = ReachSum(
      groups: groups([(kept.cells, 1), (earlier.cells, -1)]), newest: reading.dataThrough(tally.newest))
    for (group, cell) in tally.now.groups { sum.groups[group, default: empty].add(cell, times: 1) }
    sum.groups = sum.groups.filter { !$1.isEmpty }
    return sum
  }

  private var keptReleases: [Int64] { [0] + chosen.timeline.releases.map(\.id) }

  private func groups(_ all: [(cells: [Group: ReachTally.Cell], times: Int)]) -> [Group: ReachTally.Cell] {
    var groups: [Group: ReachTally.Cell] = [:]
    for (cells, times) in all {
      for (group, cell) in cells {
        groups[group.split(by: chosen.selection.by), default: empty].add(cell, times: times)
      }
    }
    return groups
  }
}

/// What is kept of the places that a question looks at.
private struct KeptReach {
  /// Of places where any device was reachable.
  let cells: [Group: ReachTally.Cell]

  /// nil where an instant that is asked about is not kept.
  init?(_ read: [SummaryPart], since: Timestamp, _ asked: ReachCounting) {
    guard let kept = read.first(where: { $0.number == SummaryPart.moments })?.values else { return nil }
    let moments = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($1, $0) })
    guard asked.moments.instants.allSatisfy({ $0 >= since.rawValue || moments[$0] != nil }) else { return nil }
    let places = Dictionary(grouping: read.filter { !$0.isOfNoPlace }, by: \.group)
    var cells: [Group: ReachTally.Cell] = [:]
    for (group, parts) in places where asked.chosen.selection.includes(group) {
      cells[group] = asked.cell(
        OpenReach(parts, moments: moments, since: since, targets: [asked.chosen.target.id]), group)
    }
    self.cells = cells.filter { !$1.isEmpty }
  }
}

extension SummaryPart {
  var isOfNoPlace: Bool { number == Self.moments || number == Self.reachUnsettled }
}

/// The devices that may count otherwise than they were summarised: as they were known then, and now.
private struct HeardReach: Mergeable {
  var earlier: ReachHistoryTally
  var now: ReachTally
  private(set) var newest: Int64?

  init(_ earlier: ReachHistoryTally, _ now: ReachTally) { (self.earlier, self.now) = (earlier, now) }

  mutating func count(_ page: borrowing ShardPage) throws {
    newest = [newest, page.newest].compactMap(\.self).max()
    guard let changes = page.changes else { return }
    try earlier.count(changes.earlier, oneByOne: true)
    try now.count(changes.now, oneByOne: true)
  }

  mutating func add(_ other: HeardReach, times: Int) {
    earlier.add(other.earlier, times: times)
    now.add(other.now, times: times)
    newest = [newest, other.newest].compactMap(\.self).max()
  }
}

extension ReachCounting {
  fileprivate func cell(_ open: OpenReach, _ group: Group) -> ReachTally.Cell {
    let rules = ReachRules(chosen.target.id, chosen.timeline, group)
    func counts(_ instants: [Timestamp]) -> [ReachCounts] {
      instants.map { open.counts(rules, at: $0.rawValue, window: windows[0]) }
    }
    return ReachTally.Cell(
      now: windows.map { open.counts(rules, at: cutOff.rawValue, window: $0) }, series: counts(instants),
      past: counts(past))
  }
}

extension Selection {
  var isByDefaultRules: Bool { rulesOnly == Selection(app: app, release: release, now: now) }
}
