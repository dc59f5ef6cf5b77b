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
      let openings = zip(counting.targets[some], try counting.tables(snapshot, some)).flatMap { record, tables in
        Self.openings(of: record, selection, timeline).map { (record, $0.channel, $0.start, tables) }
      }
      rows += onAllCores(openings) { Releases($0, $1, $2, $3, counting, selection, timeline) }
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
    _ record: ReleaseRecord, _ channel: String, _ start: Timeline.Start, _ tables: RiskTables,
    _ counting: ReleaseCounting, _ selection: Selection, _ timeline: Timeline
  ) {
    let (cutOff, level) = (counting.cutOff.at, selection.level)
    let cell = RiskTable.merged(tables.cells.filter { $0.key.channel == channel }.map(\.value))
    let curve = KaplanMeier(cell.table, events: .updates)
    let tally = counting.attempts(record.id, channel)
    let superseded = timeline.supersededAt(
      record.id, channel: channel, platform: selection.platforms.count == 1 ? selection.platforms[0] : nil
    ).flatMap { $0 <= cutOff ? $0 : nil }
    let week = Self.sparklineSeconds[Self.sparklineSeconds.count - 1]
    let age = cell.table.lastTick.map { min($0, week) }
    let (reachable, running) = (counting.reachable(channel), counting.running(record.id, channel))
    self.init(
      app: selection.app, release: record.label.rawValue, channel: channel,
      state: State(start, superseded, at: cutOff), rolloutPercent: start.percent(at: cutOff),
      isInferred: start.isInferred, isMandatory: start.mandatory, publishedAt: start.publishedAt,
      supersededAt: superseded,
      ageSeconds: start.publishedAt <= cutOff ? (cutOff - start.publishedAt).rawValue / 1000 : nil,
      offered: counting.offered(record.id, channel), devices: cell.devices, events: Int(curve.events),
      adopted: curve.adoption(at: age ?? 0, level: level), adoptedAtSeconds: age,
      isUnstable: age.map { curve.isUnstable(at: $0) } ?? true, median: curve.quantile(0.5, level: level),
      attempts: tally.attempts, failed: tally.failed,
      failureRate: Proportion(Int64(tally.failed), of: Int64(tally.attempts)).wilson(level: level),
      reachable: reachable, running: running,
      reach: Proportion(Int64(running), of: Int64(reachable)).wilson(level: level),
      sparkline: Self.sparklineSeconds.map { curve.adoption(at: $0, level: level).value })
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
