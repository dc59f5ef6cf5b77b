import Lifecycle
import Store

extension LaunchCounting {
  /// Exact, or not used at all.
  func kept(_ snapshot: borrowing Snapshot) throws -> Kept<LaunchTally>? {
    let targets = timeline.releases.filter { releases.contains($0.id) }
    if let summary = try Summary(snapshot, selection, timeline) {
      return try launches(summary, snapshot).map(Kept.known)
    }
    let risk = RiskCounting(vocabulary, selection, timeline, targets, [], cutOff: CutOff(at: selection.now))
    return try OpenJourneys(snapshot, risk, attempts: targets, stages: [])?.launches(self)
  }

  /// nil where the summary was replaced meanwhile.
  private func launches(_ summary: Summary, _ snapshot: borrowing Snapshot) throws -> LaunchTally? {
    guard let read = try summary.attempts(snapshot, of: releases.sorted()) else { return nil }
    var tally = start
    tally.note(newest: summary.state.dataThrough)
    for (release, parts) in Dictionary(grouping: read, by: \.release) {
      for (group, parts) in Dictionary(grouping: parts, by: \.group) {
        guard let open = OpenAttempts(parts, vocabulary) else { return nil }
        tally.add(open, release, group, times: 1)
      }
    }
    return tally
  }
}

extension OpenJourneys {
  /// nil where the question must be answered from the devices.
  fileprivate func launches(_ asked: LaunchCounting) -> Kept<LaunchTally>? {
    kept({ _ in asked.start }) { launches(asked, $0) }
  }

  private func launches(_ asked: LaunchCounting, _ heard: HeardTwice<OpenTally, LaunchTally>) -> LaunchTally {
    var tally = asked.start
    tally.note(newest: reading.dataThrough(heard.newest))
    for cell in kept.cells.values { tally.add(cell.attempts, cell.release, cell.group, times: 1) }
    for cell in heard.earlier.cells { tally.add(cell.attempts, cell.release, cell.group, times: -1) }
    for (place, counts) in heard.now.counts { tally.add(counts, place, times: 1) }
    return tally
  }
}

extension LaunchTally {
  fileprivate mutating func add(_ open: OpenAttempts, _ release: Int64, _ group: Group, times: Int) {
    guard let channel = group.channel, question.releases.contains(release), question.selection.includes(group),
      !open.isEmpty
    else { return }
    let counts = open.watched.counts(
      at: question.selection.now, open, question.grid(release, channel),
      countedBy: question.timeline.endlessLooks(at: release))
    add(counts, Place(release: release, channel: channel, platform: group.platform), times: times)
  }
}
