import Lifecycle
import Store

/// When the rollout of a release let devices have it, on one channel and platform; times in milliseconds.
struct Eligibility {
  let publishedAt: Int64
  /// Whether some devices had to wait.
  let isStaged: Bool
  /// When everybody may have it; `.max` while the rollout is short of 100 %.
  let completeAt: Int64
  /// By rollout bucket; `.max` is never, as things stand.
  private let byBucket: [Int64]

  init(_ start: Timeline.Start) {
    publishedAt = start.publishedAt.rawValue
    isStaged = start.isStaged
    completeAt = start.completeAt?.rawValue ?? .max
    byBucket = (0..<128).map { start.eligibleAt(bucket: $0)?.rawValue ?? .max }
  }

  /// When a device may have the release; `.max`: never.
  @inline(__always)
  func at(bucket: UInt8) -> Int64 { byBucket[Int(bucket)] }
}
