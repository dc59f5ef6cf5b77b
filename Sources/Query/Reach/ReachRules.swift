import Lifecycle
import Store

/// How one release stands on one channel and platform, for telling what devices run.
struct ReachRules {
  let target: Int64
  let newer: Set<Int64>

  private let rollout: Eligibility?

  init(_ target: Int64, _ timeline: Timeline, _ segment: Group) {
    let channel = segment.channel ?? ""
    self.target = target
    rollout = timeline.start(target, channel: channel, platform: segment.platform).map(Eligibility.init)
    newer = timeline.newer(than: target, channel: channel, platform: segment.platform)
  }

  /// - Parameter release: 0 where the device never said.
  func standing(_ release: Int64) -> ReachStanding {
    if release == 0 { return .unknown }
    return release == target ? .exactly : newer.contains(release) ? .newer : .older
  }

  /// A device that was offered the release, or runs it, was eligible whatever its bucket.
  ///
  /// - Parameters:
  ///   - journey: on the release, where the device is.
  ///   - bucket: what the device said of its rollout bucket elsewhere.
  @inline(__always)
  func eligibility(
    runs standing: ReachStanding, at instant: Int64, journey: () -> JourneyRow?, bucket: () -> UInt8?
  ) -> ReachEligibility {
    if standing == .exactly { return .yes }
    guard let rollout, rollout.publishedAt <= instant else { return .no }
    if rollout.completeAt <= instant { return .yes }
    let journey = journey()
    if let bucket = journey?.bucket ?? bucket() { return rollout.at(bucket: bucket) <= instant ? .yes : .no }
    return (journey?.offeredAt ?? .max) <= instant ? .yes : .unknown
  }
}
