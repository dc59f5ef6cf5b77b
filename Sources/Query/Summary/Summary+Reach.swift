import Lifecycle
import Store

extension ReachCounting {
  /// Exact, or not used at all.
  func kept(_ snapshot: borrowing Snapshot) throws -> Kept<ReachSum>? {
    var selection = chosen.selection
    let isSplitBySegments = selection.by.allSatisfy { $0 == .channel || $0 == .platform }
    // It says where the cutoff lies, which is known.
    selection.isProvisional = false
    guard isSplitBySegments, selection.isByDefaultRules else { return nil }
    return try whole(snapshot).map(Kept.known) ?? open(snapshot, selection)
  }

  /// From a summary that knows everything; nil where there is none, or an instant that is asked about is not kept.
  private func whole(_ snapshot: borrowing Snapshot) throws -> ReachSum? {
    let app = chosen.selection.app
    guard let state = try snapshot.summaryState(app: app), state.ground == chosen.timeline.ground,
      cutOff >= state.since, cutOff < state.until,
      let read = try snapshot.summary(app: app, releases: keptReleases, SummaryPart.ofReach),
      let cells = cells(read, since: state.since)
    else { return nil }
    return ReachSum(
      groups: groups([(cells, 1)]), elsewhere: elsewhere([(cells, 1)]), newest: state.dataThrough)
  }

  /// From an open one and the devices that were heard of since; likewise.
  private func open(_ snapshot: borrowing Snapshot, _ selection: Selection) throws -> Kept<ReachSum>? {
    let risk = RiskCounting(vocabulary, selection, chosen.timeline, [], [], cutOff: CutOff(at: cutOff))
    guard let reading = try OpenReading(snapshot, risk), cutOff < reading.state.until, var span = reading.span,
      let read = try snapshot.summary(app: selection.app, releases: keptReleases, SummaryPart.ofReach, .open),
      let kept = cells(read, since: reading.state.since), let unsettled = read.unsettledForReach
    else { return nil }
    (span.unsettled, span.looksAtSleepers, span.resumesSince) = (unsettled, true, reading.state.since.rawValue)
    // Another contact makes no difference to who spoke within the narrowest of the windows.
    let narrowest = windows.min() ?? .days(1)
    span.patience = Milliseconds(rawValue: narrowest.rawValue - HeardSpan.tolerance.rawValue)
    var need = need
    need.devices.remove(.runs)
    need.journeys[chosen.target.id]?.formUnion(.claims)
    let start = HeardReach(ReachHistoryCounting(self, since: reading.state.since).start, self.start)
    let ask = HeardAsk(need, span, start) { try $0.count($1) }
    return .beside(ask) { [self] _ in sum(ask.sum, reading, kept) }
  }

  private func sum(_ tally: HeardReach, _ reading: OpenReading, _ kept: [Group: ReachTally.Cell]) -> ReachSum? {
    guard let earlier = cells(tally.earlier.parts, since: reading.state.since) else { return nil }
    let all = [(cells: kept, times: 1), (cells: earlier, times: -1)]
    var sum = ReachSum(
      groups: groups(all), elsewhere: elsewhere(all), newest: reading.dataThrough(tally.newest))
    for (channel, devices) in tally.now.elsewhere { sum.elsewhere[channel, default: 0] += devices }
    for (group, cell) in tally.now.groups { sum.groups[group, default: empty].add(cell, times: 1) }
    sum.groups = sum.groups.filter { !$1.isEmpty }
    return sum
  }

  private func elsewhere(_ all: [(cells: [Group: ReachTally.Cell], times: Int)]) -> [String: Int] {
    var devices: [String: Int] = [:]
    for (cells, times) in all {
      for (group, cell) in cells {
        if let channel = elsewhere(group) { devices[channel, default: 0] += times * cell.now[0].reachable }
      }
    }
    return devices
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
  /// What is kept of the segments that are looked at; nil where something that is asked about is not kept.
  private func cells(_ read: [SummaryPart], since: Timestamp) -> [Group: ReachTally.Cell]? {
    guard let kept = KeptReach(read, since: since, [chosen.target]), kept.has(moments.instants) else { return nil }
    var cells: [Group: ReachTally.Cell] = [:]
    for group in kept.groups where chosen.selection.includes(group) {
      let rules = ReachRules(chosen.target.id, chosen.timeline, group)
      guard let open = kept.open(group), open.tells(rules, at: moments.instants) else { return nil }
      cells[group] = cell(open, rules)
    }
    return cells.filter { !$1.isEmpty }
  }

  private func cell(_ open: OpenReach, _ rules: ReachRules) -> ReachTally.Cell {
    func counts(_ instants: [Timestamp]) -> [ReachCounts] {
      instants.map { open.counts(rules, at: $0.rawValue, window: windows[0]) }
    }
    return ReachTally.Cell(
      now: windows.map { open.counts(rules, at: cutOff.rawValue, window: $0) }, series: counts(instants),
      past: counts(past))
  }
}

extension [SummaryPart] {
  /// nil where reach is not kept, or so many devices are that a question would rather go over all: those that check once a day, where events
  /// come days late.
  var unsettledForReach: [UInt64]? {
    guard let list = first(where: { $0.number == SummaryPart.reachUnsettled })?.values, list.count <= 100_000 else {
      return nil
    }
    return list.map(UInt64.init(bitPattern:))
  }
}

extension Selection {
  var isByDefaultRules: Bool { rulesOnly == Selection(app: app, release: release, now: now) }
}
