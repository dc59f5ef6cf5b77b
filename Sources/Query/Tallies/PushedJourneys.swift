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
  static let milestones: [Milestone] = [.downloadStarted, .downloadCompleted, .verified, .ready, .applied]

  let release: Int64
  private let applied: [Int64]
  private let started, completed, verified, ready: [Int64]
  private var join: SortedJoin
  private var taken: UInt64?

  init(_ journeys: Snapshot.Journeys) {
    (release, join) = (journeys.release, SortedJoin(journeys.shard.devices))
    applied = journeys.shard.column(.applied) ?? []
    func column(_ milestone: Milestone) -> [Int64] { journeys.shard.column(milestone) ?? [] }
    (started, completed) = (column(.downloadStarted), column(.downloadCompleted))
    (verified, ready) = (column(.verified), column(.ready))
  }

  /// When the device applied the release, and when a push's wake-up had downloaded it; nil where it had not by an instant, or was
  /// asked for already. Devices are asked for in ascending order.
  ///
  /// In place, all at once: columns are not to be copied for a device.
  mutating func takeUpdate(
    of device: UInt64, until cutOff: Timestamp
  ) -> (appliedAt: Timestamp, pushedDownload: Timestamp?)? {
    if taken == device { return nil }
    taken = device
    guard let index = join.index(of: device), !applied.isEmpty else { return nil }
    let applied = FirstTime(rawValue: applied[index])
    return applied.happened && applied.at <= cutOff ? (applied.at, pushedDownload(index)) : nil
  }

  /// When a silent push's wake-up first downloaded the release; nil where another trigger had a part in it.
  private func pushedDownload(_ index: Int) -> Timestamp? {
    var first = FirstTime.never
    @inline(__always)
    func isPushed(_ column: [Int64]) -> Bool {
      let step = column.isEmpty ? .never : FirstTime(rawValue: column[index])
      first = min(first, step)
      return !step.happened || step.trigger == .silentPush
    }
    guard isPushed(started), isPushed(completed), isPushed(verified), isPushed(ready) else { return nil }
    return first.happened ? first.at : nil
  }
}
