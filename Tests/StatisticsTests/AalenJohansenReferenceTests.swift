import Statistics
import Testing

/// R etm 1.1.1 (Greenwood), survival and cmprsk; every non-zero cause competes.
struct AalenJohansenReferenceTests {
  @Test(arguments: Reference.names) func incidences(_ name: String) throws {
    let reference = try Reference(name)
    for case (let group, let expected?) in reference.expected.aj ?? [:] {
      let curves = AalenJohansen(reference.table(group))
      for (number, expected) in expected.causes {
        try check(
          curves, cause(number), expected, times: reference.expected.aj?[group]??.time ?? [],
          "\(name) \(group) cause \(number)")
      }
    }
  }

  private func check(
    _ curves: AalenJohansen, _ cause: Cause, _ expected: Expected.Incidence, times: [Double], _ what: String
  ) throws {
    for (index, hours) in times.enumerated() {
      let what = "\(what) at \(hours) h"
      let tick = Reference.ticks(hours)
      let moment = try curves.moment(of: cause, at: tick).get()
      expectNear(moment.value, expected.cif[index], floor: 1e-13, what)
      expectNear(moment.standardError, expected.se_greenwood_etm[index], floor: 1e-8, what + " se")
      let limits = curves.incidence(of: cause, at: tick, level: 0.95)
      expectNear(limits.lo, expected.cloglog_lower[index], what + " lower")
      expectNear(limits.hi, expected.cloglog_upper[index], what + " upper")
    }
  }

  @Test(arguments: Reference.names) func covariances(_ name: String) throws {
    let reference = try Reference(name)
    for case (let group, let expected?) in reference.expected.aj ?? [:] {
      let curves = AalenJohansen(reference.table(group))
      for at in expected.cov_at ?? [] {
        for (i, first) in at.causes.enumerated() {
          for (j, second) in at.causes.enumerated() {
            let actual = curves.covariance(try cause(first), try cause(second), at: Reference.ticks(at.time))
            expectNear(actual, at.cov[i][j], floor: 1e-12, "\(name) \(group) \(first) \(second) at \(at.time) h")
          }
        }
      }
    }
  }

  private func cause(_ number: UInt8) throws -> Cause { try #require(Cause(rawValue: number)) }
  private func cause(_ number: String) throws -> Cause { try cause(try #require(UInt8(number))) }
}
