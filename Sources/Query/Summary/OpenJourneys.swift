import Lifecycle
import Store

/// First attempts at the newest releases, and how far devices got with them, from an open summary and the devices that were heard of since;
/// the same to the byte as from all devices.
struct OpenJourneys {
  let reading: OpenReading
  let kept: KeptJourneys
  private let attempts: [ReleaseRecord]
  private let stages: [ReleaseRecord]

  /// nil where the question must be answered from the devices.
  ///
  /// - Parameters:
  ///   - risk: for the rules that it asks by.
  ///   - attempts: the releases of which attempts are asked for, and those of which stages are.
  init?(
    _ snapshot: borrowing Snapshot, _ risk: RiskCounting, attempts: [ReleaseRecord], stages: [ReleaseRecord]
  ) throws {
    let releases = attempts + stages.filter { stage in !attempts.contains { $0.id == stage.id } }
    guard let reading = try OpenReading(snapshot, risk),
      let own = try reading.parts(snapshot, releases, KeptJourneys.numbers),
      let all = try snapshot.summary(app: risk.selection.app, releases: [0], SummaryPart.ofAttempts, .open),
      let kept = KeptJourneys(own + all, snapshot.vocabulary),
      kept.attempted.isSuperset(of: attempts.map(\.id)), kept.staged.isSuperset(of: stages.map(\.id))
    else { return nil }
    (self.reading, self.kept, self.attempts, self.stages) = (reading, kept, attempts, stages)
  }

  /// - Parameters:
  ///   - span: what decides whether a device is there as it was, whatever it takes to be reachable.
  ///   - since: what is younger is kept instant by instant.
  ///   - last: the number of the last event that is looked at; nil for all.
  func ask<Counted: Tally>(
    _ span: HeardSpan, since: Timestamp, upTo last: Int64? = nil, _ start: (OpenCounting) -> Counted
  ) -> HeardAsk<HeardTwice<OpenTally, Counted>> {
    let risk = reading.risk
    let counting = OpenCounting(
      risk.vocabulary, risk.selection.app, risk.timeline, attempts: attempts, stages: stages, since: since)
    var (span, need) = (span, counting.need)
    span.unsettled = kept.unsettled
    span.patience = .days(36_500)
    span.apart = Set(attempts.map(\.id)).subtracting(counting.stagesNeed)
    need.last = last
    return HeardAsk(need, span, HeardTwice(earlier: OpenTally(counting), now: start(counting))) { try $0.count($1) }
  }
}

// MARK: answers

extension OpenJourneys {
  /// nil as above.
  func attempts(_ asked: AttemptCounting) -> Kept<Attempts>? {
    kept({ _ in asked.start }) { attempts(asked, $0) }
  }

  /// nil as above, and where only what was heard since confirms the release.
  func stages(_ asked: StageCounting) -> Kept<StageTally>? { kept({ _ in asked.start }) { stages(asked, $0) } }

  /// nil as above.
  func kept<Counted: Tally, Sum>(
    _ start: (OpenCounting) -> Counted, _ sum: @escaping (HeardTwice<OpenTally, Counted>) -> Sum?
  ) -> Kept<Sum>? {
    reading.span.map { span in
      let ask = ask(span, since: reading.state.since, start)
      return .beside(ask) { _ in sum(ask.sum) }
    }
  }

  private func attempts(_ asked: AttemptCounting, _ heard: HeardTwice<OpenTally, AttemptTally>) -> Attempts? {
    let emulators =
      kept.emulators.emulators(on: asked.indexes) - heard.earlier.emulators.counts.emulators(on: asked.indexes)
    var found = Attempts.Found(
      emulators: emulators + heard.now.emulators, dataThrough: reading.dataThrough(heard.newest))
    for cell in kept.cells.values { found.add(cell, asked, times: 1) }
    for cell in heard.earlier.cells { found.add(cell, asked, times: -1) }
    found.add(heard.now)
    return Attempts(asked, found)
  }

  private func stages(_ asked: StageCounting, _ heard: HeardTwice<OpenTally, StageTally>) -> StageTally? {
    let isConfirmed = kept.isConfirmed(asked.target)
    var tally = heard.now
    tally.newest = asked.start.newest
    reading.dataThrough(heard.newest).map { tally.newest.note($0) }
    for cell in kept.cells.values { tally.add(cell, asked, isConfirmed: isConfirmed, times: 1) }
    for cell in heard.earlier.cells { tally.add(cell, asked, isConfirmed: isConfirmed, times: -1) }
    return isConfirmed || tally.stages.count < FunnelJourney.stages.count ? tally : nil
  }
}

extension Attempts.Found {
  fileprivate mutating func add(_ cell: OpenTally.Cell, _ asked: AttemptCounting, times: Int) {
    guard let place = asked.releases[cell.release], asked.selection.includes(cell.group), !cell.attempts.isEmpty else {
      return
    }
    let cutOff = asked.cutOff.at
    let harm = cell.attempts.harm(
      at: cutOff, asked.vocabulary, place == 0 ? asked.grid : nil,
      countedBy: asked.timeline.endlessLooks(at: cell.release))
    add(
      cell.attempts.counts(at: cutOff, asked.vocabulary), harm, asked.key(cell.group), place,
      of: asked.releases.count, times: times)
  }

  fileprivate mutating func add(_ tally: AttemptTally) {
    for (key, list) in tally.counts {
      for (place, counts) in list.enumerated() {
        let harm = tally.harms[key].map { $0[place] } ?? AttemptHarm()
        add(counts, harm, key, place, of: list.count)
      }
    }
  }
}

extension StageTally {
  fileprivate mutating func add(_ cell: OpenTally.Cell, _ asked: StageCounting, isConfirmed: Bool, times: Int) {
    let selection = asked.chosen.selection
    guard cell.release == asked.target, selection.includes(cell.group), !cell.stages.counts.isEmpty else { return }
    let stages = isConfirmed ? cell.stages : cell.stages.withoutConfirming
    let index = counts.index(of: Labels(cell.group.split(by: selection.by)))
    counts.list[index].add(stages.counts(at: asked.cutOff), times: times)
  }
}
