import Lifecycle
import Store

extension ReachCounting {
  /// Exact, or not used at all.
  func stored(_ snapshot: borrowing Snapshot) throws -> ReachSum? {
    let selection = chosen.selection
    guard selection.by.allSatisfy({ $0 == .channel || $0 == .platform }),
      let summary = try Summary(snapshot, selection, chosen.timeline), cutOff < summary.state.until
    else { return nil }
    return try summary.reach(snapshot, self)
  }
}

extension Summary {
  /// nil where the summary was replaced meanwhile, or an instant that is asked about is not kept.
  fileprivate func reach(_ snapshot: borrowing Snapshot, _ asked: ReachCounting) throws -> ReachSum? {
    let selection = asked.chosen.selection
    let releases = [0] + asked.chosen.timeline.releases.map(\.id)
    guard let read = try snapshot.summary(app: selection.app, releases: releases, SummaryPart.ofReach),
      let kept = read.first(where: { $0.number == SummaryPart.moments })?.values
    else { return nil }
    let moments = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($1, $0) })
    let past = asked.moments.instants.filter { $0 < state.since.rawValue }
    guard past.allSatisfy({ moments[$0] != nil }) else { return nil }
    var sum = ReachSum(groups: [:], newest: state.dataThrough)
    let places = Dictionary(grouping: read.filter { $0.number != SummaryPart.moments }, by: \.group)
    for (group, parts) in places where selection.includes(group) {
      let open = OpenReach(parts, group, moments: moments, since: state.since, target: asked.chosen.target.id)
      let cell = asked.cell(open)
      if cell.isEmpty { continue }
      sum.groups[group.split(by: selection.by), default: asked.empty].add(cell)
    }
    return sum
  }
}

extension ReachCounting {
  fileprivate func cell(_ open: OpenReach) -> ReachTally.Cell {
    let rules = ReachRules(chosen.target.id, chosen.timeline, open.group)
    func counts(_ instants: [Timestamp]) -> [ReachCounts] {
      instants.map { open.counts(rules, at: $0.rawValue, window: windows[0]) }
    }
    return ReachTally.Cell(
      now: windows.map { open.counts(rules, at: cutOff.rawValue, window: $0) }, series: counts(instants),
      past: counts(past))
  }
}
