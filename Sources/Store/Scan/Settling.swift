import Lifecycle

/// Tells which devices of a page are settled at a cutoff: what is known of them beyond it is that they are still there, so that a later
/// cutoff counts them as this one does, but for what ends with it.
public struct Settling {
  private let cutOff: Int64
  /// Who spoke since counts as reachable at each later cutoff.
  private let awakeSince: Int64
  /// By release: who said before this instant that it runs it may say it again, and that is a first word then.
  private let published: [Int64: Int64]

  /// Releases of which it is asked which bucket journeys on them name.
  private let bucketed: Set<Int64>

  /// - Parameter until: the latest of the later cutoffs; who is settled is so at each up to there.
  public init(at cutOff: Int64, published: [Int64: Int64], until: Int64? = nil, bucketed: Set<Int64> = []) {
    (self.cutOff, self.published, self.bucketed) = (cutOff, published, bucketed)
    awakeSince = (until ?? cutOff) - HeardSpan.silence.rawValue
  }

  /// Those that are not; some more than once.
  public func unsettled(_ page: borrowing ShardPage) throws -> [UInt64] {
    var found = early(page)
    for journeys in page.journeys {
      noteLate(journeys.shard, &found)
      if bucketed.contains(journeys.release) { noteBuckets(journeys.shard, &found, page.devices) }
    }
    for (index, device) in page.devices.devices.enumerated() where try !isSettled(page, index) { found.append(device) }
    return found
  }

  /// Those of whose journeys a check, which is no news else, may tell something: of who has a release and nobody said how it came to run it,
  /// and of who claimed one before anything that leads to it, and is back on another, of which the next contact may say that it ran all along.
  public func unnamed(_ page: borrowing ShardPage) -> [UInt64] {
    var found: [UInt64] = []
    for journeys in page.journeys {
      let shard = journeys.shard
      for (index, first) in (shard.column(.rolledBack) ?? []).enumerated() where first != .max {
        func first(_ some: [Milestone]) -> FirstTime { some.reduce(.never) { min($0, shard.first($1, index)) } }
        if first(Self.claims) < first(Self.signs) { found.append(shard.devices[index]) }
      }
    }
    for journeys in page.journeys {
      var join = SortedJoin(page.devices.devices)
      let (shard, others) = (journeys.shard, [Milestone.confirmed, .crashed])
      for (index, device) in shard.devices.enumerated() where !shard.first(.applied, index).happened {
        let running = shard.first(.running, index)
        if running.happened, running.at.rawValue < cutOff { continue }
        let isRunning = join.index(of: device).map { page.devices.running[$0] == journeys.release } ?? false
        if isRunning || others.contains(where: { shard.first($0, index).happened }) { found.append(device) }
      }
    }
    return found
  }

  /// What a device says that has a release, and what comes before that.
  private static let claims: [Milestone] = [.confirmed, .running, .crashed]
  private static let signs: [Milestone] = [
    .downloadStarted, .downloadCompleted, .verified, .ready, .applied, .failed,
  ]

  /// Those of which journeys tell something beyond the cutoff, by release; likewise.
  public func late(_ page: borrowing ShardPage) -> [Int64: [UInt64]] {
    var found: [Int64: [UInt64]] = [:]
    for journeys in page.journeys {
      noteLate(journeys.shard, &found[journeys.release, default: []])
      noteBuckets(journeys.shard, &found[journeys.release, default: []], DeviceOutlines())
    }
    return found
  }

  /// By release the late ones, and under 0 the early ones; see `HeardSpan.late`.
  public func ofEnded(_ page: borrowing ShardPage) -> [Int64: [UInt64]] {
    var found = late(page)
    found[0] = early(page)
    return found
  }

  /// Those that said too early that they run a release; likewise.
  public func early(_ page: borrowing ShardPage) -> [UInt64] {
    var found: [UInt64] = []
    let devices = page.devices
    for index in devices.births.indices {
      if let instant = published[devices.births[index]], devices.birthTimes[index] < instant {
        found.append(devices.devices[index])
      }
    }
    for journeys in page.journeys {
      guard let instant = published[journeys.release] else { continue }
      for milestone in JourneyShard.claims {
        for (index, first) in journeys.shard.columns[milestone.rawValue].enumerated() where first >> 3 < instant {
          found.append(journeys.shard.devices[index])
        }
      }
    }
    return found
  }

