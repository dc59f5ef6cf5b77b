import Foundation
import Statistics
import Testing

struct SequentialReferenceTests {
  struct File: Decodable {
    let odds_multiples: [Double]
    let cases: [Case]
  }
  struct Case: Decodable {
    let p_lim, log_e_bad, log_e_good, cs_lower, cs_upper: Double
    let n, failures: Int64
    let stop, pass_gate: Bool
  }

  @Test func everyCase() throws {
    let file = try JSONDecoder().decode(File.self, from: Data(Reference.text("sequential.expected.json").utf8))
    #expect(MixtureTest.oddsMultiples == file.odds_multiples)
    for row in file.cases {
      let what = "\(row.failures) of \(row.n), limit \(row.p_lim)"
      let test = MixtureTest(limit: FailureLimit(configured: row.p_lim))
      let attempts = Proportion(row.failures, of: row.n)
      expectNear(test.evidenceAbove(attempts), row.log_e_bad, floor: 1e-12, what + " above")
      expectNear(test.evidenceBelow(attempts), row.log_e_good, floor: 1e-12, what + " below")
      #expect(test.decision(after: attempts) == (row.stop ? .stop : row.pass_gate ? .widen : .goOn), "\(what)")
      let sequence = attempts.confidenceSequence(level: 0.95)
      expectNear(sequence.lo, row.cs_lower, what + " lower")
      expectNear(sequence.hi, row.cs_upper, what + " upper")
    }
  }
}
