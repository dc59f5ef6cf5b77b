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
    let (timeline, small) = (question.chosen.timeline, question.chosen.selection.smallGroups)
    let parts = ReachParts(level: level, small: small)
    windows = zip(question.windows, cell.now).filter { small.tells($1.reachable) }
      .map { Window($0.rawValue / 1000, $1, parts) }
    (running, runningWithheld) = Self.running(cell.now[0], timeline, level, small)
    history = zip(question.past, cell.past).filter { small.tells($1.reachable) }.map { instant, tally in
      let (running, withheld) = Self.running(tally, timeline, level, small)
      return Past(at: instant, reachable: tally.reachable, running: running, runningWithheld: withheld)
    }
    let groupStarts = starts.starts(group)
    series = zip(question.instants, cell.series).filter { small.tells($1.reachable) }
      .map { Point($0, $1, groupStarts, parts) }
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

/// Makes the parts of an answer: at its level of confidence, without those that are too small to be shown.
private struct ReachParts {
  var level: Double
  var small: SmallGroups

  func part(_ devices: Int, reachable: Int) -> Reach.Part { part(devices, of: reachable, "reachable") }

  /// Among those that may have it. Where of more than a hundredth nobody knows whether they may, these are mostly the ones that have it:
  /// the share is of these alone, and has no limits.
  func part(eligible devices: Int, _ tally: ReachCounts) -> Reach.Part {
    var part = part(devices, of: tally.eligible, "eligible")
    if tally.eligibilityUnknown * 100 > tally.reachable, part.share.value != nil {
      (part.share.lo, part.share.hi, part.share.reason) = (nil, nil, .clockFromOffer)
    }
    return part
  }

  private func part(_ devices: Int, of total: Int, _ denominator: String) -> Reach.Part {
    let isTold = small.tells(devices) && small.tells(total)
    return Reach.Part(
      devices: isTold ? devices : nil, of: small.told(total), denominator: denominator,
      share: isTold
        ? Proportion(Int64(devices), of: Int64(total)).wilson(level: level)
        : Estimate(nil, level: level, method: .wilson, reason: .fewerThanMinCell))
  }
}

extension Reach.Window {
  fileprivate init(_ seconds: Int64, _ tally: ReachCounts, _ parts: ReachParts) {
    let all = tally.reachable
    self.init(
      seconds: seconds, reachable: all, exactly: parts.part(tally.exactly, reachable: all),
      orNewer: parts.part(tally.exactly + tally.newer, reachable: all),
      older: parts.part(tally.older, reachable: all), unknown: parts.part(tally.unknown, reachable: all),
      eligible: .init(
        devices: parts.small.told(tally.eligible), unknown: parts.small.told(tally.eligibilityUnknown),
        exactly: parts.part(eligible: tally.eligibleExactly, tally),
        orNewer: parts.part(eligible: tally.eligibleExactly + tally.eligibleNewer, tally)))
  }
}

extension Reach.Point {
  fileprivate init(_ at: Timestamp, _ tally: ReachCounts, _ starts: [Timeline.Start], _ parts: ReachParts) {
    let published = starts.map(\.publishedAt).min()
    let percents = Set(starts.map { $0.percent(at: at) })
    self.init(
      at: at, ageSeconds: published.map { (at - $0).rawValue / 1000 },
      rolloutPercent: percents.count == 1 ? percents.first.flatMap { $0 } : nil, reachable: tally.reachable,
      exactly: parts.part(tally.exactly, reachable: tally.reachable),
      orNewer: parts.part(tally.exactly + tally.newer, reachable: tally.reachable),
      eligibleExactly: parts.part(eligible: tally.eligibleExactly, tally))
  }
}

extension Timeline.Start {
  /// How far the rollout had come; nil before the publication.
  func percent(at instant: Timestamp) -> Double? {
    guard publishedAt <= instant else { return nil }
    return rollout.isEmpty ? 100 : rollout.last { $0.at <= instant }?.percent ?? 0
  }
}
