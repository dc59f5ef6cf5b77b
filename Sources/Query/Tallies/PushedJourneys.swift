import Lifecycle
import Store

/// The journeys of a page's devices, found by release.
struct PushedReleases {
  /// In order of release.
  var journeys: [PushedJourneys]
  /// By the number of a release.
  private var ranges: [Range<Int>] = []

  init(_ page: borrowing ShardPage) {
    journeys = page.journeys.map(PushedJourneys.init).sorted { $0.release < $1.release }
    ranges = Array(repeating: 0..<0, count: Int(journeys.last?.release ?? -1) + 1)
    for (index, one) in journeys.enumerated() {
      let first = ranges[Int(one.release)].isEmpty ? index : ranges[Int(one.release)].lowerBound
      ranges[Int(one.release)] = first..<index + 1
    }
  }

  func indices(_ release: Int64) -> Range<Int> {
    release < 0 || release >= Int64(ranges.count) ? 0..<0 : ranges[Int(release)]
  }
}

/// The columns of one release's journeys in one channel, as far as pushes look at them; looked up in device order.
struct PushedJourneys {
  static let milestones: [Milestone] = [
    .downloadStarted, .downloadCompleted, .verified, .ready, .applied, .confirmed, .running,
  ]

  let release: Int64
  private let applied, confirmed, running: [Int64]
  private let started, completed, verified, ready: [Int64]
  private var join: SortedJoin
  private var taken: UInt64?

  init(_ journeys: Snapshot.Journeys) {
    (release, join) = (journeys.release, SortedJoin(journeys.shard.devices))
    func column(_ milestone: Milestone) -> [Int64] { journeys.shard.column(milestone) ?? [] }
    (started, completed) = (column(.downloadStarted), column(.downloadCompleted))
    (verified, ready) = (column(.verified), column(.ready))
    (applied, confirmed, running) = (column(.applied), column(.confirmed), column(.running))
  }

  /// What the device did with the release by an instant; nil where nothing is known of it, or it was asked for already. Devices are
  /// asked for in ascending order.
  ///
  /// In place, all at once: columns are not to be copied for a device.
  ///
  /// - Parameter start: what a device said before it of running the release tells of an earlier update, unless it says `applied`.
  mutating func takeUpdate(of device: UInt64, since start: Timestamp, until cutOff: Timestamp) -> PushedUpdate? {
    if taken == device { return nil }
    taken = device
    guard let index = join.index(of: device) else { return nil }
    let evidence = self.evidence(index, until: cutOff)
    let ranAt = evidence.at(since: start.rawValue)
    guard ranAt != .max else {
      return PushedUpdate(ranAt: nil, pushedDownload: pushedDownload(index, until: cutOff.rawValue))
    }
    // What was downloaded after a check that names the release did not bring what ran then.
    let end = ranAt == evidence.applied ? Int64.max : ranAt
    return PushedUpdate(ranAt: Timestamp(rawValue: ranAt), pushedDownload: pushedDownload(index, until: end))
  }

  @inline(__always)
  private func evidence(_ index: Int, until cutOff: Timestamp) -> RunEvidence {
    func known(_ column: [Int64]) -> Int64 {
      let at = column.isEmpty ? .max : JourneyRow.at(column[index])
      return at <= cutOff.rawValue ? at : .max
    }
    return RunEvidence(applied: known(applied), claimed: min(known(confirmed), known(running)))
  }

  /// When a silent push's wake-up first downloaded the release; nil where another trigger had a part in it.
  private func pushedDownload(_ index: Int, until end: Int64) -> Timestamp? {
    var first = FirstTime.never
    @inline(__always)
    func isPushed(_ column: [Int64]) -> Bool {
      let step = column.isEmpty ? .never : FirstTime(rawValue: column[index])
      guard step.happened, step.at.rawValue <= end else { return true }
      first = min(first, step)
      return step.trigger == .silentPush
    }
    guard isPushed(started), isPushed(completed), isPushed(verified), isPushed(ready) else { return nil }
    return first.happened ? first.at : nil
  }
}

/// What a device did with the release of a push.
struct PushedUpdate {
  /// When it first ran the release; nil for never.
  var ranAt: Timestamp?
  /// When a silent push's wake-up downloaded it; nil where none did, or another trigger had a part in it.
  var pushedDownload: Timestamp?
}
