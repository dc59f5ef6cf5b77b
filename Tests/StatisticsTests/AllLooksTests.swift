import Statistics
import Testing

/// Limits for many looks: how often a release that is just at a limit is ever said to be beyond it.
@Suite struct AllLooksTests {
  private static let share = 0.4

  /// 200 devices come within two weeks, update within a day with a chance of 40 %, and are looked at daily for 16 days. One in
  /// five falls silent at some time of its day.
  private func daysBeyond(
    _ random: inout some RandomNumberGenerator, _ estimate: (KaplanMeier.Standing) -> Estimate
  ) -> Int {
    let devices = (0..<200).map { _ in
      let updates = Double.random(in: 0..<1, using: &random) < Self.share
      let silent = Int64.random(in: 1..<120, using: &random)
      let after = updates ? Int64.random(in: 1...24, using: &random) : Int64.max
      return (at: Int64.random(in: 0..<336, using: &random), after: after, silent: silent)
    }
    return (2...16).filter { (day: Int64) in
      let table = LifeTable(
        intervals: devices.filter { $0.at < day * 24 }.map { device in
          let watched = min(day * 24 - device.at, device.silent)
          return device.after <= watched
            ? (0, device.after, .event(1)) : (0, watched, .censored(.cutOff))
        })
      let curve = KaplanMeier(table)
      return estimate(curve.standing(at: 24)).lo.map { $0 > Self.share } ?? false
    }.count
  }

  @Test func aReleaseAtTheLimitRarelyPasses() {
    var random = SplitMix(seed: 19)
    let fleets = 200
    let passed = (0..<fleets).filter { _ in daysBeyond(&random) { $0.adoptionAtAllLooks(level: 0.95) } > 0 }.count
    #expect(passed <= fleets / 20, "\(passed) of \(fleets)")
  }

  /// What a fixed gate would have done: the reason why there are the others.
  @Test func limitsForOneLookWouldPassIt() {
    var random = SplitMix(seed: 19)
    let passed = (0..<100).filter { _ in daysBeyond(&random) { $0.adoption(level: 0.95) } > 0 }.count
    #expect(passed > 5, "\(passed) of 100")
  }

  /// Without censoring they are those of a share, to the last digits.
  @Test(arguments: [(0, 40), (1, 40), (17, 40), (39, 40), (40, 40)]) func withoutCensoringTheyAreThoseOfAShare(
    _ updated: Int64, _ devices: Int64
  ) {
    let table = LifeTable(
      intervals: (0..<devices).map { (0, $0 < updated ? 5 : 100, $0 < updated ? .event(3) : .censored(.cutOff)) })
    let limits = KaplanMeier(table).standing(at: 50).adoptionAtAllLooks(level: 0.95)
    let share = Proportion(updated, of: devices).confidenceSequence(level: 0.95)
    expectNear(limits.lo ?? -1, share.lo, "lo")
    expectNear(limits.hi ?? -1, share.hi, "hi")
  }

  /// One device that entered late and alone takes S to 0, and proves little.
  @Test func aLateLonelyUpdateProvesLittle() {
    var intervals: [(entry: Tick, exit: Tick, ending: Ending)] = (0..<100).map { _ in (0, 10, .censored(.silent)) }
    intervals.append((20, 30, .event(3)))
    let limits = KaplanMeier(LifeTable(intervals: intervals)).standing(at: 30)
      .adoptionAtAllLooks(level: 0.95)
    #expect(limits.value == 1 && limits.hi == 1)
    #expect((limits.lo ?? 1) < 0.05)
  }
}
