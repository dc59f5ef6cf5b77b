import Lifecycle
import Store

/// The columns of one release's journeys in one channel, as far as pushes look at them; looked up in device order.
struct PushedJourneys {
  private static let downloads: [Milestone] = [.downloadStarted, .downloadCompleted, .verified, .ready]
  static let milestones = downloads + [.applied]

  let release: Int64
  private let applied: [Int64]
  private let downloads: [[Int64]]
  private var join: SortedJoin

  init(_ journeys: Snapshot.Journeys) {
    (release, join) = (journeys.release, SortedJoin(journeys.shard.devices))
    applied = journeys.shard.column(.applied) ?? []
    downloads = Self.downloads.compactMap { journeys.shard.column($0) }
  }

  /// The device's index, or nil. Devices must be asked for in ascending order.
  mutating func index(of device: UInt64) -> Int? { join.index(of: device) }

  func applied(_ index: Int) -> FirstTime { applied.isEmpty ? .never : FirstTime(rawValue: applied[index]) }

  /// When a silent push's wake-up first downloaded the release; nil where another trigger had a part in it.
  func pushedDownload(_ index: Int) -> Timestamp? {
    var first: Timestamp?
    for column in downloads.indices {
      let step = FirstTime(rawValue: downloads[column][index])
      guard step.happened else { continue }
      guard step.trigger == .silentPush else { return nil }
      first = min(first ?? step.at, step.at)
    }
    return first
  }
}
