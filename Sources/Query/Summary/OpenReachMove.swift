import Lifecycle
import Store

/// What an open summary keeps of reach, moved on to a later cut-off: made from the one before and the devices that were heard of since,
/// as many of them as there are. The same columns as from all devices.
struct OpenReachMove {
  private let reach: ReachHistoryCounting
  private let before: KeptPlaces
  private let span: HeardSpan

  /// nil where there is none before, or it does not hold at the cut-off.
  init?(_ snapshot: borrowing Snapshot, _ reach: ReachHistoryCounting, _ risk: RiskCounting) throws {
    let releases = [0] + reach.timeline.releases.map(\.id)
    guard let reading = try OpenReading(snapshot, risk), reach.since < reading.state.until,
      let read = try snapshot.summary(app: reach.app, releases: releases, SummaryPart.ofReach, .open),
      let moments = read.first(where: { $0.number == SummaryPart.moments })?.values,
      let unsettled = read.first(where: { $0.number == SummaryPart.reachUnsettled })?.values
    else { return nil }
    self.reach = reach
    before = KeptPlaces(read, moments: moments, since: reading.state.since, Set(reach.targets.map(\.id)))
    var span = HeardSpan(
      last: reading.state.folded, cutOff: reach.since.rawValue, unsettled: unsettled.map(UInt64.init(bitPattern:)))
    span.looksAtAll = true
    self.span = span
    for instant in reach.instants where instant < before.since.rawValue && before.moments[instant] == nil {
      return nil
    }
  }

  private var targets: Set<Int64> { Set(reach.targets.map(\.id)) }

  /// nil where what was kept is not what its devices say.
  ///
  /// - Parameter last: the number of the last event that is looked at.
  func parts(_ snapshot: borrowing Snapshot, upTo last: Int64) throws -> [SummaryPart]? {
    let heard = try heard(snapshot, upTo: last)
    let (old, new) = (heard.earlier.parts, heard.now.parts)
    let earlier = KeptPlaces(old, heard.earlier.question, targets)
    let now = KeptPlaces(new, reach, targets)
    let places = onAllCores(Set(before.groups).union(now.groups).sorted()) { group in
      MovedPlace(reach, group, before: before.open(group), left: earlier.open(group), came: now.open(group)).parts
    }
    if places.contains(where: { $0 == nil }) { return nil }
    return new.filter(\.isOfNoPlace) + places.compactMap(\.self).flatMap(\.self)
  }

  private func heard(_ snapshot: borrowing Snapshot, upTo last: Int64) throws -> MovedReach {
    var need = reach.need
    need.devices.remove(.runs)
    need.last = last
    let earlier = ReachHistoryCounting(reach, since: before.since)
    let start = MovedReach(earlier: earlier.start, now: OpenReachTally(reach))
    return try snapshot.scan(need, span, start: { start }) { try $0.count($1) }.reduce(into: start) { $0.add($1) }
  }
}

/// What is kept of reach at some cut-off, place by place.
private struct KeptPlaces {
  let since: Timestamp
  let moments: [Int64: Int]
  private let parts: [Group: [SummaryPart]]
  private let targets: Set<Int64>

  init(_ read: [SummaryPart], moments: [Int64], since: Timestamp, _ targets: Set<Int64>) {
    (self.since, self.targets) = (since, targets)
    self.moments = Dictionary(uniqueKeysWithValues: moments.enumerated().map { ($1, $0) })
    parts = Dictionary(grouping: read.filter { !$0.isOfNoPlace }, by: \.group)
  }

  init(_ parts: [SummaryPart], _ question: ReachHistoryCounting, _ targets: Set<Int64>) {
    self.init(parts, moments: question.instants, since: question.since, targets)
  }

  var groups: [Group] { Array(parts.keys) }

  func open(_ group: Group) -> OpenReach {
    OpenReach(parts[group] ?? [], moments: moments, since: since, targets: targets)
  }
}

/// The devices that were heard of, as they were known before and as they are known now.
private struct MovedReach: Mergeable {
  var earlier: ReachHistoryTally
  var now: OpenReachTally

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
