import Statistics
import Testing

/// Where it is known that a table errs by more than chance, estimates stand without limits.
struct DoubtTests {
  private static func table(_ seed: UInt64, doubt: Unestimable? = .clockFromOffer) -> LifeTable {
    var table = LifeTable(intervals: population(200, late: false, seed: seed))
    table.doubt = doubt
    return table
  }

  private func expectValueAlone(_ found: Estimate, _ sure: Estimate, sourceLocation: SourceLocation = #_sourceLocation)
  {
    #expect(found.value == sure.value && found.value != nil, sourceLocation: sourceLocation)
    #expect(found.lo == nil && found.hi == nil, sourceLocation: sourceLocation)
    #expect(found.reason == .clockFromOffer, sourceLocation: sourceLocation)
    #expect(sure.lo != nil, sourceLocation: sourceLocation)
  }

  @Test func curvesHaveNoLimits() {
    let (doubted, sure) = (KaplanMeier(Self.table(1)), KaplanMeier(Self.table(1, doubt: nil)))
    expectValueAlone(doubted.adoption(at: 20, level: 0.95), sure.adoption(at: 20, level: 0.95))
    expectValueAlone(doubted.quantile(0.5, level: 0.95), sure.quantile(0.5, level: 0.95))
    expectValueAlone(doubted.restrictedMean(to: 20, level: 0.95), sure.restrictedMean(to: 20, level: 0.95))
    let standings = [doubted, sure].map { $0.standing(at: 20) }
    expectValueAlone(standings[0].survival(level: 0.95), standings[1].survival(level: 0.95))
    expectValueAlone(standings[0].adoptionAtAllLooks(level: 0.95), standings[1].adoptionAtAllLooks(level: 0.95))
  }

  @Test func causesHaveNoLimits() {
    let (doubted, sure) = (AalenJohansen(Self.table(1)), AalenJohansen(Self.table(1, doubt: nil)))
    let cause = sure.causes[0]
    expectValueAlone(
      doubted.incidence(of: cause, at: 20, level: 0.95), sure.incidence(of: cause, at: 20, level: 0.95))
    expectValueAlone(
      doubted.difference(cause, sure.causes[1], at: 20, level: 0.95),
      sure.difference(cause, sure.causes[1], at: 20, level: 0.95))
    #expect(doubted.exactLimits(of: cause, at: 20, level: 0.95) == nil)
  }

  /// One side is enough.
  @Test func differencesHaveNoLimits() {
    let (one, other) = (KaplanMeier(Self.table(1, doubt: nil)), KaplanMeier(Self.table(2, doubt: nil)))
    let doubted = KaplanMeier(Self.table(2))
    expectValueAlone(
      one.adoptionDifference(from: doubted, at: 20, level: 0.95),
      one.adoptionDifference(from: other, at: 20, level: 0.95))
    expectValueAlone(
      doubted.restrictedMeanDifference(from: one, to: 20, level: 0.95),
      other.restrictedMeanDifference(from: one, to: 20, level: 0.95))
  }

  @Test func testsSayWhy() {
    let sets = RiskSets(strata: [[Self.table(1, doubt: nil), Self.table(2).truncated(at: 30)]], groupCount: 2)
    let test = LogRank(sets)
    #expect(test.p == nil && test.statistic == nil && test.reason == .clockFromOffer)
    let ratio = CoxModel(sets).hazardRatio(of: 1, level: 0.95)
    #expect(ratio.value != nil && ratio.lo == nil && ratio.reason == .clockFromOffer)
    let merged = LifeTable.merged([Self.table(1, doubt: nil), Self.table(2)])
    #expect(merged.doubt == .clockFromOffer)
  }
}
