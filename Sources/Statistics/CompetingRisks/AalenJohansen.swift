/// The cumulative incidence of each cause: F_k(t), the share that has had an event of cause k by t.
///
/// All causes together and S = 1 - ΣF_k make 1 at every tick. As with the curve of all causes, waypoints are kept and
/// what lies between them is counted again.
public struct AalenJohansen: Sendable {
  /// All causes together: risk sets, S and its variance.
  public let overall: KaplanMeier
  /// The causes that occur, ascending.
  public let causes: [Cause]
  /// Waypoint by waypoint one per cause, and the same at the end.
  private let shares: [[CauseShare]]

  /// Causes outside `causes` end an interval like a censoring.
  public init(_ table: LifeTable, events set: CauseSet = .all) {
    let causes = table.causes.filter(set.contains)
    var (all, shares) = (AllCauses(), [[CauseShare]]())
    overall = KaplanMeier(table, set, &all) { shares.append($0.taken(causes)) }
    self.causes = causes
    self.shares = shares
  }

  public var table: LifeTable { overall.table }
}

extension AalenJohansen {
  /// The stretch from one waypoint to the next, as one cause sees it.
  struct Stretch {
    let waypoint: Int
    let first: CauseShare
    let last: CauseShare
  }

  /// nil for a cause that never occurs.
  func stretches(of cause: Cause) -> LazyMapSequence<Range<Int>, Stretch>? {
    causes.firstIndex(of: cause).map { column in
      overall.waypoints.indices.lazy.map {
        Stretch(waypoint: $0, first: shares[$0][column], last: shares[min($0 + 1, shares.count - 1)][column])
      }
    }
  }

  /// Counts the steps of a stretch again, those of other causes too; stops where told to.
  func replay(_ stretch: Stretch, _ cause: Cause, _ look: (CauseShare) -> Bool) {
    var (progress, one) = (overall.waypoints[stretch.waypoint], OneCause(cause, stretch.first))
    let (last, causes) = (overall.stepsAfter(stretch.waypoint), overall.causes)
    let runs = overall.table.runs.span
    while progress.steps < last {
      progress.advance(runs, causes, steps: progress.steps + 1, &one)
      if !look(one.share) { return }
    }
  }

  /// How one cause stands after the rows up to a tick.
  func share(of cause: Cause, at tick: Tick) -> CauseShare {
    guard let column = causes.firstIndex(of: cause) else { return CauseShare() }
    let waypoint = overall.waypoint(upTo: tick)
    var (progress, one) = (overall.waypoints[waypoint], OneCause(cause, shares[waypoint][column]))
    progress.advance(table.runs.span, overall.causes, to: tick, &one)
    return one.share
  }

  /// At most so many of the ticks at which F_k rises, as `Rises` chooses them.
  public func ticks(of cause: Cause, atMost points: Int) -> [Tick] { steps(of: cause, atMost: points).map(\.tick) }

  /// How a cause stands after these ticks.
  func steps(of cause: Cause, atMost points: Int) -> [CauseShare] {
    guard let stretches = stretches(of: cause) else { return [] }
    let end = share(of: cause, at: overall.lostFrom.map { $0 - 1 } ?? .max)
    var (rises, steps) = (Rises(of: end.steps, to: end.value, atMost: points), [CauseShare]())
    steps.reserveCapacity(min(points, end.steps))
    for stretch in stretches where stretch.first.steps < end.steps {
      let last = stretch.last.steps < end.steps ? stretch.last : end
      guard rises.wants(last.steps, last.value) else { continue }
      var number = stretch.first.steps
      replay(stretch, cause) { share in
        // Steps of other causes are counted again, too.
        guard share.steps > number else { return true }
        number = share.steps
        if rises.takes(number, share.value) { steps.append(share) }
        return number < last.steps && rises.wants(last.steps, last.value)
      }
    }
    return steps
  }
}
