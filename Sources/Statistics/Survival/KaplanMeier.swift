import Glibc

/// The product-limit estimate of S(t), the share that has not updated by t; adoption is F = 1 - S.
///
/// The columns have one element per tick with an event. Sums are kept as logarithms and compensated.
public struct KaplanMeier: Sendable {
  public let table: LifeTable
  public private(set) var ticks: [Tick] = []
  public private(set) var atRisk: [Int64] = []
  public private(set) var events: [Int64] = []
  /// L = sum of log(1 - d/n); minus infinity once everybody at risk had the event.
  public private(set) var logSurvival: [Double] = []
  public private(set) var survival: [Double] = []
  /// G = sum of d/(n(n - d)), so that Var S = S²G; infinity once S is 0.
  public private(set) var greenwood: [Double] = []

  /// Causes outside `causes` end an interval like a censoring.
  public init(_ table: LifeTable, events causes: CauseSet = .all) {
    self.table = table
    let deaths = table.events(in: causes)
    var (logSum, variance) = (CompensatedSum(), CompensatedSum())
    var exhausted = false
    for row in deaths.indices where deaths[row] > 0 {
      let (n, d) = (Double(table.atRisk[row]), Double(deaths[row]))
      exhausted = exhausted || d >= n
      if !exhausted {
        logSum.add(log1p(-d / n))
        variance.add(d / n / (n - d))
      }
      ticks.append(table.ticks[row])
      atRisk.append(table.atRisk[row])
      events.append(deaths[row])
      logSurvival.append(exhausted ? -.infinity : logSum.value)
      survival.append(exp(exhausted ? -.infinity : logSum.value))
      greenwood.append(exhausted ? .infinity : variance.value)
    }
  }

  /// The last event at or before the tick; nil before the first one.
  func step(at tick: Tick) -> Int? {
    let index = ticks.partitioningIndex { $0 > tick }
    return index > 0 ? index - 1 : nil
  }

  /// Why nothing can be said about a tick; nil when something can.
  ///
  /// After the last exit the curve is unknown, unless it has come down to 0.
  func gap(at tick: Tick) -> Unestimable? {
    guard let last = table.lastTick, table.atRisk.contains(where: { $0 > 0 }) else { return .nothingAtRisk }
    return tick > last && survival.last != 0 ? .beyondFollowUp : nil
  }
}
