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

  /// All that what is counted of its rollout rests on beside the publication's steps.
  var ground: [Int64] { [publishedAt, completeAt] + newer.sorted() }

  /// - Parameter release: 0 where the device never said.
  func standing(_ release: Int64) -> ReachStanding {
    if release == 0 { return .unknown }
    return release == target ? .exactly : newer.contains(release) ? .newer : .older
  }

  /// When the release came there, and when everybody might have it; `.max` for never.
  var publishedAt: Int64 { rollout?.publishedAt ?? .max }
  var completeAt: Int64 { rollout?.completeAt ?? .max }

  /// - Parameters:
  ///   - bucket: the device's; nil where nobody knows it.
  ///   - offeredAt: when it was first offered the release; `.max` for never.
  func offer(bucket: UInt8?, offeredAt: Int64) -> ReachOffer {
    guard let bucket else { return ReachOffer(at: offeredAt, before: .unknown) }
    return ReachOffer(at: rollout?.at(bucket: bucket) ?? .max, before: .no)
  }
}

/// A device's place in the rollout while that is short of everybody: by its bucket, else by what it was offered.
struct ReachOffer {
  /// From when on it is known to be eligible; `.max` for never.
  var at: Int64
  /// What it is until then.
  var before: ReachEligibility

  @inline(__always)
  func eligibility(at instant: Int64) -> ReachEligibility { at <= instant ? .yes : before }
}
