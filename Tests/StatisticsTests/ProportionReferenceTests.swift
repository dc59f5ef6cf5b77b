import Foundation
import Statistics
import Testing

/// R 4.2.2 (prop.test, binom.test, fisher.test, pchisq, qbinom); Newcombe also by statsmodels 0.15.
struct ProportionReferenceTests {
  struct File: Decodable {
    let proportions: [Single]
    let differences: [Pair]
    let chisq_tails: [Tail]
    let mechanism_ratio: [Ratio]
    let order_stat: [Ranks]
  }
  struct Single: Decodable {
    let x, n: Int64
    let p: Double
    let wilson, clopper_pearson: [Double]
  }
  struct Pair: Decodable {
    let x1, n1, x2, n2: Int64
    let diff: Double
    let newcombe: [Double]
    let risk_ratio: RiskRatio?
    let fisher_p: Double?
  }
  struct RiskRatio: Decodable { let rr, lower, upper: Double }
  struct Tail: Decodable {
    let chisq, p, log10_p: Double
    let df: Int
  }
  struct Ratio: Decodable {
    let d_k, d_l: Int64
    let ratio, exact_lower, exact_upper: Double?
    let exact_p: Double
  }
  struct Ranks: Decodable {
    let n: Int64
    let q, coverage: Double
    let lower_rank, upper_rank: Int64?
  }

  let file: File

  init() throws {
    file = try JSONDecoder().decode(File.self, from: Data(Reference.text("proportions.expected.json").utf8))
  }

  @Test func singleProportions() {
    for row in file.proportions {
      let what = "\(row.x) of \(row.n)"
      let share = Proportion(row.x, of: row.n)
      let (wilson, exact) = (share.wilson(level: 0.95), share.clopperPearson(level: 0.95))
      expectNear(wilson.value, row.p, what)
      expectNear(wilson.lo, row.wilson[0], what + " Wilson lower")
      expectNear(wilson.hi, row.wilson[1], what + " Wilson upper")
      expectNear(exact.lo, row.clopper_pearson[0], what + " exact lower")
      expectNear(exact.hi, row.clopper_pearson[1], what + " exact upper")
    }
  }

  @Test func pairs() {
    for row in file.differences {
      let what = "\(row.x1)/\(row.n1) and \(row.x2)/\(row.n2)"
      let pair = ProportionPair(Proportion(row.x1, of: row.n1), Proportion(row.x2, of: row.n2))
      let (difference, ratio) = (pair.difference(level: 0.95), pair.ratio(level: 0.95))
      expectNear(difference.value, row.diff, what)
      expectNear(difference.lo, row.newcombe[0], what + " lower")
      expectNear(difference.hi, row.newcombe[1], what + " upper")
      expectNear(ratio.value, row.risk_ratio?.rr, what + " ratio")
      expectNear(ratio.lo, row.risk_ratio?.lower, what + " ratio lower")
      expectNear(ratio.hi, row.risk_ratio?.upper, what + " ratio upper")
      if let p = row.fisher_p { expectNear(pair.fisherExact?.value, p, what + " Fisher") }
    }
  }

  @Test func chiSquareTails() {
    for row in file.chisq_tails {
      let p = PValue(chiSquare: row.chisq, degreesOfFreedom: row.df)
      expectNear(p.log10, row.log10_p, "log10 p of \(row.chisq)")
      expectNear(p.value, row.p, "p of \(row.chisq)")
    }
  }

  @Test func causeRatios() {
    for row in file.mechanism_ratio {
      let what = "\(row.d_k) to \(row.d_l)"
      let ratio = CauseRatio(row.d_k, to: row.d_l)
      let estimate = ratio.estimate(level: 0.95)
      expectNear(estimate.value, row.ratio, what)
      expectNear(estimate.lo, row.exact_lower, what + " lower")
      expectNear(estimate.hi, row.exact_upper, what + " upper")
      // The file's value of the last row is at the end of what a Double can hold; see the next test.
      if row.exact_p > 1e-300 { expectNear(ratio.p?.value, row.exact_p, what + " p") }
    }
  }

  /// log10 of 2 P(X >= 3,000,000) of 5,900,000 fair trials, summed in 50-digit arithmetic.
  @Test func verySmallPHasItsLogarithm() {
    expectNear(CauseRatio(3_000_000, to: 2_900_000).p?.log10, -369.769318640068803, relative: 1e-11, "log10 p")
  }

  @Test func orderStatisticRanks() {
    for row in file.order_stat {
      let ranks = OrderStatisticInterval(of: row.q, among: row.n, level: 0.95)
      #expect(ranks.lowerRank == row.lower_rank && ranks.upperRank == row.upper_rank, "\(row.q) among \(row.n)")
      expectNear(ranks.coverage, row.coverage, "\(row.q) among \(row.n) coverage")
    }
  }
}
