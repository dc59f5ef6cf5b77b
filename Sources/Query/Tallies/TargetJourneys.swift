import Lifecycle
import Store

/// How a device got the newest release of its channel, as far as a diagnosis needs it.
struct UpdateJourney {
  /// Whether anything is known of it.
  var isTouched = false
  /// When it was first applied.
  var appliedAt: Timestamp?
  var isRolledBack = false
  /// Whether a background refresh brought it.
  var cameByRefresh = false
  /// When a silent push brought it, or a step of it.
  var pushedAt: Timestamp?
  /// Its first stage that is no offer; `.max` where there is none.
  var begin = Int64.max
  var isApplied: Bool { appliedAt != nil }

  init() {}

  init(_ shard: JourneyShard, _ place: Int) {
    isTouched = true
    isRolledBack = shard.first(.rolledBack, place).happened
    for milestone in [Milestone.downloadStarted, .downloadCompleted, .verified, .ready, .applied] {
      let first = shard.first(milestone, place)
      guard first.happened else { continue }
      begin = min(begin, first.at.rawValue)
      if milestone == .applied { appliedAt = first.at }
      if first.trigger == .bgRefresh { cameByRefresh = true }
      if first.trigger == .silentPush { pushedAt = max(pushedAt ?? first.at, first.at) }
    }
  }
}

/// The journeys of a page on the newest release of a channel, looked up in device order.
struct TargetJourneys {
  let channel: Int64
  private let shard: JourneyShard
  private var join: SortedJoin

  /// nil for journeys on another release than the newest.
  init?(_ journeys: Snapshot.Journeys, _ target: FleetCounting.Target?) {
    guard journeys.release == target?.release else { return nil }
    (channel, shard, join) = (journeys.channel, journeys.shard, SortedJoin(journeys.shard.devices))
  }

  mutating func journey(_ device: UInt64) -> UpdateJourney {
    join.index(of: device).map { UpdateJourney(shard, $0) } ?? UpdateJourney()
  }
}
