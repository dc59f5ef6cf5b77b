/// The cumulative incidence of each cause: F_k(t), the share that has had an event of cause k by t.
///
/// All causes together and S = 1 - ΣF_k make 1 at every tick. Columns have one element per tick with an event of
/// any cause. Variances are Greenwood's for the whole process (multinomial events at each tick), carried forward
/// tick by tick: no difference of large sums, and nothing special happens when S reaches 0.
public struct AalenJohansen: Sendable {
  /// All causes together: risk sets, S and its variance.
  public let overall: KaplanMeier
  /// The causes that occur, ascending.
  public let causes: [Cause]
  /// F_k per cause of `causes`, one element per event tick.
  public let incidence: [[Double]]
  public let variance: [[Double]]
  private let events: [[Int64]]

  /// Causes outside `causes` end an interval like a censoring.
  public init(_ table: LifeTable, events set: CauseSet = .all) {
    let overall = KaplanMeier(table, events: set)
    let causes = table.causes.filter(set.contains)
    let events = causes.map { cause in table.eventsAtSteps(of: overall, cause) }
    let columns = events.map { IncidenceColumn(overall, events: $0) }
    self.overall = overall
    self.causes = causes
    self.events = events
    incidence = columns.map(\.incidence)
    variance = columns.map(\.variance)
  }

  public var table: LifeTable { overall.table }
  public var ticks: [Tick] { overall.ticks }

  func eventColumn(_ cause: Cause) -> [Int64]? { causes.firstIndex(of: cause).map { events[$0] } }
}

extension LifeTable {
  /// Events of one cause at the event ticks of a curve over the same table.
  fileprivate func eventsAtSteps(of curve: KaplanMeier, _ cause: Cause) -> [Int64] {
    var row = 0
    return curve.ticks.map { tick in
      while ticks[row] < tick { row += 1 }
      return events(cause, row: row)
    }
  }
}

/// What one tick does to the incidences: the state before it and the shares of the risk set that leave.
struct IncidenceStep {
  let before: Double
  /// Var S before.
  let spread: Double
  let hazard: Double
  let n: Double
  let d: Double

  init(_ curve: KaplanMeier, _ step: Int) {
    let survival = step > 0 ? curve.survival[step - 1] : 1
    before = survival
    spread = survival > 0 && step > 0 ? survival * survival * curve.greenwood[step - 1] : 0
    n = Double(curve.atRisk[step])
    d = Double(curve.events[step])
    hazard = d / n
  }

  /// Cov(F_k, S) after the tick, from what it was before.
  func withSurvival(_ covariance: Double, events: Double) -> Double {
    (1 - hazard) * (covariance + events / n * spread) - before * before * (events / n) * ((n - d) / n) / n
  }
}

/// F of one cause and its variance at every event tick.
private struct IncidenceColumn {
  var incidence: [Double] = []
  var variance: [Double] = []

  init(_ curve: KaplanMeier, events: [Int64]) {
    incidence.reserveCapacity(events.count)
    variance.reserveCapacity(events.count)
    var share = CompensatedSum()
    var (own, withSurvival) = (0.0, 0.0)
    for index in events.indices {
      let step = IncidenceStep(curve, index)
      let e = Double(events[index])
      let h = e / step.n
      share.add(step.before * h)
      own += h * (2 * withSurvival + h * step.spread) + step.before * step.before * h * ((step.n - e) / step.n) / step.n
      withSurvival = step.withSurvival(withSurvival, events: e)
      incidence.append(share.value)
      variance.append(max(own, 0))
    }
  }
}
