import Statistics
import Testing

/// R survival 3.5-3: `survfit(Surv(entry, time, event))` with `conf.type = "log-log"`.
struct KaplanMeierReferenceTests {
  @Test(arguments: Reference.names) func countsAndCurve(_ name: String) throws {
    let reference = try Reference(name)
    for (group, expected) in reference.expected.km {
      let table = reference.table(group)
      let curve = KaplanMeier(table, events: Reference.updates)
      for (index, hours) in expected.time.enumerated() {
        let what = "\(name) \(group) at \(hours) h"
        let tick = Reference.ticks(hours)
        #expect(table.atRisk(at: tick) == expected.n_risk[index], "\(what)")
        let moment = try curve.moment(at: tick).get()
        expectNear(moment.value, expected.surv[index], floor: 1e-12, what)
        if let se = expected.se_surv[index] { expectNear(moment.standardError, se, floor: 1e-15, what + " se") }
        let limits = curve.survival(at: tick, level: 0.95)
        expectNear(limits.lo, expected.loglog_lower[index], what + " lower")
        expectNear(limits.hi, expected.loglog_upper[index], what + " upper")
        let adoption = curve.adoption(at: tick, level: 0.95)
        expectNear(adoption.value, expected.surv[index].map { 1 - $0 }, floor: 1e-12, what + " adoption")
        expectNear(adoption.lo, expected.loglog_upper[index].map { 1 - $0 }, floor: 1e-12, what + " adoption lower")
      }
    }
  }

  @Test(arguments: Reference.names) func quantiles(_ name: String) throws {
    let reference = try Reference(name)
    for (group, expected) in reference.expected.km {
      let curve = KaplanMeier(reference.table(group), events: Reference.updates)
      let quantiles = curve.quantiles(expected.quantiles.p, level: 0.95)
      for (index, p) in expected.quantiles.p.enumerated() {
        let quantile = quantiles[index].scaled(by: 1 / Reference.ticksPerHour)
        expectNear(quantile.value, expected.quantiles.estimate_inf[index], "\(name) \(group) \(p)")
        expectNear(quantile.lo, expected.quantiles.lower_inf_loglog[index], "\(name) \(group) \(p) lower")
        expectNear(quantile.hi, expected.quantiles.upper_inf_loglog[index], "\(name) \(group) \(p) upper")
      }
    }
  }

  @Test(arguments: Reference.names) func atChosenTimes(_ name: String) throws {
    let reference = try Reference(name)
    for (group, expected) in reference.expected.km {
      let table = reference.table(group)
      let curve = KaplanMeier(table, events: Reference.updates)
      for (index, hours) in expected.at.time.enumerated() {
        let what = "\(name) \(group) at \(hours) h"
        let estimate = curve.survival(at: Reference.ticks(hours), level: 0.95)
        // Between its rows R counts at the next row, which with late entries is not entry < t <= time.
        if !reference.expected.left_truncated || expected.time.contains(hours) {
          #expect(table.atRisk(at: Reference.ticks(hours)) == expected.at.n_risk[index], "\(what)")
        }
        expectNear(estimate.value, expected.at.surv[index], floor: 1e-12, what)
        expectNear(estimate.lo, expected.at.lower[index], what + " lower")
        expectNear(estimate.hi, expected.at.upper[index], what + " upper")
      }
    }
  }

  @Test(arguments: Reference.names) func restrictedMean(_ name: String) throws {
    let reference = try Reference(name)
    for (group, expected) in reference.expected.km {
      let curve = KaplanMeier(reference.table(group), events: Reference.updates)
      for expected in expected.rmst ?? [] {
        let what = "\(name) \(group) to \(expected.tau) h"
        let mean = try curve.restrictedMean(to: Reference.ticks(expected.tau)).get()
        expectNear(mean.value / Reference.ticksPerHour, expected.rmst, what)
        expectNear(mean.standardError / Reference.ticksPerHour, expected.se, floor: 1e-6, what + " se")
      }
    }
  }
}
