import Testing

@testable import Statistics

/// Beyond the age that every part was followed to nothing is estimated; before it everything stays as it is.
struct UnfollowedPartTests {
  /// Of 100 that were followed to 50 five update at each tick up to 10; of 100 that were followed to 20 one does.
  private static func table(followedTo: Tick?) -> LifeTable {
    var intervals: [IntervalAtRisk] = []
    for tick in Tick(1)...10 {
      intervals += (0..<5).map { _ in (0, tick, .event(1)) } + [(0, tick, .event(2))]
      intervals += (0..<2).map { _ in (0, tick + 24, .event(2)) }
    }
    intervals += (0..<30).map { _ in (0, 50, .censored(.cutOff)) } + (0..<90).map { _ in (0, 20, .censored(.cutOff)) }
    var table = LifeTable(intervals: intervals)
    table.followedTo = followedTo
    return table
  }

  private let curve = KaplanMeier(Self.table(followedTo: 20))
  private let free = KaplanMeier(Self.table(followedTo: nil))

  @Test func sharesEndThere() {
    #expect(curve.lostFrom == 21 && free.lostFrom == nil)
    for tick in Tick(0)...50 {
      let (found, plain) = (curve.adoption(at: tick, level: 0.95), free.adoption(at: tick, level: 0.95))
      #expect(tick <= 20 ? found == plain : found.value == nil && found.lo == nil && found.reason == .partsNotFollowed)
    }
    #expect(curve.adoption(at: 51, level: 0.95).reason == .beyondFollowUp)
    #expect(curve.restrictedMean(to: 21, level: 0.95).reason == .partsNotFollowed)
    #expect(curve.adoptionDifference(from: free, at: 21, level: 0.95).reason == .partsNotFollowed)
    #expect(KaplanMeier(Self.table(followedTo: 20).truncated(at: 40)).lostFrom == 21)
    #expect(KaplanMeier(Self.table(followedTo: 50)).lost == nil, "all were followed as long")
  }

  /// A share that the curve reaches beyond is not known; one that it never does is not reached.
  @Test func timesEndThere() {
    #expect(curve.quantile(0.2, level: 0.95) == free.quantile(0.2, level: 0.95))
    let lost = curve.quantile(0.4, level: 0.95)
    #expect(lost.value == nil && lost.reason == .partsNotFollowed)
    #expect(free.quantile(0.4, level: 0.95).value.map { $0 > 20 } == true)
    #expect(curve.quantile(0.99, level: 0.95).reason == .notReached)
  }

  @Test func causesEndThere() {
    let parts = AalenJohansen(Self.table(followedTo: 20))
    #expect(parts.incidence(of: 1, at: 21, level: 0.95).reason == .partsNotFollowed)
    #expect(parts.quantiles([0.1], of: 2, level: 0.95).map(\.reason) == [.partsNotFollowed])
    #expect(parts.ticks(of: 2, reachingOfAll: [0.5]) == [5], "of the ten that had it by then")
  }

  @Test func timesBetweenChecksEndThere() {
    var times = PolledTimes()
    for tick in Tick(1)...60 { times.add(entry: 0, after: tick - 1, upTo: tick + 1, times: 2) }
    let (polled, free) = (PolledCurve(times, until: 70, allParts: 40), PolledCurve(times, until: 70))
    #expect(polled.share(at: 40, level: 0.95) == free.share(at: 40, level: 0.95))
    #expect(polled.share(at: 41, level: 0.95).reason == .partsNotFollowed)
    #expect(polled.meanWait(to: 41, level: 0.95).reason == .partsNotFollowed)
    #expect(polled.share(at: 71, level: 0.95).reason == .beyondFollowUp)
    #expect(polled.time(0.3, level: 0.95).value == free.time(0.3, level: 0.95).value)
    #expect(polled.time(0.9, level: 0.95).value == nil && free.time(0.9, level: 0.95).value != nil)
  }
}
