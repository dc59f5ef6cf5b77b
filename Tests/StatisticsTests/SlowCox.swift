import Foundation
import Statistics

/// Efron's partial likelihood of two groups, factor by factor over single intervals.
struct SlowCox {
  /// Each stratum: intervals with their group, 0 or 1.
  let strata: [[(interval: IntervalAtRisk, group: Int)]]

  func logLikelihood(_ beta: Double) -> Double {
    strata.reduce(0) { sum, stratum in
      Set(stratum.filter { isEvent($0.interval) }.map(\.interval.exit)).reduce(sum) {
        $0 + logLikelihood(beta, stratum, at: $1)
      }
    }
  }

  private func logLikelihood(_ beta: Double, _ stratum: [(interval: IntervalAtRisk, group: Int)], at t: Tick) -> Double
  {
    let risk = { (group: Int) in group == 1 ? exp(beta) : 1 }
    let atRisk = stratum.filter { $0.interval.entry < t && t <= $0.interval.exit }.reduce(0) { $0 + risk($1.group) }
    let dying = stratum.filter { $0.interval.exit == t && isEvent($0.interval) }
    let dyingRisk = dying.reduce(0) { $0 + risk($1.group) }
    return dying.indices.reduce(0) { sum, l in
      sum + log(risk(dying[l].group)) - log(atRisk - Double(l) / Double(dying.count) * dyingRisk)
    }
  }

  private func isEvent(_ interval: IntervalAtRisk) -> Bool {
    if case .event = interval.ending { true } else { false }
  }

  /// By golden section; good to about 1e-7.
  var maximum: Double {
    let ratio = (5.0.squareRoot() - 1) / 2
    var (low, high) = (-5.0, 5.0)
    while high - low > 1e-9 {
      let (a, b) = (high - ratio * (high - low), low + ratio * (high - low))
      if logLikelihood(a) > logLikelihood(b) { high = b } else { low = a }
    }
    return (low + high) / 2
  }
}

func logarithm(_ x: Double) -> Double { log(x) }
func exponential(_ x: Double) -> Double { exp(x) }
