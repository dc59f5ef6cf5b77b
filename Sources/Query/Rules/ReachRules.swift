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

  /// When the release came there, and when everybody might have it; `.max` for never.
  var publishedAt: Int64 { rollout?.publishedAt ?? .max }
  var completeAt: Int64 { rollout?.completeAt ?? .max }

  /// While the rollout is short of everybody: by the device's bucket, else by what it was offered.
  func eligibility(at instant: Int64, _ offer: ReachOffer) -> ReachEligibility {
    if let bucket = offer.bucket { return (rollout?.at(bucket: bucket) ?? .max) <= instant ? .yes : .no }
    return offer.offeredAt <= instant ? .yes : .unknown
  }
}

/// What is known of a device's place in the rollout.
struct ReachOffer {
  var bucket: UInt8?
  /// When it was first offered the release; `.max` for never.
  var offeredAt: Int64
}
