import Lifecycle
import Store

/// All releases from an open summary and the devices that were heard of since; the same to the byte as from all devices.
struct OpenCatalogue {
  let catalogue: CatalogueCounting
  private let reading: OpenReading
  /// Those that ended, and all others, whose tables are summarised.
  let ended: [ReleaseRecord]
  private let open: [ReleaseRecord]
  private let span: HeardSpan

  /// nil where the question must be answered otherwise.
  init?(_ snapshot: borrowing Snapshot, _ catalogue: CatalogueCounting) throws {
    let (risk, selection) = (catalogue.risk, catalogue.risk.selection)
    guard selection.platforms.isEmpty, selection.level == ReleaseFigures.level else { return nil }
    // Looked up before anything is read of the releases themselves.
    guard let probe = try OpenReading(snapshot, risk), var span = probe.span,
      let over = probe.list(SummaryPart.ended).map(Set.init)
    else { return nil }
    (ended, open) = (
      catalogue.releases.filter { over.contains($0.id) }, catalogue.releases.filter { !over.contains($0.id) }
    )
    guard ended.count == over.count, Set(probe.column(SummaryPart.tabled)).isSuperset(of: open.map(\.id)) else {
      return nil
    }
    guard let late = try probe.late(snapshot, of: ended) else { return nil }
    span.late = late
    span.ended = ChangeSpan(
      of: ended, risk, last: probe.state.folded, limit: min(probe.state.since, risk.cutOff.at).rawValue)
    self.span = span
    self.catalogue = catalogue
    reading = OpenReading(probe, of: open)
  }

  /// Where it must be answered otherwise after all, from a whole summary.
  func kept() -> Kept<ReleaseSums> {
    let ask = ask(upTo: nil, settling: nil)
    return .beside(ask) { snapshot in
      try told(snapshot, ask.sum)?.sums ?? EndedReleases(snapshot, catalogue)?.sums(snapshot)
    }
  }

  /// - Parameters:
  ///   - last: the number of the last event that is looked at; nil for all.
  ///   - settling: where it is to be told which devices count otherwise at a later cutoff, or may once they are heard of.
  func ask(upTo last: Int64?, settling: Settling?) -> HeardAsk<HeardCatalogue> {
    var need = catalogue.need
    need.last = last
    return HeardAsk(need, span, start(settling)) { try $0.count($1) }
  }

  /// nil as above.
  func told(_ snapshot: borrowing Snapshot, _ heard: HeardCatalogue) throws -> EndedSums? {
    guard let tables = try reading.parts(snapshot, open, SummaryPart.ofTables),
      let counts = try reading.parts(snapshot, catalogue.releases, SummaryPart.ofCounts),
      let silent = try snapshot.summary(
        app: catalogue.risk.selection.app, releases: [0], SummaryPart.ofCountsAlone, .open)
    else { return nil }
    return sums(tables, counts + silent, heard)
  }

  private func start(_ settling: Settling?) -> HeardCatalogue {
    func counting(_ risk: RiskCounting, keepsPending: Bool) -> CatalogueTally {
      CatalogueCounting(risk, of: risk.targets, keepsPending: keepsPending).start
    }
    let (risk, selection) = (catalogue.risk, catalogue.risk.selection)
    func over(_ cutOff: CutOff, now: Timestamp) -> RiskCounting {
      var selection = selection
      selection.now = now
      return RiskCounting(risk.vocabulary, selection, risk.timeline, ended, [], cutOff: cutOff)
    }
    let since = reading.state.since
    return HeardCatalogue(
      apart: Set(span.unsettled),
      earlier: counting(reading.earlier, keepsPending: true), now: counting(reading.risk, keepsPending: false),
      endedEarlier: counting(over(CutOff(at: since), now: since), keepsPending: true),
      endedNow: counting(over(risk.cutOff, now: selection.now), keepsPending: settling != nil), settling: settling)
  }
}

