/// Whether one hazard ratio can stand for the whole comparison of two groups.
///
/// The ratio before and after the pooled median event time; it changes when the two intervals do not overlap.
public struct ProportionalHazards: Sendable {
  public enum Verdict: String, CaseIterable, Hashable, Sendable, Codable {
    case steady, changing
    /// One of the halves has no ratio.
    case unknown
  }

  public let early: Estimate
  public let late: Estimate

  /// `group` (1, 2, …) against the first group of the sets.
  public init(_ sets: RiskSets, group: Int = 1, level: Double) {
    let pair = sets.restricted(groups: [0, group])
    let median = Self.medianEvent(pair)
    early = CoxModel(pair.restricted(to: .min...(median ?? 0))).hazardRatio(of: 1, level: level)
    late = CoxModel(pair.restricted(to: (median ?? 0) + 1 ... .max)).hazardRatio(of: 1, level: level)
  }

  public var verdict: Verdict {
    guard let low = early.lo, let high = early.hi, let lateLow = late.lo, let lateHigh = late.hi else {
      return .unknown
    }
    return low > lateHigh || lateLow > high ? .changing : .steady
  }

  /// The tick by which half of all events had happened; nil without events.
  private static func medianEvent(_ sets: RiskSets) -> Tick? {
    let total = (0..<sets.groupCount).reduce(0) { $0 + sets.totalEvents(of: $1) }
    var seen = 0.0
    // Strata may share a tick.
    for row in sets.ticks.indices.sorted(by: { sets.ticks[$0] < sets.ticks[$1] }) {
      seen += sets.events(row)
      if seen >= total / 2 { return sets.ticks[row] }
    }
    return nil
  }
}

extension RiskSets {
  /// Of all groups at one tick of a stratum.
  fileprivate func events(_ row: Int) -> Double {
    events[row * groupCount..<(row + 1) * groupCount].reduce(0, +)
  }
}
