import Glibc

/// The logarithm of Efron's partial likelihood at given coefficients, its slope and its curvature.
///
/// At a tick with d events the l-th factor's share of group g is
/// p_g = r_g (n_g - l d_g/d)/(S - l D/d) = α_g + γ_g/(c - l) with c = S d/D, so all sums over l are `FallingSums`.
struct CoxLikelihood {
  private(set) var logLikelihood: Double
  private(set) var score: [Double]
  private(set) var information: [[Double]]
  private(set) var inverseInformation: [[Double]] = []
  private(set) var rank = 0

  /// `beta` of groups 1, 2, …; group 0 has 0.
  init(_ sets: RiskSets, beta: [Double]) {
    var sums = CoxSums(risks: [1] + beta.map(exp), logRisks: [0] + beta)
    sums.addAll(sets)
    logLikelihood = sums.logLikelihood.value - sums.product.logarithm
    score = sums.score.map(\.value)
    information = beta.indices.map { g in beta.indices.map { h in sums.information[g * beta.count + h].value } }
    (inverseInformation, rank) = generalizedInverse(information)
  }

  var scoreStatistic: Double { dot(score, times(inverseInformation, score)) }
}

/// Group 0 has no coefficient: slopes and curvatures are those of the others.
private struct CoxSums {
  private let risks: [Double]
  private let logRisks: [Double]
  private(set) var logLikelihood = CompensatedSum()
  /// Of what logarithms are taken of: one logarithm does for hundreds of ticks.
  private(set) var product = LongProduct()
  private(set) var score: [CompensatedSum]
  /// Row by row.
  private(set) var information: [CompensatedSum]

  init(risks: [Double], logRisks: [Double]) {
    (self.risks, self.logRisks) = (risks, logRisks)
    score = Array(repeating: CompensatedSum(), count: risks.count - 1)
    information = Array(repeating: CompensatedSum(), count: score.count * score.count)
  }

  /// Over spans: nothing is allocated and no reference counted at a tick.
  mutating func addAll(_ sets: RiskSets) {
    let (groups, weights, logs) = (risks.count, risks, logRisks)
    let all = sets.atRisk.span
    let dying = sets.events.span
    var (slopes, curvatures, logSum, factorProduct) = (score, information, logLikelihood, product)
    var slopeSpan = slopes.mutableSpan
    var curvatureSpan = curvatures.mutableSpan
    var shares = Array(repeating: FactorShare(), count: groups)
    var ofGroups = shares.mutableSpan
    for row in sets.ticks.indices {
      let factors = TickFactors(all, dying, weights.span, at: row * groups)
      let sums = FallingSums(from: factors.c, count: factors.d, &factorProduct)
      factorProduct.multiply(factors.step, times: factors.d)
      for group in 0..<groups {
        let events = dying[row * groups + group]
        if events > 0 { logSum.add(events * logs[group]) }
        if group == 0 { continue }
        ofGroups[group] = factors.share(weights[group], all[row * groups + group], events)
        slopeSpan[group - 1].add(events)
      }
      Self.add(sums, factors.d, ofGroups.span, &slopeSpan, &curvatureSpan)
    }
    (score, information, logLikelihood, product) = (slopes, curvatures, logSum, factorProduct)
  }

  private static func add(
    _ sums: FallingSums, _ d: Double, _ shares: Span<FactorShare>, _ score: inout MutableSpan<CompensatedSum>,
    _ information: inout MutableSpan<CompensatedSum>
  ) {
    for g in score.indices {
      let one = shares[g + 1]
      let share = d * one.alpha + one.gamma * sums.inverse
      score[g].add(-share)
      information[g * score.count + g].add(share)
      for h in score.indices {
        let other = shares[h + 1]
        let mixed = (one.alpha * other.gamma + other.alpha * one.gamma) * sums.inverse
        information[g * score.count + h].add(
          -(d * one.alpha * other.alpha + mixed + one.gamma * other.gamma * sums.inverseSquare))
      }
    }
  }
}

/// What the factors of one tick have in common.
private struct TickFactors {
  var d = 0.0
  var c: Double
  private var dying = 0.0
  var step: Double { dying / d }

  init(_ atRisk: Span<Double>, _ events: Span<Double>, _ risks: Span<Double>, at first: Int) {
    var sum = 0.0
    for group in risks.indices {
      sum += risks[group] * atRisk[first + group]
      dying += risks[group] * events[first + group]
      d += events[first + group]
    }
    c = max(sum * d / dying, d)
  }

  func share(_ risk: Double, _ atRisk: Double, _ events: Double) -> FactorShare {
    FactorShare(alpha: risk * events / dying, gamma: risk * (atRisk - c * events / d) * d / dying)
  }
}

/// A group's share of a tick's factors: α + γ/(c - l).
private struct FactorShare {
  var alpha = 0.0
  var gamma = 0.0
}
