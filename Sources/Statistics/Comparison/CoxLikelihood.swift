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
    for row in sets.ticks.indices { sums.add(sets, row: row) }
    logLikelihood = sums.logLikelihood.value
    score = sums.score.dropFirst().map(\.value)
    information = sums.information.dropFirst().map { $0.dropFirst().map(\.value) }
    (inverseInformation, rank) = generalizedInverse(information)
  }

  var scoreStatistic: Double { dot(score, times(inverseInformation, score)) }
}

private struct CoxSums {
  let risks: [Double]
  let logRisks: [Double]
  var logLikelihood = CompensatedSum()
  var score: [CompensatedSum]
  var information: [[CompensatedSum]]
  private var alpha: [Double]
  private var gamma: [Double]

  init(risks: [Double], logRisks: [Double]) {
    self.risks = risks
    self.logRisks = logRisks
    score = Array(repeating: CompensatedSum(), count: risks.count)
    information = Array(repeating: score, count: risks.count)
    alpha = Array(repeating: 0, count: risks.count)
    gamma = alpha
  }

  mutating func add(_ sets: RiskSets, row: Int) {
    let first = row * risks.count
    var (atRisk, dying, d) = (0.0, 0.0, 0.0)
    for group in risks.indices {
      atRisk += risks[group] * sets.atRisk[first + group]
      dying += risks[group] * sets.events[first + group]
      d += sets.events[first + group]
    }
    let c = max(atRisk * d / dying, d)
    for group in risks.indices {
      let events = sets.events[first + group]
      alpha[group] = risks[group] * events / dying
      gamma[group] = risks[group] * (sets.atRisk[first + group] - c * events / d) * d / dying
      logLikelihood.add(events * logRisks[group])
      score[group].add(events)
    }
    add(FallingSums(from: c, count: d), d: d, step: dying / d)
  }

  private mutating func add(_ sums: FallingSums, d: Double, step: Double) {
    logLikelihood.add(-d * log(step))
    logLikelihood.add(-sums.logarithm)
    for g in risks.indices {
      let share = d * alpha[g] + gamma[g] * sums.inverse
      score[g].add(-share)
      information[g][g].add(share)
      for h in risks.indices {
        let mixed = (alpha[g] * gamma[h] + alpha[h] * gamma[g]) * sums.inverse
        information[g][h].add(-(d * alpha[g] * alpha[h] + mixed + gamma[g] * gamma[h] * sums.inverseSquare))
      }
    }
  }
}
