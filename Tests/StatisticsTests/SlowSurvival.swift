import Statistics

/// The definitions, written out over single intervals: no table, no running sums, no shared code.
struct SlowSurvival {
  private let atRiskBy: [Double]
  private let eventsBy: [[Cause: Double]]
  private let survivalBy: [Double]

  init(intervals: [IntervalAtRisk]) {
    let span = max(intervals.map(\.exit).max() ?? 0, 60) + 1
    atRiskBy = (0..<span).map { t in Double(intervals.count { $0.entry < t && t <= $0.exit }) }
    eventsBy = (0..<span).map { t in
      intervals.reduce(into: [:]) { counts, interval in
        if interval.exit == t, case .event(let cause) = interval.ending { counts[cause, default: 0] += 1 }
      }
    }
    let (atRisk, events) = (atRiskBy, eventsBy.map { $0.values.reduce(0, +) })
    survivalBy = (0..<Int(span)).map { t in
      (0...t).reduce(1) { events[$1] > 0 ? $0 * (1 - events[$1] / atRisk[$1]) : $0 }
    }
  }

  func atRisk(_ t: Tick) -> Double { atRiskBy[Int(t)] }
  func events(_ t: Tick, _ cause: Cause) -> Double { eventsBy[Int(t)][cause] ?? 0 }
  func survival(_ t: Tick) -> Double { t < 0 ? 1 : survivalBy[Int(t)] }

  private func events(_ t: Tick) -> Double { eventsBy[Int(t)].values.reduce(0, +) }
  private func ticks(to t: Tick) -> [Tick] { (0...t).filter { events($0) > 0 } }

  func greenwood(_ t: Tick) -> Double {
    ticks(to: t).reduce(0) { $0 + events($1) / (atRisk($1) * (atRisk($1) - events($1))) }
  }

  func incidence(_ cause: Cause, _ t: Tick) -> Double {
    ticks(to: t).reduce(0) { $0 + survival($1 - 1) * events($1, cause) / atRisk($1) }
  }

  /// The double sum over the whole past, as the textbook has it; needs S > 0.
  func covariance(_ k: Cause, _ l: Cause, _ t: Tick) -> Double {
    let (gainedK, gainedL) = (incidence(k, t), incidence(l, t))
    return ticks(to: t).reduce(0) { sum, tick in
      let (n, d, before) = (atRisk(tick), events(tick), survival(tick - 1))
      let (dk, dl) = (events(tick, k), events(tick, l))
      let u = gainedK - incidence(k, tick)
      let v = gainedL - incidence(l, tick)
      let w = k == l ? dk * (n - dk) : -dk * dl
      let now = u * v * d / (n * (n - d)) + before * before * w / (n * n * n)
      return sum + now - before * (v * dk + u * dl) / (n * n)
    }
  }

  func restrictedMean(_ horizon: Tick) -> Double { (0..<horizon).reduce(0) { $0 + survival($1) } }
}
