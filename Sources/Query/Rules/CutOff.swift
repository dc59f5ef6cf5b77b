public import Lifecycle
public import Store

/// Where the data end for an analysis: now, less the time that events usually need to arrive.
public struct CutOff: Equatable, Sendable {
  public var at: Timestamp
  /// The 99th percentile of (received − at) of what had arrived by now; 0 where that says nothing.
  public var lag: Milliseconds
  /// Most events came hours after they happened: they were loaded later, and their delay is not that of phones.
  public var isBackfilled = false
  /// What was received on each day, since 1970, that there was something.
  private(set) var days: [Int64: Day] = [:]

  struct Day: Equatable, Sendable {
    var events: Int64 = 0
    /// Those that say no time, and may have been sent late.
    var timeless: Int64 = 0
  }

  /// Later arrivals are backfill, not lag.
  static let longestLag: Int64 = 7 * 86_400
  static let longestUsualLag: Int64 = 3600

  /// Right at an instant.
  init(at instant: Timestamp) { (at, lag) = (instant, .seconds(0)) }

  public init(_ vocabulary: Vocabulary, app: String, now: Timestamp) {
    let today = now.seconds / 86_400
    let arrivals = vocabulary.lags.filter { $0.app == app && $0.day <= today }
    for arrival in arrivals {
      days[arrival.day, default: Day()].events += arrival.events
      if arrival.seconds == ArrivalLag.unknown { days[arrival.day]?.timeless += arrival.events }
    }
    let lags = arrivals.filter { $0.seconds != ArrivalLag.unknown }.sorted { $0.seconds < $1.seconds }
    let total = lags.reduce(0) { $0 + $1.events }
    func percentile(_ share: Double) -> Int64 {
      var seen: Int64 = 0
      return lags.first { row in
        seen += row.events
        return Double(seen) >= share * Double(total)
      }?.seconds ?? 0
    }
    isBackfilled = percentile(0.5) > Self.longestUsualLag
    lag = isBackfilled ? .seconds(0) : .seconds(min(percentile(0.99), Self.longestLag))
    at = now - lag
  }
}
