import Glibc

/// Hazard ratios of groups to the first one by Cox's partial likelihood with Efron's ties.
///
/// Stratified and with late entries as the risk sets are. Newton's method from 0; a pass costs one step per tick.
public struct CoxModel: Sendable {
  /// log hazard ratios of groups 1, 2, … to group 0, in their order.
  public let coefficients: [Result<Moment, Unestimable>]
  public let logLikelihood: Double
  public let nullLogLikelihood: Double
  /// The score test at 0: the log-rank test but for its variance at ties.
  public let scoreStatistic: Double
  public let waldStatistic: Double
  private let doubt: Unestimable?

  /// Groups without an event have no ratio, and nobody has one to a reference without events.
  public init(_ sets: RiskSets) {
    let active = (0..<sets.groupCount).filter { sets.totalEvents(of: $0) > 0 }
    let fit = active.first == 0 ? CoxFit(sets.restricted(groups: active)) : nil
    coefficients = (1..<max(sets.groupCount, 1)).map { group in
      guard let fit, let index = active.firstIndex(of: group) else { return .failure(.noEvents) }
      return fit.coefficient(index - 1)
    }
    doubt = sets.doubt
    logLikelihood = fit?.now.logLikelihood ?? 0
    nullLogLikelihood = fit?.null.logLikelihood ?? 0
    scoreStatistic = fit?.null.scoreStatistic ?? 0
    waldStatistic = fit?.waldStatistic ?? 0
  }

  /// The hazard ratio of a group (1, 2, …) to the first.
  public func hazardRatio(of group: Int, level: Double) -> Estimate {
    coefficients[group - 1].estimate(level: level, method: .coxEfron).exponentiated.without(limitsBecauseOf: doubt)
  }
}

extension Estimate {
  /// From a logarithm to the ratio itself.
  var exponentiated: Estimate {
    Estimate(
      value.map(exp), lo: lo.map(exp), hi: hi.map(exp), level: level, method: method, reason: reason)
  }
}
