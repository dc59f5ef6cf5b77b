import Foundation
import Statistics
import Testing

/// Two groups of 10 million devices as a grouped table; expected values in 60-digit arithmetic.
struct BigGroupedReferenceTests {
  struct File: Decodable {
    let groups: [String: Group]
    let logrank: LogRankNumbers
    let cox_efron: CoxNumbers
  }
  struct Group: Decodable {
    let time: [Tick]
    let n_risk: [Int64]
    let surv, greenwood_sum, loglog_lower, loglog_upper, cif1, cif2, cif3: [Double]
    let median, rmst96, rmst96_se: Double
  }
  struct LogRankNumbers: Decodable {
    let observed_beta, expected_beta, variance, chisq, peto_hr, peto_lower, peto_upper: Double
  }
  struct CoxNumbers: Decodable { let coef, se, hr: Double }

  let file: File
  let tables: [String: LifeTable]

  init() throws {
    file = try JSONDecoder().decode(File.self, from: Data(Reference.text("big_grouped.expected.json").utf8))
    var builders: [String: LifeTable.Builder] = [:]
    for line in try Reference.text("big_grouped.csv").split(separator: "\n").dropFirst() {
      let fields = line.split(separator: ",")
      let counts = fields.dropFirst().compactMap { Int64($0) }
      builders[String(fields[0]), default: LifeTable.Builder()].add(line: counts)
    }
    tables = builders.mapValues { $0.build() }
  }

  @Test func curves() throws {
    for (name, expected) in file.groups {
      let curves = AalenJohansen(try #require(tables[name]))
      for (index, tick) in expected.time.enumerated() {
        let what = "\(name) at \(tick)"
        let moment = try curves.overall.moment(at: tick).get()
        let limits = curves.overall.survival(at: tick, level: 0.95)
        #expect(curves.table.atRisk(at: tick) == expected.n_risk[index])
        expectNear(limits.value, expected.surv[index], relative: 1e-12, what)
        expectNear(limits.lo, expected.loglog_lower[index], relative: 1e-12, what + " lower")
        expectNear(limits.hi, expected.loglog_upper[index], relative: 1e-12, what + " upper")
        let greenwood = moment.variance / (moment.value * moment.value)
        expectNear(greenwood, expected.greenwood_sum[index], relative: 1e-12, what + " Greenwood")
        for (cause, column) in [(Cause(1), expected.cif1), (2, expected.cif2), (3, expected.cif3)] {
          expectNear(
            try curves.moment(of: cause, at: tick).get().value, column[index], relative: 1e-12, what + " \(cause)")
        }
      }
      let mean = try curves.overall.restrictedMean(to: 96).get()
      expectNear(curves.overall.quantile(0.5, level: 0.95).value, expected.median, name + " median")
      expectNear(mean.value, expected.rmst96, relative: 1e-12, name + " mean")
      expectNear(mean.standardError, expected.rmst96_se, relative: 1e-10, name + " mean se")
    }
  }

  @Test func comparison() throws {
    let sets = RiskSets(groups: [try #require(tables["production"]), try #require(tables["beta"])])
    let test = LogRank(sets)
    expectNear(test.observed[1], file.logrank.observed_beta, "observed")
    expectNear(test.expected[1], file.logrank.expected_beta, relative: 1e-13, "expected")
    expectNear(test.variance[1][1], file.logrank.variance, relative: 1e-12, "variance")
    expectNear(test.statistic, file.logrank.chisq, "chi-square")
    let cox = try CoxModel(sets).coefficients[0].get()
    expectNear(cox.value, file.cox_efron.coef, relative: 1e-7, "Cox")
    expectNear(cox.standardError, file.cox_efron.se, "Cox se")
  }

  /// Surely different and still of no consequence.
  @Test func significantIsNotRelevant() throws {
    let sets = RiskSets(groups: [try #require(tables["production"]), try #require(tables["beta"])])
    let curves = try ["production", "beta"].map { KaplanMeier(try #require(tables[$0])) }
    #expect(try #require(LogRank(sets).p).value < 1e-10)
    #expect(
      Relevance(of: curves[1].adoptionDifference(from: curves[0], at: 24, level: 0.95), margin: 0.01) == .equivalent)
    let means = curves[1].restrictedMeanDifference(from: curves[0], to: 72, level: 0.95)
    #expect(Relevance(of: means, margin: 1) == .equivalent)
  }
}

extension LifeTable.Builder {
  /// time, d1, d2, d3, censored, entries
  fileprivate mutating func add(line: [Int64]) {
    let tick = line[0]
    for cause in 1...3 {
      add(line[cause], .event(Cause(integerLiteral: UInt8(cause))), at: tick)
    }
    add(line[4], .censored(.cutOff), at: tick)
    add(entered: line[5], at: tick)
  }
}
