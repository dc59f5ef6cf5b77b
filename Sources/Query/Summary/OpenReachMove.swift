import Lifecycle
import Statistics
import Store

/// What an open summary keeps of reach, moved on to a later cut-off: made from the one before and the devices that were heard of since,
/// as many of them as there are. The same columns as from all devices.
struct OpenReachMove {
  private let reach: ReachHistoryCounting
  private let since: Timestamp
  private let moments: [Int64: Int]
  private let before: [Group: [SummaryPart]]
  private let span: HeardSpan

  /// nil where there is none before, or it does not hold at the cut-off.
  init?(_ snapshot: borrowing Snapshot, _ reach: ReachHistoryCounting, _ risk: RiskCounting) throws {
    let releases = [0] + reach.timeline.releases.map(\.id)
    guard let reading = try OpenReading(snapshot, risk), reach.since < reading.state.until,
      let read = try snapshot.summary(app: reach.app, releases: releases, SummaryPart.ofReach, .open),
      let moments = read.first(where: { $0.number == SummaryPart.moments })?.values,
      let unsettled = read.first(where: { $0.number == SummaryPart.reachUnsettled })?.values
    else { return nil }
    (self.reach, since) = (reach, reading.state.since)
    self.moments = Dictionary(uniqueKeysWithValues: moments.enumerated().map { ($1, $0) })
    before = Dictionary(grouping: read.filter { !$0.isOfNoPlace }, by: \.group)
    var span = HeardSpan(
      last: reading.state.folded, cutOff: reach.since.rawValue, unsettled: unsettled.map(UInt64.init(bitPattern:)))
    span.looksAtAll = true
    self.span = span
    for instant in reach.instants where instant < since.rawValue && self.moments[instant] == nil { return nil }
  }

  /// nil where what was kept is not what its devices say.
  ///
  /// - Parameter last: the number of the last event that is looked at.
  func parts(_ snapshot: borrowing Snapshot, upTo last: Int64) throws -> [SummaryPart]? {
    var need = reach.need
    need.devices.remove(.runs)
    need.last = last
    let earlier = ReachHistoryCounting(reach, since: since)
    let start = MovedReach(earlier: earlier.start, now: OpenReachTally(reach))
    let tally = try snapshot.scan(need, span, start: { start }) { try $0.count($1) }.reduce(into: start) { $0.add($1) }
    let (old, new) = (tally.earlier.parts, tally.now.parts)
    let oldMoments = Dictionary(uniqueKeysWithValues: earlier.instants.enumerated().map { ($1, $0) })
    let newMoments = Dictionary(uniqueKeysWithValues: reach.instants.enumerated().map { ($1, $0) })
    let (left, came) = (
      Dictionary(grouping: old.filter { !$0.isOfNoPlace }, by: \.group),
      Dictionary(grouping: new.filter { !$0.isOfNoPlace }, by: \.group)
    )
    let groups = Set(before.keys).union(came.keys).sorted()
    let targets = Set(reach.targets.map(\.id))
    let places = onAllCores(groups) { group -> [SummaryPart]? in
      func open(_ parts: [Group: [SummaryPart]], _ moments: [Int64: Int], _ since: Timestamp) -> OpenReach {
        OpenReach(parts[group] ?? [], moments: moments, since: since, targets: targets)
      }
      return MovedPlace(
        reach, group, before: open(before, moments, since), left: open(left, oldMoments, since),
        came: open(came, newMoments, reach.since)
      ).parts
    }
    if places.contains(where: { $0 == nil }) { return nil }
    return new.filter(\.isOfNoPlace) + places.compactMap(\.self).flatMap(\.self)
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

/// One channel and platform.
private struct MovedPlace {
  private let reach: ReachHistoryCounting
  private let group: Group
  /// What was kept; of that what is left out; and what takes its place.
  private let before, left, came: OpenReach
  private let staged: [StagedRules]

  init(_ reach: ReachHistoryCounting, _ group: Group, before: OpenReach, left: OpenReach, came: OpenReach) {
    (self.reach, self.group, self.before, self.left, self.came) = (reach, group, before, left, came)
    staged = reach.targets.compactMap { StagedRules($0.id, group, reach) }
  }

  var parts: [SummaryPart]? {
    var parts = running
    for release in Set(before.heard.keys).union(came.heard.keys) {
      guard let heard = moved(before.heard[release], left.heard[release], came.heard[release]) else { return nil }
      if !heard.isEmpty { parts.append(SummaryPart(release, group, SummaryPart.lastHeard, heard)) }
    }
    for rules in staged {
      parts += stagedKinds(rules)
      for kind in 0..<ReachState.kinds {
        func heard(_ open: OpenReach) -> [Int64]? { open.stagedHeard[rules.release]?[kind] }
        guard let heard = moved(heard(before), heard(left), heard(came)) else { return nil }
        if heard.isEmpty { continue }
        parts.append(SummaryPart(rules.release, group, SummaryPart.stagedHeard + Int64(kind), heard))
      }
    }
    return parts
  }

  private var running: [SummaryPart] {
    var counts: [Int64: [Int64]] = [:]
    for (moment, instant) in reach.instants.enumerated() {
      for (open, times) in [(before, 1), (left, -1), (came, 1)] {
        for (release, devices) in open.releases(at: instant, reach.window) {
          counts[release, default: Array(repeating: 0, count: reach.instants.count)][moment] += Int64(times * devices)
        }
      }
    }
    return counts.filter { $1.contains { $0 != 0 } }.map { SummaryPart($0, group, SummaryPart.running, $1) }
  }

  private func stagedKinds(_ rules: StagedRules) -> [SummaryPart] {
    var counts = Array(repeating: [Int64](repeating: 0, count: rules.moments.count), count: ReachState.kinds)
    for moment in rules.moments {
      let instant = reach.instants[moment]
      for (open, times) in [(before, 1), (left, -1), (came, 1)] {
        let kinds = open.kinds(rules.rules, open.releases(at: instant, reach.window), at: instant, reach.window)
        for (kind, devices) in kinds.enumerated() {
          counts[kind][moment - rules.moments.lowerBound] += Int64(times * devices)
        }
      }
    }
    let first = SummaryPart(rules.release, group, SummaryPart.stagedFrom, [Int64(rules.moments.lowerBound)])
    return [first]
      + counts.enumerated().filter { $1.contains { $0 != 0 } }.map {
        SummaryPart(rules.release, group, SummaryPart.stagedKinds + Int64($0), $1)
      }
  }

  /// Last contacts of those that are reachable still; nil where one is to be left out that is not there.
  private func moved(_ before: [Int64]?, _ left: [Int64]?, _ came: [Int64]?) -> [Int64]? {
    let limit = (reach.since - reach.window).rawValue
    return (before ?? []).replacing(left ?? [], by: came ?? []).map { moved in
      Array(moved[moved.partitioningIndex { $0 > limit }...])
    }
  }
}

extension [Int64] {
  /// All ascending; nil where one that is replaced is not there.
  fileprivate func replacing(_ left: [Int64], by came: [Int64]) -> [Int64]? {
    var (kept, next, other) = ([Int64](), 0, 0)
    kept.reserveCapacity(count + came.count)
    for value in self {
      if next < left.count, left[next] == value {
        next += 1
        continue
      }
      while other < came.count, came[other] <= value {
        kept.append(came[other])
        other += 1
      }
      kept.append(value)
    }
    return next == left.count ? kept + came[other...] : nil
  }
}
