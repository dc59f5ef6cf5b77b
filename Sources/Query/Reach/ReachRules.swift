import Lifecycle
import Store

/// How one release stands on one channel and platform, for telling what devices run.
struct ReachRules {
  let target: Int64
  let start: Timeline.Start?
  let newer: Set<Int64>

  init(_ target: Int64, _ timeline: Timeline, _ place: Group) {
    let channel = place.channel ?? ""
    self.target = target
    start = timeline.start(target, channel: channel, platform: place.platform)
    newer = timeline.newer(than: target, channel: channel, platform: place.platform)
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
  func eligibility(
    runs standing: ReachStanding, at instant: Timestamp, journey: () -> JourneyView?, bucket: () -> UInt8?
  ) -> ReachEligibility {
    if standing == .exactly { return .yes }
    guard let start, start.publishedAt <= instant else { return .no }
    if let complete = start.completeAt, complete <= instant { return .yes }
    let journey = journey()
    if let bucket = journey?.bucket ?? bucket() {
      return start.eligibleAt(bucket: bucket).map { $0 <= instant } ?? false ? .yes : .no
    }
    return journey?.firstOffer.map { $0 <= instant } ?? false ? .yes : .unknown
  }
}
