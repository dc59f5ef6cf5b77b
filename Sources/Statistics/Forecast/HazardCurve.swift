import Glibc

/// The cumulative hazard H = -log S of one release over its age, as far as it is known.
public struct HazardCurve: Hashable, Sendable {
  private let ticks: [Tick]
  private let hazards: [Double]
  private let eventsSoFar: [Int64]
  /// The last age at which enough were at risk; nil: never.
  public let knownTo: Tick?

  /// Known as long as at least so many are at risk; a past release needs 30, the one that is forecast only one.
  public init(_ curve: KaplanMeier, atRisk least: Int64 = KaplanMeier.stableAtRisk) {
    var (ticks, hazards, events) = ([Tick](), [Double](), [Int64]())
    curve.eachStep { step in
      ticks.append(step.tick)
      hazards.append(-step.logSurvival)
      events.append(step.events)
    }
    (self.ticks, self.hazards, eventsSoFar) = (ticks, hazards, events)
    knownTo = curve.table.lastTick(atRisk: least, before: curve.lostFrom ?? .max)
  }

  /// A curve given by its values at some ages, known to the last of them; `events` are those so far.
  public init(ages: [Tick], hazards: [Double], events: [Int64]) {
    ticks = ages
    self.hazards = hazards
    eventsSoFar = events
    knownTo = ages.last
  }

  /// nil where it is not known, or where nobody was left.
  public func hazard(at tick: Tick) -> Double? {
    guard let knownTo, tick <= knownTo else { return nil }
    let hazard = reached(by: tick)
    return hazard < .infinity ? hazard : nil
  }

  /// Whether nobody was left, of those that are known.
  func isExhausted(at tick: Tick) -> Bool { reached(by: tick) == .infinity }

  private func reached(by tick: Tick) -> Double {
    let step = ticks.partitioningIndex { $0 > tick }
    return step > 0 ? hazards[step - 1] : 0
  }

  /// F = 1 - exp(-H).
  public func share(at tick: Tick) -> Double? { hazard(at: tick).map { -expm1(-$0) } }

  public func events(by tick: Tick) -> Int64 {
    let step = ticks.partitioningIndex { $0 > tick }
    return step > 0 ? eventsSoFar[step - 1] : 0
  }
}