extension OpenCatalogue {
  private func sums(_ tables: [SummaryPart], _ parts: [SummaryPart], _ tally: HeardCatalogue) -> EndedSums? {
    let (cutOff, selection) = (catalogue.risk.cutOff, catalogue.risk.selection)
    var counted: [ReleaseCounts.Place: CountedRelease] = [:]
    for part in parts where selection.channels.isEmpty || selection.channels.contains(part.channel) {
      counted[.init(part.release, part.channel), default: .init()].take(part)
    }
    var counts = ReleaseCounts(counted, cutOff: cutOff.at, window: selection.reachWindow)
    counts.add(tally.now.counts)
    counts.subtract(tally.earlier.counts.at(cutOff.at, window: selection.reachWindow))
    counts.add(tally.endedNow.counts)
    counts.subtract(tally.endedEarlier.counts.at(cutOff.at, window: selection.reachWindow))
    let own = OpenTables(reading).tables(tables, tally.earlier.risk, tally.now.risk, newest: tally.newest)
    let difference = CellDifference(tally.endedEarlier.risk, tally.endedNow.risk)
    let figures = onAllCores(catalogue.openings) { record, channel, _ -> ReleaseFigures? in
      if let index = open.firstIndex(where: { $0.id == record.id }) {
        return own[index].figures(on: channel, level: selection.level)
      }
      let place = ReleaseCounts.Place(record.id, channel)
      let isComplete = catalogue.risk.rules(of: record.id, on: channel).allSatisfy { !$0.isIncomplete }
      return counted[place]?.figures?.changed(
        difference.earlier[place] ?? [:], difference.now[place] ?? [:], isComplete: isComplete)
    }
    guard figures.allSatisfy({ $0 != nil }) else { return nil }
    let sums = ReleaseSums(
      openings: catalogue.openings, counts: counts, figures: figures.compactMap(\.self),
      dataThrough: reading.dataThrough(tally.newest), cutOff: cutOff)
    return EndedSums(sums: sums, late: tally.late, young: young(counted, tally))
  }

  /// Of releases that ended.
  private func young(
    _ counted: [ReleaseCounts.Place: CountedRelease], _ tally: HeardCatalogue
  ) -> [ReleaseCounts.Place: [Int64]] {
    let over = Set(ended.map(\.id))
    var pending = PendingCounts()
    for (place, known) in counted where over.contains(place.release) { pending.young[place] = known.young }
    if let more = tally.endedNow.counts.pending { pending.add(more, times: 1) }
    if let less = tally.endedEarlier.counts.pending { pending.add(less, times: -1) }
    let last = (catalogue.risk.cutOff.at - PendingCounts.attemptAge).rawValue
    return pending.young.mapValues { $0.filter { $0 >> 1 > last } }
  }
}

extension ChangeSpan {
  /// What may change of releases that ended.
  init(of ended: [ReleaseRecord], _ risk: RiskCounting, last: Int64, limit: Int64) {
    self.init(last: last, limit: limit, watched: EndedReleases.watched)
    releases = Set(ended.map(\.id))
    for record in ended {
      for channel in risk.timeline.channels(of: record.id) {
        for rules in risk.rules(of: record.id, on: channel) {
          self.ended = max(self.ended, rules.endedAt)
          areNewerLate = areNewerLate && rules.areNewerLate
        }
      }
    }
  }
}

extension ReleaseCounts {
  /// Where what is pending is kept: the same at a later cutoff.
  fileprivate func at(_ cutOff: Timestamp, window: Milliseconds) -> ReleaseCounts {
    ReleaseCounts(counted(), cutOff: cutOff, window: window)
  }
}

/// The devices that may count otherwise than they were summarised: as they were known then, and now; for the newest releases and what
/// devices run, and for those that ended.
struct HeardCatalogue: Mergeable {
  fileprivate var earlier, now, endedEarlier, endedNow: CatalogueTally
  private let settling: Settling?
  /// Devices of which the summary does not count what they run.
  private let apart: Set<UInt64>
  fileprivate private(set) var late: [Int64: [UInt64]] = [:]
  fileprivate private(set) var newest: Int64?

  fileprivate init(
    apart: Set<UInt64>, earlier: CatalogueTally, now: CatalogueTally, endedEarlier: CatalogueTally,
    endedNow: CatalogueTally,
    settling: Settling?
  ) {
    (self.earlier, self.now, self.settling, self.apart) = (earlier, now, settling, apart)
    (self.endedEarlier, self.endedNow) = (endedEarlier, endedNow)
  }

  mutating func count(_ page: borrowing ShardPage) throws {
    newest = [newest, page.newest].compactMap(\.self).max()
    // Who makes a summary of releases that ended asks for no others.
    if settling == nil, let changes = page.changes {
      try earlier.count(changes.earlier, runningWithout: apart)
      try now.count(changes.now)
    }
    guard let changes = page.ended else { return }
    try endedEarlier.countReleases(changes.earlier)
    try endedNow.countReleases(changes.now)
    if let settling { late.add(settling.ofEnded(changes.now)) }
  }

  mutating func add(_ other: HeardCatalogue, times: Int) {
    earlier.add(other.earlier, times: times)
    now.add(other.now, times: times)
    endedEarlier.add(other.endedEarlier, times: times)
    endedNow.add(other.endedNow, times: times)
    late.add(other.late)
    newest = [newest, other.newest].compactMap(\.self).max()
  }
}
