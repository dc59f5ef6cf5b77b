import Lifecycle
@testable import Store

@testable import Query

/// One device's journey on one release and channel.
struct JourneyView {
  let release: Int64
  let channel: Int64
  let shard: JourneyShard
  let place: Int
  let cutOff: Timestamp

  /// What came after the cutoff never was.
  func first(_ milestone: Milestone) -> FirstTime {
    let first = shard.first(milestone, place)
    return first.happened && first.at > cutOff ? .never : first
  }
  func time(_ milestone: Milestone) -> Timestamp? {
    let first = first(milestone)
    return first.happened ? first.at : nil
  }
  var bucket: UInt8? { shard.bucket(place, until: cutOff.rawValue) }
  /// Of the first failure, a number of `name`.
  var failureReason: Int64? { shard.failureReason(place) }

  /// When the device first had to do with the release.
  var sign: Timestamp? {
    [
      .available, .downloadStarted, .downloadCompleted, .verified, .ready, .applied, .confirmed, .running,
    ].compactMap(time).min()
  }

  /// When the device was first offered the release.
  var firstOffer: Timestamp? {
    [.available, .downloadStarted, .downloadCompleted, .verified, .ready].lazy.map(first).filter(\.happened).map(\.at)
      .min()
  }
}
