import Lifecycle
import Statistics
import Store

/// What is counted of all releases of an app, channel by channel.
struct ReleaseSums {
  typealias Opening = (record: ReleaseRecord, channel: String, start: Timeline.Start)

  let openings: [Opening]
  let counts: ReleaseCounts
  /// In the order of the openings.
  var figures: [ReleaseFigures]
  let dataThrough: Timestamp?
  let cutOff: CutOff

  /// Devices that say they updated before the publication.
  func early(_ row: Releases) -> Int {
    zip(openings, figures).first { $0.0.record.label.rawValue == row.release && $0.0.channel == row.channel }?.1.early
      ?? 0
  }

  func offered(_ release: Int64, _ channel: String) -> Int { counts.offered[.init(release, channel)] ?? 0 }
  func attempts(_ release: Int64, _ channel: String) -> AttemptCounts {
    counts.attempts[.init(release, channel)] ?? .init()
  }
  func launches(_ release: Int64, _ channel: String) -> LaunchSums {
    counts.launches[.init(release, channel)] ?? .init()
  }
  func running(_ release: Int64, _ channel: String) -> Int { counts.running[.init(release, channel)] ?? 0 }
  func reachable(_ channel: String) -> Int { counts.reachable[channel] ?? 0 }
}

/// What is asked of all releases of an app.
final class CatalogueCounting: Counting {
  let risk: RiskCounting
  /// Of which attempts and offers are counted; time at risk is that for the targets of `risk` only.
  let releases: [ReleaseRecord]
  private let keepsPending: Bool
  private var selection: Selection { risk.selection }

  init(_ risk: RiskCounting, of releases: [ReleaseRecord], keepsPending: Bool = false) {
    (self.risk, self.releases, self.keepsPending) = (risk, releases, keepsPending)
  }

  var need: Need {
    var need = risk.need
    let counted = JourneyColumns(Attempt.milestones + [.available]).union(.reasons)
    for release in releases { need.journeys[release.id, default: []].formUnion(counted) }
    return need
  }

  var start: CatalogueTally {
    CatalogueTally(
      risk: RiskTally(risk), counts: ReleaseCounts(cutOff: risk.cutOff.at, keepsPending: keepsPending),
      releases: Set(releases.map(\.id)))
  }

  /// Those of releases that are no targets are the figures of nobody.
  func sum(_ tally: CatalogueTally) -> ReleaseSums {
    let (openings, tables) = (openings, tally.risk.tables(at: Array(risk.targets.indices)))
    let figures = onAllCores(openings) { record, channel, _ in
      let place = risk.targets.firstIndex { $0.id == record.id }
      return place.map { tables[$0].figures(on: channel, level: selection.level) }
        ?? ReleaseFigures(RiskTable(), level: selection.level)
    }
    return ReleaseSums(
      openings: openings, counts: tally.counts, figures: figures, dataThrough: tally.risk.newest.at,
      cutOff: risk.cutOff)
  }

  func kept(_ snapshot: borrowing Snapshot) throws -> Kept<ReleaseSums>? {
    guard let summary = try Summary(snapshot, selection, risk.timeline),
      let counts = try summary.counts(snapshot, releases), let figures = try figures(summary, counts, snapshot)
    else {
      if let open = try OpenCatalogue(snapshot, self) { return open.kept() }
      return try EndedReleases(snapshot, self)?.sums(snapshot).map(Kept.known)
    }
    return .known(
      ReleaseSums(
        openings: openings, counts: counts, figures: figures, dataThrough: summary.state.dataThrough,
        cutOff: risk.cutOff))
  }

  /// Tables of a summary are read for two releases at a time: all at once they would take a release's room each.
  private func figures(
    _ summary: Summary, _ counts: ReleaseCounts, _ snapshot: borrowing Snapshot
  ) throws -> [ReleaseFigures]? {
    var figures: [ReleaseFigures] = []
    for first in stride(from: 0, to: releases.count, by: 2) {
      let some = Array(releases[first...].prefix(2))
      let openings = openings(of: some)
      let settled = openings.map {
        selection.level == ReleaseFigures.level ? counts.settled[.init($0.record.id, $0.channel)] : nil
      }
      guard let tables = try settled.contains(where: { $0 == nil }) ? summary.tables(snapshot, some) : [] else {
        return nil
      }
      figures += onAllCores(Array(zip(openings, settled))) { opening, known in
        known ?? tables[some[0].id == opening.record.id ? 0 : 1].figures(on: opening.channel, level: selection.level)
      }
    }
    return figures
  }

  var openings: [ReleaseSums.Opening] { openings(of: releases) }

  /// Where a release came to, and when: a row each.
  private func openings(of releases: [ReleaseRecord]) -> [ReleaseSums.Opening] {
    let (timeline, platforms) = (risk.timeline, selection.platforms)
    return releases.flatMap { record in
      timeline.channels(of: record.id).filter { selection.channels.isEmpty || selection.channels.contains($0) }
        .compactMap { channel in
          timeline.start(record.id, channel: channel, platforms: platforms)
            .map { (record: record, channel: channel, start: $0) }
        }
    }
  }
}

extension RiskTables {
  func figures(on channel: String, level: Double) -> ReleaseFigures {
    ReleaseFigures(RiskTable.merged(cells.filter { $0.key.channel == channel }.map(\.value)), level: level)
  }
}

/// The time at risk for some releases, with first attempts at others and what devices run.
struct CatalogueTally: Tally {
  var risk: RiskTally
  var counts: ReleaseCounts
  let releases: Set<Int64>

  mutating func count(_ page: borrowing ShardPage) throws { try count(page, runningWithout: []) }

  /// - Parameter apart: devices of which it is not counted what they run.
  mutating func count(_ page: borrowing ShardPage, runningWithout apart: Set<UInt64>) throws {
    try countReleases(page)
    try counts.countRunning(page, risk.question, without: apart)
  }

  /// All but what devices run.
  mutating func countReleases(_ page: borrowing ShardPage) throws {
    try risk.count(page)
    try counts.count(page, risk.question, of: releases)
  }

  mutating func add(_ other: CatalogueTally, times: Int) {
    risk.add(other.risk, times: times)
    counts.add(other.counts, times: times)
  }
}
