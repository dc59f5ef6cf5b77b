import Lifecycle
import Store

/// When devices took a release: had it ready, launched it, or said that they run it. Asked for in order of device.
struct Takings {
  static let milestones: [Milestone] = [.ready, .applied, .confirmed, .running]
  private let columns: [[Int64]]
  private var join: SortedJoin

  /// - Parameter milestones: which of these words count.
  init(_ shard: JourneyShard?, _ milestones: [Milestone] = Takings.milestones) {
    columns = milestones.compactMap { shard?.column($0) }
    join = SortedJoin(shard?.devices ?? [])
  }

  /// nil where a device never did.
  mutating func first(_ device: UInt64) -> Int64? {
    guard let place = join.index(of: device), let first = columns.lazy.map({ $0[place] }).min(), first != .max else {
      return nil
    }
    return FirstTime(rawValue: first).at.rawValue
  }
}
