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
  private var arrivals: [ArrivalLag] = []

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
    self.arrivals = arrivals
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

extension CutOff {
  /// How much of what the app's devices reported happened soon after an event that is said to be the first.
  struct Beginning: Equatable {
    var soon: Int64
    var all: Int64
    static let window = Milliseconds.days(28)

    /// Of a fleet that began there much happens within four weeks: hardly anything says that the event's time is wrong,
    /// or that somebody made it up.
    var isDoubtful: Bool { all >= 10 && soon * 10 <= all && soon <= max(3, all / 100) }
  }

  /// By receipts and how late they were, which clients cannot choose; delays are stored rounded up, which doubts less.
  func beginning(at first: Timestamp) -> Beginning {
    let end = (first + Beginning.window).seconds
    return arrivals.filter { $0.seconds != ArrivalLag.unknown && $0.day >= first.seconds / 86_400 }
      .reduce(into: Beginning(soon: 0, all: 0)) { sum, arrival in
        sum.all += arrival.events
        if arrival.day * 86_400 - arrival.seconds < end { sum.soon += arrival.events }
      }
  }
}
