import Lifecycle
import Store

/// What an open summary keeps of reach, moved on to a later cutoff: made from the one before and the devices that were heard of since,
/// as many of them as there are. The same columns as from all devices.
struct OpenReachMove {
  private let reach: ReachHistoryCounting
  private let before: KeptReach
  private let span: HeardSpan

  /// nil where there is none before, or it does not hold at the cutoff.
  init?(_ snapshot: borrowing Snapshot, _ reach: ReachHistoryCounting, _ risk: RiskCounting) throws {
    let releases = [0] + reach.timeline.releases.map(\.id)
    guard let reading = try OpenReading(snapshot, risk), reach.since < reading.state.until,
      let read = try snapshot.summary(app: reach.app, releases: releases, SummaryPart.ofReach, .open),
      let before = KeptReach(read, since: reading.state.since, reach.targets), before.has(reach.instants),
      let unsettled = read.unsettledForReach
    else { return nil }
    (self.reach, self.before) = (reach, before)
    var span = HeardSpan(last: reading.state.folded, cutOff: reach.since.rawValue, unsettled: unsettled)
    (span.looksAtAll, span.resumesSince) = (true, before.since.rawValue)
    self.span = span
  }

  /// nil where what was kept is not what its devices say.
  func parts(_ heard: MovedReach) -> [SummaryPart]? {
    let (old, new) = (heard.earlier.parts, heard.now.parts)
    guard let left = KeptReach(old, since: before.since, reach.targets),
      let came = KeptReach(new, since: reach.since, reach.targets)
    else { return nil }
    let segments = onAllCores(Set(before.groups).union(came.groups).sorted()) { group -> [SummaryPart]? in
      guard let before = before.open(group), let left = left.open(group), let came = came.open(group) else {
        return nil
      }
      return MovedSegment(reach, group, before: before, left: left, came: came).parts
    }
    if segments.contains(where: { $0 == nil }) { return nil }
    return new.filter(\.isOfNoSegment) + segments.compactMap(\.self).flatMap(\.self)
  }

  /// - Parameter last: the number of the last event that is looked at.
  func ask(upTo last: Int64) -> HeardAsk<MovedReach> {
    var need = reach.need
    need.devices.remove(.runs)
    need.last = last
    let earlier = ReachHistoryCounting(reach, since: before.since)
    let start = MovedReach(earlier: earlier.start, now: OpenReachTally(reach))
    return HeardAsk(need, span, start) { try $0.count($1) }
  }
}

/// The devices that were heard of, as they were known before and as they are known now.
struct MovedReach: Mergeable {
  fileprivate var earlier: ReachHistoryTally
  fileprivate var now: OpenReachTally

  mutating func count(_ page: borrowing ShardPage) throws {
    guard let changes = page.changes else { return }
    try earlier.count(changes.earlier, oneByOne: true)
    try now.count(changes.now, oneByOne: true)
  }

  mutating func add(_ other: MovedReach, times: Int) {
    earlier.add(other.earlier, times: times)
    now.add(other.now, times: times)
  }
}