  private func isSettled(_ page: borrowing ShardPage, _ index: Int) throws -> Bool {
    let devices = page.devices
    let spans = devices.spanOffsets[index]..<devices.spanOffsets[index + 1]
    guard devices.channels[index] != 0, let last = spans.last else {
      let runs = try page.runs(of: index)
      return runs.range(index).allSatisfy { runs.ends[$0] < cutOff }
    }
    let birth = devices.births[index]
    if devices.spanEnds[last] < cutOff { return true }
    return isHeardAgain(devices, spans) && birth != DeviceOutlines.unclear
      && (birth == 0 || devices.birthTimes[index] < cutOff)
      && (devices.buckets.isEmpty || devices.buckets[index] == .max || devices.buckets[index] >> 7 < cutOff)
  }

  /// Whether it was reachable all the time from the cutoff on, so that contacts beyond it change nothing.
  private func isHeardAgain(_ devices: DeviceOutlines, _ spans: Range<Int>) -> Bool {
    let later = spans.first { devices.spanStarts[$0] >= cutOff } ?? spans.upperBound
    if later == spans.upperBound { return true }
    return later > spans.lowerBound && devices.spanEnds[later - 1] > awakeSince
  }

  private func noteLate(_ journeys: JourneyShard, _ found: inout [UInt64]) {
    for milestone in Milestone.allCases {
      for (index, first) in journeys.columns[milestone.rawValue].enumerated()
      where first != .max && first >> 3 >= cutOff
        && (milestone != .running || !journeys.isNamed(index, before: first))
      {
        found.append(journeys.devices[index])
      }
    }
  }

  /// Those that name a bucket beyond the cutoff.
  ///
  /// - Parameter devices: who named the same before counts by that.
  private func noteBuckets(_ journeys: JourneyShard, _ found: inout [UInt64], _ devices: DeviceOutlines) {
    var join = SortedJoin(devices.buckets.isEmpty ? [] : devices.devices)
    for (index, bucket) in journeys.buckets.enumerated() where bucket != .max && bucket >> 7 >= cutOff {
      let device = journeys.devices[index]
      if let known = join.index(of: device).map({ devices.buckets[$0] }), known != .max, known >> 7 < cutOff,
        known & 127 == bucket & 127
      {
        continue
      }
      found.append(device)
    }
  }

  /// The last contact of all, and when a run of contacts ends that goes on beyond the cutoff; the last of these, or one that is not
  /// much earlier.
  public func ends(_ page: borrowing ShardPage) throws -> (last: Int64?, run: Int64?) {
    var (last, candidates): (Int64?, [(end: Int64, index: Int)]) = (nil, [])
    for index in page.devices.devices.indices {
      let spans = page.devices.spanOffsets[index]..<page.devices.spanOffsets[index + 1]
      guard page.devices.channels[index] != 0, let span = spans.last else {
        let runs = try page.runs(of: index)
        for run in runs.range(index) { last = max(last ?? .min, runs.ends[run]) }
        continue
      }
      let end = page.devices.spanEnds[span]
      last = max(last ?? end, end)
      if end > cutOff, page.devices.spanStarts[span] <= cutOff { candidates.append((end, index)) }
    }
    return (last, try straddling(page, candidates))
  }

  private func straddling(_ page: borrowing ShardPage, _ candidates: [(end: Int64, index: Int)]) throws -> Int64? {
    var found: Int64?
    for candidate in candidates.sorted(by: { $0.end > $1.end }).prefix(Self.tries) where candidate.end > found ?? .min {
      let runs = try page.runs(of: candidate.index)
      for run in runs.range(candidate.index) where runs.starts[run] <= cutOff && runs.ends[run] > cutOff {
        found = max(found ?? .min, runs.ends[run])
      }
    }
    return found
  }

  /// Of how many devices it is looked up.
  static let tries = 8
}
