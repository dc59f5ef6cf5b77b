import Lifecycle
import Statistics
import Store

extension Releases {
  /// By channel, the newest publication first.
  static func rows(
    _ snapshot: borrowing Snapshot, _ counting: ReleaseCounting, _ selection: Selection, _ timeline: Timeline
  ) throws -> [Releases] {
    var rows: [Releases] = []
    for first in stride(from: 0, to: counting.targets.count, by: releasesAtOnce) {
      let some = first..<min(first + releasesAtOnce, counting.targets.count)
      let openings = counting.targets[some].flatMap { record in
        Self.openings(of: record, selection, timeline).map { (record: record, channel: $0.channel, start: $0.start) }
      }
      let isKnown = openings.allSatisfy { counting.figures($0.record.id, $0.channel, selection.level) != nil }
      let tables = isKnown ? [] : try counting.tables(snapshot, some)
      rows += onAllCores(openings) { record, channel, start in
        let figures =
          counting.figures(record.id, channel, selection.level)
          ?? ReleaseFigures(tables.merged(record, channel, counting.targets[some]), level: selection.level)
        return Releases(record, channel, start, figures, counting, selection, timeline)
      }
    }
    return rows.sorted {
      ($0.channel, $1.publishedAt, $0.release) < ($1.channel, $0.publishedAt, $1.release)
    }
  }

  /// Tables of so many releases are in memory at once.
  private static let releasesAtOnce = 2

  private static func openings(
    of record: ReleaseRecord, _ selection: Selection, _ timeline: Timeline
  ) -> [(channel: String, start: Timeline.Start)] {
    timeline.channels(of: record.id).filter { selection.channels.isEmpty || selection.channels.contains($0) }
      .compactMap { channel in
        timeline.opening(record.id, channel, selection.platforms).map { (channel: channel, start: $0) }
      }
  }

  private init(
    _ record: ReleaseRecord, _ channel: String, _ start: Timeline.Start, _ figures: ReleaseFigures,
    _ counting: ReleaseCounting, _ selection: Selection, _ timeline: Timeline
  ) {
    let (cutOff, level) = (counting.cutOff.at, selection.level)
    let tally = counting.attempts(record.id, channel)
    let superseded = timeline.supersededAt(
      record.id, channel: channel, platform: selection.platforms.count == 1 ? selection.platforms[0] : nil
    ).flatMap { $0 <= cutOff ? $0 : nil }
    let (reachable, running) = (counting.reachable(channel), counting.running(record.id, channel))
    self.init(
      app: selection.app, release: record.label.rawValue, channel: channel,
      state: State(start, superseded, at: cutOff), rolloutPercent: start.percent(at: cutOff),
      isInferred: start.isInferred, isMandatory: start.mandatory, publishedAt: start.publishedAt,
      supersededAt: superseded,
      ageSeconds: start.publishedAt <= cutOff ? (cutOff - start.publishedAt).rawValue / 1000 : nil,
      offered: counting.offered(record.id, channel), devices: figures.devices, events: figures.events,
      observedShare: Proportion.observed(figures.events, of: figures.devices),
      adopted: figures.adopted, adoptedAtSeconds: figures.adoptedAtSeconds, isUnstable: figures.isUnstable,
      median: figures.median,
      attempts: tally.attempts, failed: tally.failed,
      failureRate: Proportion(Int64(tally.failed), of: Int64(tally.attempts)).wilson(level: level),
      reachable: reachable, running: running,
      reach: Proportion(Int64(running), of: Int64(reachable)).wilson(level: level),
      sparkline: figures.sparkline)
  }
}

extension [RiskTables] {
  /// The time at risk for one of several releases on one channel.
  fileprivate func merged(_ record: ReleaseRecord, _ channel: String, _ records: ArraySlice<ReleaseRecord>) -> RiskTable
  {
    let place = records.firstIndex { $0.id == record.id }.map { $0 - records.startIndex }
    let cells = place.map { self[$0].cells.filter { $0.key.channel == channel } } ?? [:]
    return RiskTable.merged(cells.map(\.value))
  }
}

extension Releases.State {
  init(_ start: Timeline.Start, _ superseded: Timestamp?, at cutOff: Timestamp) {
    guard let percent = start.percent(at: cutOff) else {
      self = .scheduled
      return
    }
    if superseded != nil {
      self = .superseded
    } else if start.isInferred {
      self = .inferred
    } else {
      self = percent >= 100 ? .complete : percent > 0 ? .rollingOut : .paused
    }
  }
}

extension Timeline {
  /// How the release came to a channel, whatever the platform; of one platform where only that is looked at.
  fileprivate func opening(_ id: Int64, _ channel: String, _ platforms: [String]) -> Start? {
    start(id, channel: channel, platform: platforms.count == 1 ? platforms[0] : nil)
  }
}
