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
    self.init(KaplanMeier(table, events: set), causes: table.causes.filter(set.contains))
  }

  /// - Parameter causes: those that the curve takes for events, as far as they occur.
  public init(_ overall: KaplanMeier, causes: [Cause]) {
    let events = overall.table.events(of: causes, at: overall.ticks)
    let steps = overall.ticks.indices.map { IncidenceStep(overall, $0) }
    let columns = events.map { IncidenceColumn(steps, events: $0) }
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
  /// Events of some causes at some of the table's ticks, a column per cause.
  fileprivate func events(of causes: [Cause], at chosen: [Tick]) -> [[Int64]] {
    var row = 0
    let rows = chosen.map { tick in
      while ticks[row] < tick { row += 1 }
      return row
    }
    return causes.map { cause in
      let column = eventColumns[cause.column]
      return rows.map { column[$0] }
    }
  }
}

/// What one tick does to the incidences: the state before it and the share of the risk set that leaves.
struct IncidenceStep {
  /// S before.
  let before: Double
  /// Var S before.
  let spread: Double
  let hazard: Double
  let perDevice: Double

  init(_ curve: KaplanMeier, _ step: Int) {
    let survival = step > 0 ? curve.survival[step - 1] : 1
    before = survival
    spread = survival > 0 && step > 0 ? survival * survival * curve.greenwood[step - 1] : 0
    perDevice = 1 / Double(curve.atRisk[step])
    hazard = Double(curve.events[step]) / Double(curve.atRisk[step])
  }

  /// Var F_k after the tick, from what it and Cov(F_k, S) were before.
  func variance(_ own: Double, withSurvival: Double, hazard share: Double) -> Double {
    own + share * (2 * withSurvival + share * spread + before * before * (1 - share) * perDevice)
  }

  /// Cov(F_k, S) after the tick, from what it was before.
  func withSurvival(_ covariance: Double, hazard share: Double) -> Double {
    (1 - hazard) * (covariance + share * spread - before * before * share * perDevice)
  }
}

/// F of one cause and its variance at every event tick.
private struct IncidenceColumn {
  var incidence: [Double]
  var variance: [Double]

  init(_ steps: [IncidenceStep], events: [Int64]) {
    incidence = Array(repeating: 0, count: steps.count)
    variance = incidence
    var share = CompensatedSum()
    var (own, withSurvival) = (0.0, 0.0)
    for index in steps.indices {
      let step = steps[index]
      let hazard = Double(events[index]) * step.perDevice
      share.add(step.before * hazard)
      own = step.variance(own, withSurvival: withSurvival, hazard: hazard)
      withSurvival = step.withSurvival(withSurvival, hazard: hazard)
      incidence[index] = share.value
      variance[index] = max(own, 0)
    }
  }
}
