import Testing

@testable import Statistics

/// Two arms of a random experiment that are looked at daily: limits of their difference that hold at all looks together.
@Suite struct DifferenceAtAllLooksTests {
  private struct Device {
    var at: Int64
    var after: Int64
    var silent: Int64
  }

  /// Devices come within two weeks, update within a day with that chance, and one in five falls silent at some time of its day.
  private func arm(_ share: Double, _ count: Int, _ random: inout SplitMix) -> [Device] {
    (0..<count).map { _ in
      let updates = Double.random(in: 0..<1, using: &random) < share
      return Device(
        at: Int64.random(in: 0..<336, using: &random),
        after: updates ? Int64.random(in: 1...24, using: &random) : .max,
        silent: Int64.random(in: 1..<120, using: &random))
    }
  }

  private func curve(_ devices: [Device], on day: Int64) -> KaplanMeier {
    KaplanMeier(
      LifeTable(
        intervals: devices.filter { $0.at < day * 24 }.map { device in
          let watched = min(day * 24 - device.at, device.silent)
          return device.after <= watched ? (0, device.after, .event(1)) : (0, watched, .censored(.cutOff))
        }))
  }

  /// The first of daily looks at which the limits leave out 0; nil where none does.
  private func firstAlarm(
    _ arms: (own: [Device], reference: [Device]), _ difference: (KaplanMeier, KaplanMeier) -> Estimate
  ) -> Int64? {
    (2...16).first { (day: Int64) in
      let limits = difference(curve(arms.own, on: day), curve(arms.reference, on: day))
      return (limits.lo ?? -1) > 0 || (limits.hi ?? 1) < 0
    }
  }

  /// Arms that do not differ, in equal parts and as a small hold-out: with 95 % limits at most one experiment in twenty may ever be
  /// told an effect, however often somebody looks.
  @Test(arguments: [(150, 150), (30, 270)]) func noEffectIsRarelyFound(_ own: Int, _ reference: Int) {
    var random = SplitMix(seed: 22)
    let experiments = 100
    let alarms = (0..<experiments).filter { _ in
      let arms = (own: arm(0.4, own, &random), reference: arm(0.4, reference, &random))
      return firstAlarm(arms) { $0.adoptionDifferenceAtAllLooks(from: $1, at: 24, level: 0.95) } != nil
    }.count
    #expect(alarms <= experiments / 20, "\(alarms) of \(experiments)")
  }

  /// What limits for one look do where they are looked at daily: the reason why there are the others.
  @Test func limitsForOneLookFindIt() {
    var random = SplitMix(seed: 22)
    let alarms = (0..<60).filter { _ in
      let arms = (own: arm(0.4, 150, &random), reference: arm(0.4, 150, &random))
      return firstAlarm(arms) { $0.adoptionDifference(from: $1, at: 24, level: 0.95) } != nil
    }.count
    #expect(alarms > 6, "\(alarms) of 60")
  }

  /// Twenty-five points are found before the fortnight is over in nearly all experiments.
  @Test func anEffectIsFound() {
    var random = SplitMix(seed: 5)
    let found = (0..<25).filter { _ in
      let arms = (own: arm(0.65, 400, &random), reference: arm(0.4, 400, &random))
      return firstAlarm(arms) { $0.adoptionDifferenceAtAllLooks(from: $1, at: 24, level: 0.95) } != nil
    }.count
    #expect(found >= 23, "\(found) of 25")
  }

  /// Against the pairs of a fine grid that the two mixtures together do not refute.
  @Test(arguments: [(8, 20, 5, 20), (0, 15, 9, 30), (3, 4, 0, 50), (40, 90, 12, 200)]) func limitsAreThoseOfAGrid(
    _ own: Int64, _ owns: Int64, _ other: Int64, _ others: Int64
  ) {
    let limits = curve(own, of: owns).adoptionDifferenceAtAllLooks(from: curve(other, of: others), at: 50, level: 0.9)
    let steps = 500
    var (low, high) = (1.0, -1.0)
    let columns = [(own, owns), (other, others)].map { events, all in
      (0...steps).map { step -> Double in
        let rate = Double(step) / Double(steps)
        return logBeta(0.5 + Double(events), 0.5 + Double(all - events)) - logarithm(Double.pi)
          - (events > 0 ? Double(events) * logarithm(rate) : 0)
          - (all > events ? Double(all - events) * logarithm(1 - rate) : 0)
      }
    }
    for first in 0...steps {
      for second in 0...steps where columns[0][first] + columns[1][second] < logarithm(10) {
        low = min(low, Double(first - second) / Double(steps))
        high = max(high, Double(first - second) / Double(steps))
      }
    }
    #expect(abs((limits.lo ?? 9) - low) < 0.006 && abs((limits.hi ?? 9) - high) < 0.006, "\(limits) \(low) \(high)")
  }

  private func curve(_ updated: Int64, of devices: Int64) -> KaplanMeier {
    KaplanMeier(
      LifeTable(
        intervals: (0..<devices).map { (0, $0 < updated ? 5 : 100, $0 < updated ? .event(3) : .censored(.cutOff)) }))
  }

  /// Turned around they are the same with the other sign; the estimate is inside; all of one arm, or nobody, has limits too.
  @Test func isOddAndHoldsItsEstimate() throws {
    for (own, other) in [(0, 0), (3, 17), (20, 1), (20, 20), (7, 7)] {
      let (first, second) = (curve(Int64(own), of: 20), curve(Int64(other), of: 20))
      let one = first.adoptionDifferenceAtAllLooks(from: second, at: 50, level: 0.95)
      let back = second.adoptionDifferenceAtAllLooks(from: first, at: 50, level: 0.95)
      let (lo, hi) = (try #require(one.lo), try #require(one.hi))
      #expect(lo <= (one.value ?? 9) && (one.value ?? -9) <= hi && lo >= -1 && hi <= 1)
      #expect(abs(lo + (back.hi ?? 9)) < 1e-6 && abs(hi + (back.lo ?? 9)) < 1e-6, "\(own) \(other)")
    }
  }
}
