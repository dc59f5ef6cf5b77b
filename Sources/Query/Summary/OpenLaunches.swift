import Lifecycle
import Store

/// What became of devices in the day after they launched a release, with the instant of the question left open.
///
/// Of launches that are a day old nothing changes any more: they are counted. Of younger ones `OpenAttempts` keeps the times, and those that
/// something bad came of lie here as well.
struct OpenLaunches {
  private static let end = Timestamp(rawValue: 1 << 52)

  private(set) var counts = LaunchCounts()
  private(set) var harmed: [Launch: Int] = [:]

  mutating func add(_ launch: Launch, since: Timestamp, _ grid: LookGrid?) {
    if since - launch.at >= LaunchCounts.watched {
      counts.add(launch, now: Self.end, grid)
    } else if launch.isHarmed {
      harmed[launch, default: 0] += 1
    }
  }

  mutating func add(_ other: OpenLaunches, times: Int) {
    counts.add(other.counts, times: times)
    harmed.add(other.harmed, times: times)
  }

  /// - Parameter young: all launches that were too young to be counted.
  mutating func move(to since: Timestamp, _ young: [OpenAttempts.YoungLaunch], _ grid: LookGrid?) {
    let grown = launches(young.filter { since - $0.at >= LaunchCounts.watched })
    harmed = harmed.filter { since - $0.key.at < LaunchCounts.watched }
    for launch in grown { add(launch, since: since, grid) }
  }

  /// Those of some young ones, with what came of each.
  private func launches(_ young: [OpenAttempts.YoungLaunch]) -> [Launch] {
    var left = Dictionary(grouping: harmed, by: \.key.at).mapValues { own in
      own.flatMap { Array(repeating: $0.key, count: $0.value) }
    }
    return young.map { one in left[one.at]?.popLast() ?? Launch(at: one.at) }
  }

  /// - Parameters:
  ///   - attempts: of the same devices.
  ///   - grid: nil where looks are not asked for.
  ///   - endless: the grid that looks were counted by.
  func counts(
    at now: Timestamp, _ attempts: OpenAttempts, _ grid: LookGrid?, countedBy endless: LookGrid?
  ) -> LaunchCounts {
    var all = counts
    let looks = all.looks.take()
    if let grid, let endless, let looks { all.looks = looks.seen(by: grid, countedBy: endless) }
    for launch in launches(attempts.launches) { all.add(launch, now: now, grid) }
    for attempt in attempts.young { all.add(attempt, now: now, grid) }
    return all
  }
}

extension LaunchCounts.Looks {
  fileprivate func seen(by grid: LookGrid, countedBy endless: LookGrid) -> Self {
    var looks = Self()
    looks.crashes = crashes.seen(by: grid, countedBy: endless)
    looks.rollbacks = rollbacks.seen(by: grid, countedBy: endless)
    return looks
  }
}

// MARK: in a summary

extension OpenLaunches {
  var columns: [(number: Int64, values: [Int64])] {
    let looks = counts.looks.map { $0.crashes.stored + $0.rollbacks.stored } ?? []
    let times = harmed.flatMap { launch, count in
      Array(repeating: [launch.at, launch.rolledBack, launch.crashed].map { $0?.rawValue ?? .max }, count: count)
    }
    return [
      (SummaryPart.launchCounts, [Int64(counts.launched)] + counts.crashes.stored + counts.rollbacks.stored),
      (SummaryPart.launchLooks, looks.flatMap { [Int64($0.count)] + $0 }),
      (SummaryPart.harmedLaunches, times.sorted { $0.lexicographicallyPrecedes($1) }.flatMap(\.self)),
    ]
  }

  /// nil where the columns are not as `columns` makes them.
  init?(_ column: (Int64) -> [Int64]) {
    let sums = column(SummaryPart.launchCounts)
    guard let launched = sums.first, sums.count % 2 == 1,
      let crashes = Harm(stored: sums.dropFirst().prefix(sums.count / 2)),
      let rollbacks = Harm(stored: sums.suffix(sums.count / 2)),
      let looks = LaunchCounts.Looks.all(column(SummaryPart.launchLooks))
    else { return nil }
    counts = LaunchCounts(launched: Int(launched))
    (counts.crashes, counts.rollbacks, counts.looks) = (crashes, rollbacks, looks)
    let times = column(SummaryPart.harmedLaunches)
    for first in stride(from: 0, to: times.count - 2, by: 3) {
      func time(_ index: Int) -> Timestamp? { times[index] == .max ? nil : Timestamp(rawValue: times[index]) }
      guard let at = time(first) else { return nil }
      harmed[Launch(at: at, rolledBack: time(first + 1), crashed: time(first + 2)), default: 0] += 1
    }
  }
}

extension LaunchCounts.Looks {
  /// nil where numbers are not as `columns` makes them; no looks where there are none.
  fileprivate static func all(_ stored: [Int64]) -> Self?? {
    if stored.isEmpty { return .some(nil) }
    var (rest, lists) = (stored[...], [[Int64]]())
    while let count = rest.popFirst() {
      guard 0...rest.count ~= Int(count) else { return nil }
      lists.append(Array(rest.prefix(Int(count))))
      rest = rest.dropFirst(Int(count))
    }
    guard lists.count == 6 else { return nil }
    var looks = Self()
    looks.crashes = HarmLooks(stored: Array(lists[..<3]))
    looks.rollbacks = HarmLooks(stored: Array(lists[3...]))
    return looks
  }
}
