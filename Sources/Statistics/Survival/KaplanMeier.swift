import Glibc

/// The product-limit estimate of S(t), the share that has not updated by t; adoption is F = 1 - S.
///
/// The columns have one element per tick with an event. Sums are kept as logarithms and compensated.
public struct KaplanMeier: Sendable {
  public let table: LifeTable
  public let ticks: [Tick]
  public let atRisk: [Int64]
  public let events: [Int64]
  /// L = sum of log(1 - d/n); minus infinity once everybody at risk had the event.
  public let logSurvival: [Double]
  public let survival: [Double]
  /// G = sum of d/(n(n - d)), so that Var S = S²G; infinity once S is 0.
  public let greenwood: [Double]
  /// The first event out of fewer than 30 at risk.
  let firstThinEvent: Tick?

  /// Causes outside `causes` end an interval like a censoring.
  public init(_ table: LifeTable, events causes: CauseSet = .all) {
    self.table = table
    let deaths = table.events(in: causes)
    let count = deaths.reduce(0) { $0 + ($1 > 0 ? 1 : 0) }
    func steps(of column: [Int64]) -> [Int64] {
      var values: [Int64] = []
      values.reserveCapacity(count)
      for row in deaths.indices where deaths[row] > 0 { values.append(column[row]) }
      return values
    }
    (ticks, atRisk, events) = (steps(of: table.ticks), steps(of: table.atRisk), steps(of: deaths))
    (logSurvival, greenwood) = Self.sums(atRisk, events)
    survival = logSurvival.map(exp)
    firstThinEvent = atRisk.firstIndex { $0 < Self.stableAtRisk }.map { [ticks] in ticks[$0] }
  }

  private static func sums(_ atRisk: [Int64], _ events: [Int64]) -> (logs: [Double], variances: [Double]) {
    var logs = [Double](repeating: -.infinity, count: events.count)
    var variances = [Double](repeating: .infinity, count: events.count)
    var (log, variance) = (CompensatedSum(), CompensatedSum())
    for step in events.indices {
      guard events[step] < atRisk[step] else { break }
      let (n, d) = (Double(atRisk[step]), Double(events[step]))
      log.add(log1p(-d / n))
      variance.add(d / (n * (n - d)))
      logs[step] = log.value
      variances[step] = variance.value
    }
    return (logs, variances)
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
