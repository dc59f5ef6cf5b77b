import Lifecycle

/// Tells which devices of a page are settled at a cut-off: what is known of them beyond it is that they are still there, so that a later
/// cut-off counts them as this one does, but for what ends with it.
public struct Settling {
  private let cutOff: Int64
  /// By release: who said before this instant that it runs it may say it again, and that is a first word then.
  private let published: [Int64: Int64]

  public init(at cutOff: Int64, published: [Int64: Int64]) { (self.cutOff, self.published) = (cutOff, published) }

  /// Those that are not; some more than once.
  public func unsettled(_ page: borrowing ShardPage) throws -> [UInt64] {
    var found: [UInt64] = []
    for (index, device) in page.devices.devices.enumerated() where try !isSettled(page, index) { found.append(device) }
    for journeys in page.journeys { note(journeys.shard, early: published[journeys.release], &found) }
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
    if let published = published[birth], devices.birthTimes[index] < published { return false }
    if devices.spanEnds[last] < cutOff { return true }
    return devices.spanStarts[last] < cutOff && birth != DeviceOutlines.unclear
      && (birth == 0 || devices.birthTimes[index] < cutOff)
      && (devices.buckets.isEmpty || devices.buckets[index] == .max || devices.buckets[index] >> 7 < cutOff)
  }

  private func note(_ journeys: JourneyShard, early published: Int64?, _ found: inout [UInt64]) {
    for milestone in Milestone.allCases {
      for (index, first) in journeys.columns[milestone.rawValue].enumerated() where first != .max {
        let isLate = first >> 3 >= cutOff && (milestone != .running || !journeys.isNamed(index, before: first))
        let isEarly = JourneyShard.claims.contains(milestone) && first >> 3 < published ?? .min
        if isLate || isEarly { found.append(journeys.devices[index]) }
      }
    }
    for (index, bucket) in journeys.buckets.enumerated() where bucket != .max && bucket >> 7 >= cutOff {
      found.append(journeys.devices[index])
    }
  }

  /// The last contact of all, and when a run of contacts ends that goes on beyond the cut-off; the last of these, or one that is not
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

  private static let tries = 8
}
