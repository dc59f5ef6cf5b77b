import Testing

@testable import Statistics

/// What few devices did is not said of many that entered after them, where a table refuses that.
struct LateEntrantTests {
  /// Of 60 at 0 one updates each tick until 4 are left, then `last` of these; 240 enter at 100, and half of them update at 101.
  private static func steps(_ last: Int, refuses: Bool = true) -> LifeTable {
    var intervals: [IntervalAtRisk] = (1...56).map { (0, Tick($0), .event(1)) }
    for index in 0..<4 { intervals.append(index < last ? (0, 60, .event(1)) : (0, 200, .censored(.cutOff))) }
    for index in 0..<240 { intervals.append(index < 120 ? (100, 101, .event(2)) : (100, 200, .censored(.cutOff))) }
    var table = LifeTable(intervals: intervals)
    table.refusesLateEntrants = refuses
    return table
  }

  /// 30 are at risk at 31, 29 at 32. What was said before the others came stays.
  @Test(arguments: [0, 2, 4]) func isRefusedWhereOthersCome(_ last: Int) {
    let (curve, free) = (KaplanMeier(Self.steps(last)), KaplanMeier(Self.steps(last, refuses: false)))
    #expect(curve.lostFrom == 101 && free.lostFrom == nil)
    #expect(curve.stableUntil == 31 && free.stableUntil == 31)
    for tick in Tick(0)...200 {
      let (found, plain) = (curve.adoption(at: tick, level: 0.95), free.adoption(at: tick, level: 0.95))
      if tick <= 100 {
        #expect(found == plain && found.value != nil)
        let then = KaplanMeier(Self.steps(last).truncated(at: tick)).adoption(at: tick, level: 0.95)
        #expect(tick == 0 || found == then)
      } else {
        #expect(found.value == nil && found.lo == nil && found.reason == .enteredLater && plain.value != nil)
      }
    }
    #expect(curve.adoption(at: 201, level: 0.95).reason == .beyondFollowUp)
  }

  @Test func timesAndMeansEndThere() {
    let (curve, free) = (KaplanMeier(Self.steps(0)), KaplanMeier(Self.steps(0, refuses: false)))
    #expect(curve.quantile(0.9, level: 0.95).value == 54)
    #expect(curve.quantile(0.95, level: 0.95).reason == .enteredLater && free.quantile(0.95, level: 0.95).value == 101)
    #expect(curve.restrictedMean(to: 100, level: 0.95) == free.restrictedMean(to: 100, level: 0.95))
    #expect(curve.restrictedMean(to: 101, level: 0.95).reason == .enteredLater)
    #expect(curve.ticks(atMost: .max) == Array(1...56) && curve.ticks(atMost: 5).last == 56)
    #expect(HazardCurve(curve, atRisk: 1).knownTo == 100 && HazardCurve(free, atRisk: 1).knownTo == 200)
    #expect(curve.standing(at: 110).adoptionAtAllLooks(level: 0.95).reason == .enteredLater)
    #expect(curve.adoptionDifference(from: free, at: 110, level: 0.95).reason == .enteredLater)
    #expect(KaplanMeier(Self.steps(4)).standing(at: 110).lowerLimitOfAll(level: 0.95) == nil)
  }

  @Test func causesEndThere() {
    let (parts, free) = (AalenJohansen(Self.steps(0)), AalenJohansen(Self.steps(0, refuses: false)))
    #expect(parts.incidence(of: 1, at: 100, level: 0.95) == free.incidence(of: 1, at: 100, level: 0.95))
    #expect(parts.incidence(of: 1, at: 101, level: 0.95).reason == .enteredLater)
    #expect(free.quantiles([0.01], of: 2, level: 0.95).map(\.value) == [101])
    #expect(parts.quantiles([0.01], of: 2, level: 0.95).map(\.reason) == [.enteredLater])
    #expect(parts.ticks(of: 1, atMost: .max) == Array(1...56) && parts.ticks(of: 2, atMost: .max).isEmpty)
    #expect(parts.ticks(of: 1, reachingOfAll: [0.5]) == [nil])
  }

  /// All at once, and one enters afterwards.
  @Test func isRefusedWhereNobodyWasLeft() {
    let all: [IntervalAtRisk] = (0..<50).map { _ in (0, 7, .event(1)) }
    var (table, late) = (LifeTable(intervals: all), LifeTable(intervals: all + [(8, 9, .censored(.cutOff))]))
    (table.refusesLateEntrants, late.refusesLateEntrants) = (true, true)
    #expect(KaplanMeier(table).adoption(at: 9, level: 0.95).value == 1)
    #expect(KaplanMeier(late).adoption(at: 8, level: 0.95).value == 1)
    #expect(KaplanMeier(late).adoption(at: 9, level: 0.95).reason == .enteredLater)
  }

  /// Where fewer than 30 ever were, or enough stay, all stands.
  @Test func othersStand() {
    let pairs: [IntervalAtRisk] = (1...20).map { (Tick($0 / 2), Tick($0 + 1), .event(1)) }
    var few = LifeTable(intervals: pairs)
    few.refusesLateEntrants = true
    #expect(KaplanMeier(few).lostFrom == nil)
    let hundreds: [IntervalAtRisk] = (1...600).map { (Tick($0 / 300), Tick($0 / 10 + 5), .event(1)) }
    var many = LifeTable(intervals: hundreds)
    many.refusesLateEntrants = true
    #expect(KaplanMeier(many).lostFrom == nil)
  }
}
