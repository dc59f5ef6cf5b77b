import Lifecycle
import Statistics
import Store

extension Reach {
  init(_ group: Group, _ cell: ReachTally.Cell, _ question: ReachCounting, _ starts: ReachStarts) {
    let level = question.chosen.selection.level
    self.group = group
    release = question.chosen.selection.release.rawValue
    at = question.cutOff
    publications = starts.publications(group)
    windows = zip(question.windows, cell.now).map { Window($0.rawValue / 1000, $1, level) }
    let (timeline, small) = (question.chosen.timeline, question.chosen.selection.smallGroups)
    (running, runningWithheld) = Self.running(cell.now[0], timeline, level, small)
    history = zip(question.past, cell.past).map { instant, tally in
      let (running, withheld) = Self.running(tally, timeline, level, small)
      return Past(at: instant, reachable: tally.reachable, running: running, runningWithheld: withheld)
    }
    let groupStarts = starts.starts(group)
    series = zip(question.instants, cell.series).map { Point($0, $1, groupStarts, level) }
    reason = cell.now[0].reachable == 0 ? Unestimable.nothingAtRisk.rawValue : nil
  }

  private static func running(
    _ tally: ReachCounts, _ timeline: Timeline, _ level: Double, _ small: SmallGroups
  ) -> (shown: [Running], withheld: Int) {
    let rows = tally.byRelease.map { id, devices in
      Running(
        release: timeline.label(id)?.rawValue, devices: devices,
        share: Proportion(Int64(devices), of: Int64(tally.reachable)).wilson(level: level))
    }
    return small.sifted(
      rows.sorted { ($1.devices, $0.release ?? "") < ($0.devices, $1.release ?? "") }, { $0.devices })
  }
}

extension Reach.Part {
  init(_ devices: Int, reachable: Int, _ level: Double) {
    self.init(devices, of: reachable, "reachable", level)
  }
  init(_ devices: Int, eligible: Int, _ level: Double) {
    self.init(devices, of: eligible, "eligible", level)
  }
  private init(_ devices: Int, of total: Int, _ denominator: String, _ level: Double) {
    self.init(
      devices: devices, of: total, denominator: denominator,
      share: Proportion(Int64(devices), of: Int64(total)).wilson(level: level))
  }
}

extension Reach.Window {
  init(_ seconds: Int64, _ tally: ReachCounts, _ level: Double) {
    let all = tally.reachable
    self.init(
      seconds: seconds, reachable: all, exactly: .init(tally.exactly, reachable: all, level),
      orNewer: .init(tally.exactly + tally.newer, reachable: all, level),
      older: .init(tally.older, reachable: all, level), unknown: .init(tally.unknown, reachable: all, level),
      eligible: .init(
        devices: tally.eligible, unknown: tally.eligibilityUnknown,
        exactly: .init(tally.eligibleExactly, eligible: tally.eligible, level),
        orNewer: .init(tally.eligibleExactly + tally.eligibleNewer, eligible: tally.eligible, level)))
  }
}

extension Reach.Point {
  init(_ at: Timestamp, _ tally: ReachCounts, _ starts: [Timeline.Start], _ level: Double) {
    let published = starts.map(\.publishedAt).min()
    let percents = Set(starts.map { $0.percent(at: at) })
    self.init(
      at: at, ageSeconds: published.map { (at - $0).rawValue / 1000 },
      rolloutPercent: percents.count == 1 ? percents.first.flatMap { $0 } : nil, reachable: tally.reachable,
      exactly: .init(tally.exactly, reachable: tally.reachable, level),
      orNewer: .init(tally.exactly + tally.newer, reachable: tally.reachable, level),
      eligibleExactly: .init(tally.eligibleExactly, eligible: tally.eligible, level))
  }
}

extension Timeline.Start {
  /// How far the rollout had come; nil before the publication.
  func percent(at instant: Timestamp) -> Double? {
    guard publishedAt <= instant else { return nil }
    return rollout.isEmpty ? 100 : rollout.last { $0.at <= instant }?.percent ?? 0
  }
}
