import Lifecycle
import Store

/// The columns of one release's journeys in one channel, as far as the funnel looks at them.
struct FunnelColumns {
  /// What is looked at of journeys on newer releases.
  static let newer: [Milestone] = [.applied, .confirmed, .running]
  /// What is looked at of journeys on the release itself.
  static let own = FunnelJourney.stages + [.running] + FailedStage.allCases.map(\.milestone)

  private static let running = FunnelJourney.stages.count
  /// What ends a step without success.
  private static let failures = running + 1..<own.count

  private let times: JourneyTimes

  init(_ shard: JourneyShard) { times = JourneyTimes(shard, Self.own) }

  /// The mechanism that delivered the release; where none has yet, the trigger that brought it furthest. What came after the
  /// device ran it did not bring it.
  func carrier(_ index: Int, until cutOff: Int64) -> Trigger {
    let end = min(cutOff, ranAt(index, until: cutOff))
    for stage in Self.carriers where times.at(stage, index, until: end) != .max {
      return times.first(stage, index).trigger
    }
    return .unknown
  }

  /// By the evidence that questions about time go by.
  private func ranAt(_ index: Int, until cutOff: Int64) -> Int64 {
    let confirmed = times.at(6, index, until: cutOff)
    return RunEvidence(
      applied: times.at(5, index, until: cutOff), claimed: min(confirmed, running(index, until: cutOff))
    ).first
  }

  /// Ready, verified, downloadCompleted, applied, downloadStarted, available: indexes of `FunnelJourney.stages`.
  private static let carriers = [4, 3, 2, 5, 1, 0]

  fileprivate func seen(_ place: Int, until cutOff: Int64) -> InlineArray<7, Int64> {
    InlineArray { times.at($0, place, until: cutOff) }
  }
  fileprivate func running(_ place: Int, until cutOff: Int64) -> Int64 {
    times.at(Self.running, place, until: cutOff)
  }
  fileprivate func failed(_ place: Int, until cutOff: Int64) -> Int64 {
    var first = Int64.max
    for failure in Self.failures { first = min(first, times.at(failure, place, until: cutOff)) }
    return first
  }
}

/// Columns of a release's journeys one after the other in one array: whoever looks at a few numbers of each journey, of one column
/// after the other, would else count references to each of them.
private struct JourneyTimes {
  let columns: Int
  private let count: Int
  private let values: [Int64]

  /// Of what nobody said there is no time.
  init(_ shard: JourneyShard, _ milestones: [Milestone]) {
    (columns, count) = (milestones.count, shard.devices.count)
    var values: [Int64] = []
    values.reserveCapacity(columns * count)
    for milestone in milestones {
      let column = shard.column(milestone) ?? []
      values += column
      values.append(contentsOf: repeatElement(.max, count: count - column.count))
    }
    self.values = values
  }

  @inline(__always)
  func first(_ column: Int, _ place: Int) -> FirstTime { FirstTime(rawValue: values[column * count + place]) }

  /// `.max` for never.
  @inline(__always)
  func at(_ column: Int, _ place: Int, until cutOff: Int64) -> Int64 {
    let value = values[column * count + place]
    return value != .max && value >> 3 <= cutOff ? value >> 3 : .max
  }
}

/// When devices first had a newer release, looked up in device order.
struct NewerJourneys {
  private let times: JourneyTimes
  private var join: SortedJoin

  init(_ journeys: Snapshot.Journeys) {
    join = SortedJoin(journeys.shard.devices)
    times = JourneyTimes(journeys.shard, FunnelColumns.newer)
  }

  /// `.max` for never. Devices must be asked for in ascending order.
  mutating func first(_ device: UInt64, until cutOff: Int64) -> Int64 {
    guard let index = join.index(of: device) else { return .max }
    var first = Int64.max
    for column in 0..<times.columns { first = min(first, times.at(column, index, until: cutOff)) }
    return first
  }
}

/// One device's way through the stages of a release, up to a cutoff; times in milliseconds, `.max` for never.
struct FunnelJourney {
  static let stages: [Milestone] = [
    .available, .downloadStarted, .downloadCompleted, .verified, .ready, .applied, .confirmed,
  ]
  private static let applied = 5

  /// When each stage was seen.
  private let seen: InlineArray<7, Int64>
  /// When it or any later one was first seen.
  private let reachedAt: InlineArray<7, Int64>
  private let failedAt: Int64
  private let newerAt: Int64

  /// nil where no stage was seen.
  init?(_ columns: FunnelColumns, _ place: Int, newerAt: Int64, until cutOff: Int64) {
    var seen = columns.seen(place, until: cutOff)
    // A device that was offered the release and later runs it has applied it, whoever saw that.
    if seen[Self.applied] == .max {
      let running = columns.running(place, until: cutOff)
      if running != .max, seen.indices.contains(where: { seen[$0] <= running }) { seen[Self.applied] = running }
    }
    var reachedAt = seen
    for stage in seen.indices.dropLast().reversed() { reachedAt[stage] = min(seen[stage], reachedAt[stage + 1]) }
    if reachedAt[0] == .max { return nil }
    (self.seen, self.reachedAt) = (seen, reachedAt)
    failedAt = columns.failed(place, until: cutOff)
    self.newerAt = newerAt
  }

  func saw(_ stage: Int) -> Bool { seen[stage] != .max }

  /// When the stage had been reached at the latest; nil where it was not.
  func reached(_ stage: Int) -> Timestamp? {
    reachedAt[stage] == .max ? nil : Timestamp(rawValue: reachedAt[stage])
  }

  enum Ending { case next, failed, newerRelease }

  /// How the step after a stage ended, and whether it was reached in spite of a failure; nil where the entry was not seen.
  func step(after stage: Int) -> (entry: Timestamp, end: Timestamp?, ending: Ending?, recovered: Bool)? {
    guard saw(stage) else { return nil }
    let entry = Timestamp(rawValue: seen[stage])
    let next = reachedAt[stage + 1]
    let failed = failedAt >= seen[stage] ? failedAt : .max
    let newer = newerAt >= seen[stage] ? newerAt : .max
    let first = min(next, failed, newer)
    if first == .max { return (entry, nil, nil, false) }
    let end = Timestamp(rawValue: first)
    if next == first { return (entry, end, .next, false) }
    return failed == first ? (entry, end, .failed, next != .max) : (entry, end, .newerRelease, false)
  }
}
