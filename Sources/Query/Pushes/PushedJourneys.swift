import Lifecycle
import Store

/// The columns of one release's journeys in one channel, as far as pushes look at them; looked up in device order.
struct PushedJourneys {
  private static let downloads: [Milestone] = [.downloadStarted, .downloadCompleted, .verified, .ready]
  static let milestones = downloads + [.applied]

  let release: Int64
  private let devices: [UInt64]
  private let applied: [Int64]
  private let downloads: [[Int64]]
  private var next = 0

  init(_ journeys: Snapshot.Journeys) {
    (release, devices) = (journeys.release, journeys.shard.devices)
    applied = journeys.shard.column(.applied) ?? []
    downloads = Self.downloads.compactMap { journeys.shard.column($0) }
  }

  /// The device's place, or nil. Devices must be asked for in ascending order.
  mutating func place(of device: UInt64) -> Int? {
    while next < devices.count, devices[next] < device { next += 1 }
    return next < devices.count && devices[next] == device ? next : nil
  }

  func applied(_ place: Int) -> FirstTime { applied.isEmpty ? .never : FirstTime(rawValue: applied[place]) }

  /// When a silent push's wake-up first downloaded the release; nil where another trigger had a part in it.
  func pushedDownload(_ place: Int) -> Timestamp? {
    var first: Timestamp?
    for column in downloads.indices {
      let step = FirstTime(rawValue: downloads[column][place])
      guard step.happened else { continue }
      guard step.trigger == .silentPush else { return nil }
      first = min(first ?? step.at, step.at)
    }
    return first
  }
}
