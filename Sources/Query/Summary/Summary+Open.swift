import Lifecycle
import Store

extension AttemptCounting {
  /// Exact, or not used at all.
  func kept(_ snapshot: borrowing Snapshot) throws -> Kept<Attempts>? {
    guard options.attemptAge == OpenAttempts.options.attemptAge,
      options.rollbackAge == OpenAttempts.options.rollbackAge,
      selection.by.allSatisfy({ $0 == .channel || $0 == .platform })
    else { return nil }
    if let summary = try Summary(snapshot, selection, timeline) {
      return try summary.attempts(snapshot, self).map(Kept.known)
    }
    let targets = timeline.releases.filter { releases[$0.id] != nil }
    let risk = RiskCounting(vocabulary, selection, timeline, targets, [], cutOff: cutOff)
    return try OpenJourneys(snapshot, risk, attempts: targets, stages: [])?.attempts(self)
  }
}

extension StageCounting {
  /// Exact, or not used at all.
  func kept(_ snapshot: borrowing Snapshot) throws -> Kept<StageTally>? {
    guard options.maturity == OpenStages.maturity, splitsSegmentsOnly else { return nil }
    let (selection, timeline) = (chosen.selection, chosen.timeline)
    if let summary = try Summary(snapshot, selection, timeline) {
      return try summary.stages(snapshot, self).map(Kept.known)
    }
    let risk = RiskCounting(snapshot.vocabulary, selection, timeline, [chosen.target], [], cutOff: end)
    return try OpenJourneys(snapshot, risk, attempts: [], stages: [chosen.target])?.stages(self)
  }
}

extension Summary {
  /// nil where the summary was replaced meanwhile.
  fileprivate func attempts(_ snapshot: borrowing Snapshot, _ asked: AttemptCounting) throws -> Attempts? {
    let read = try attempts(snapshot, of: [0] + asked.releases.keys.sorted())
    guard let read, let emulators = read.first(where: { $0.release == 0 }) else { return nil }
    var found = Attempts.Found(
      emulators: [[Int]: Int](emulators: emulators.values).emulators(on: asked.indexes), dataThrough: state.dataThrough)
    for (release, parts) in Dictionary(grouping: read, by: \.release) {
      guard let place = asked.releases[release] else { continue }
      let grid = place == 0 ? asked.grid : nil
      for (group, parts) in Dictionary(grouping: parts, by: \.group) where asked.selection.includes(group) {
        guard let open = OpenAttempts(parts, asked.vocabulary) else { return nil }
        found.add(
          open.counts(at: asked.cutOff.at, asked.vocabulary),
          open.harm(at: asked.cutOff.at, asked.vocabulary, grid, countedBy: asked.timeline.endlessLooks(at: release)),
          asked.key(group), place, of: asked.releases.count)
      }
    }
    return Attempts(asked, found)
  }

  /// All columns of them; nil as above.
  func attempts(_ snapshot: borrowing Snapshot, of releases: [Int64]) throws -> [SummaryPart]? {
    guard let read = try snapshot.summary(app: selection.app, releases: releases, SummaryPart.ofAttempts),
      let young = try snapshot.summary(app: selection.app, releases: releases, SummaryPart.ofYoungAttempts)
    else { return nil }
    return read + young
  }

  /// nil as above.
  fileprivate func stages(_ snapshot: borrowing Snapshot, _ asked: StageCounting) throws -> StageTally? {
    let selection = asked.chosen.selection
    let read = try snapshot.summary(app: selection.app, releases: [asked.target], SummaryPart.ofStages)
    guard let read else { return nil }
    var tally = asked.start
    state.dataThrough.map { tally.newest.note($0) }
    for (group, parts) in Dictionary(grouping: read, by: \.group) where selection.includes(group) {
      guard let open = OpenStages(parts) else { return nil }
      let index = tally.counts.index(of: Labels(group.split(by: selection.by)))
      tally.counts.list[index].add(open.counts(at: asked.cutOff))
    }
    return tally
  }
}

extension AttemptCounting {
  /// Of the releases that are asked about, on the timeline.
  var indexes: Set<Int> { Set(timeline.releases.indices.filter { releases[timeline.releases[$0].id] != nil }) }

  func key(_ group: Group) -> Attempts.Key {
    Attempts.Key(group: group.split(by: by), mechanism: nil)
  }
}
