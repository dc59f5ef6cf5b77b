/// At risk and events by group at every tick with an event: all that comparing groups needs.
///
/// Strata lie behind each other; within each, ticks ascend. Groups keep their number in all strata.
public struct RiskSets: Sendable {
  public let groupCount: Int
  public private(set) var ticks: [Tick] = []
  /// That of any of the tables.
  private(set) var doubt: Unestimable?
  /// Row by row, one number per group; counts as Double, exact to 2^53.
  private(set) var atRisk: [Double] = []
  private(set) var events: [Double] = []

  /// Each stratum holds one table per group in the same order; causes outside `causes` censor. Without any stratum
  /// there are still that many groups, with nobody in them.
  public init(strata: [[LifeTable]], groupCount: Int, events causes: CauseSet = .all) {
    self.groupCount = groupCount
    for stratum in strata {
      precondition(stratum.count == groupCount, "every stratum has the same groups")
      doubt = doubt ?? stratum.lazy.compactMap(\.doubt).first
      append(stratum, causes)
    }
  }

  private init(groupCount: Int) { self.groupCount = groupCount }

  private mutating func append(_ tables: [LifeTable], _ causes: CauseSet) {
    var cursors = tables.map { GroupCursor($0, causes) }
    while let tick = cursors.earliestEvent {
      ticks.append(tick)
      for group in cursors.indices {
        let (n, d) = cursors[group].take(tick)
        atRisk.append(n)
        events.append(d)
      }
    }
  }

  /// The risk sets whose ticks are in a range, of some of the groups, renumbered.
  func restricted(to range: ClosedRange<Tick>? = nil, groups: [Int]? = nil) -> RiskSets {
    let kept = groups ?? Array(0..<groupCount)
    if range == nil, kept == Array(0..<groupCount) { return self }
    var restricted = RiskSets(groupCount: kept.count)
    restricted.doubt = doubt
    for row in ticks.indices where range?.contains(ticks[row]) ?? true {
      restricted.ticks.append(ticks[row])
      for group in kept {
        restricted.atRisk.append(atRisk[row * groupCount + group])
        restricted.events.append(events[row * groupCount + group])
      }
    }
    return restricted
  }

  func totalEvents(of group: Int) -> Double {
    ticks.indices.reduce(0) { $0 + events[$1 * groupCount + group] }
  }
}

extension [GroupCursor] {
  fileprivate var earliestEvent: Tick? {
    var earliest: Tick?
    for cursor in self {
      if let next = cursor.nextEvent, next < earliest ?? .max { earliest = next }
    }
    return earliest
  }
}

/// Walks one table in step with others.
private struct GroupCursor {
  private let runs: [Int64]
  private let causes: CauseSet
  /// Before the row that was not passed yet.
  private var rows = RowReader()
  private var ahead = RowReader()
  private(set) var nextEvent: Tick?
  private var deaths: Int64 = 0

  init(_ table: LifeTable, _ causes: CauseSet) {
    (runs, self.causes) = (table.runs, causes)
    findEvent()
  }

  /// Between rows the number at risk is that of the next row; after the last it is 0.
  mutating func take(_ tick: Tick) -> (atRisk: Double, events: Double) {
    let all = runs
    while rows.next < all.count, Run.tick(all[rows.next]) < tick { rows.read(all.span) }
    let n = rows.next < runs.count ? Double(rows.after) : 0
    guard nextEvent == tick else { return (n, 0) }
    let d = Double(deaths)
    findEvent()
    return (n, d)
  }

  private mutating func findEvent() {
    let (all, causes) = (runs, causes)
    var found: Int64 = 0
    while found == 0, ahead.next < all.count {
      ahead.read(all.span) { kind, count in if Run.isEvent(kind, causes) { found += count } }
    }
    (nextEvent, deaths) = (found > 0 ? ahead.tick : nil, found)
  }
}
