import Glibc

/// Newton's method on the partial likelihood; every group has events.
struct CoxFit {
  private(set) var beta: [Double]
  let null: CoxLikelihood
  private(set) var now: CoxLikelihood
  private var failure: Unestimable?

  init(_ sets: RiskSets) {
    beta = Array(repeating: 0, count: max(sets.groupCount - 1, 0))
    null = CoxLikelihood(sets, beta: beta)
    now = null
    if null.rank < beta.count { failure = .neverTogether }
    for _ in 0..<40 where failure == nil {
      if improve(sets) { return }
    }
    failure = failure ?? .monotoneLikelihood
  }

  /// A coefficient that gets there grows for ever; farther steps are not tried, as hazards would be beyond all numbers.
  private static let (endless, greatest) = (25.0, 30.0)

  /// One step, halved while it makes things worse; true when nothing moves any more.
  private mutating func improve(_ sets: RiskSets) -> Bool {
    var step = times(now.inverseInformation, now.score)
    for _ in 0..<30 {
      let candidate = zip(beta, step).map { $0 + $1 }
      guard candidate.allSatisfy({ abs($0) <= Self.greatest }) else {
        step = step.map { $0 / 2 }
        continue
      }
      let next = CoxLikelihood(sets, beta: candidate)
      if next.logLikelihood >= now.logLikelihood - 1e-12 * abs(now.logLikelihood) {
        (beta, now) = (candidate, next)
        break
      }
      step = step.map { $0 / 2 }
    }
    if now.rank < beta.count || beta.contains(where: { abs($0) > Self.endless }) { failure = .monotoneLikelihood }
    return failure == nil && step.allSatisfy { abs($0) < 1e-10 }
  }

  func coefficient(_ index: Int) -> Result<Moment, Unestimable> {
    if let failure { return .failure(failure) }
    return .success(Moment(value: beta[index], variance: now.inverseInformation[index][index]))
  }

  /// Of all coefficients together.
  var waldStatistic: Double { failure == nil ? dot(beta, times(now.information, beta)) : 0 }
}
