import Foundation
import Statistics
import Testing

/// Differences of adoption between independent groups, also of few devices, of none that updated and of all.
struct DifferenceLawTests {
  /// So many devices of which the first few update at 10, all seen until 20.
  private func curve(_ updated: Int, of devices: Int) -> KaplanMeier {
    KaplanMeier(
      LifeTable(
        intervals: (0..<devices).map { $0 < updated ? (0, 10, .event(1)) : (0, 20, .censored(.cutOff)) }))
  }

  private func difference(_ a: (Int, Int), _ b: (Int, Int)) -> Estimate {
    curve(a.0, of: a.1).adoptionDifference(from: curve(b.0, of: b.1), at: 15, level: 0.95)
  }

  /// One device that has not updated is no evidence against a release.
  @Test func oneDeviceTellsNothing() throws {
    let waiting = difference((0, 1), (200, 400))
    #expect(waiting.value == -0.5 && waiting.method == .mover)
    #expect(try #require(waiting.lo) < -0.5 && #require(waiting.hi) > 0.4)
    let updated = difference((1, 1), (200, 400))
    #expect(updated.value == 0.5)
    #expect(try #require(updated.lo) < -0.4 && #require(updated.hi) > 0.5)
  }

  @Test func limitsHoldTheirDifference() throws {
    for (m, n) in [(1, 1), (1, 7), (5, 5), (4, 12)] {
      for x in 0...m {
        for y in 0...n {
          let found = difference((x, m), (y, n))
          let (value, lo, hi) = (try #require(found.value), try #require(found.lo), try #require(found.hi))
          #expect(-1 <= lo && lo <= value && value <= hi && hi <= 1 && lo < hi, "\(x)/\(m), \(y)/\(n): \(found)")
          let turned = difference((y, n), (x, m))
          expectNear(turned.lo, -hi, floor: 1e-12, "\(y)/\(n) less \(x)/\(m)")
        }
      }
    }
  }

  /// Nobody on one side and everybody on the other is as far apart as can be; few devices leave room all the same.
  @Test func noneAgainstAllHasRoom() throws {
    let found = difference((0, 3), (3, 3))
    let widest = 1 - 0.025.power(1.0 / 3)
    #expect(found.value == -1 && found.lo == -1)
    expectNear(found.hi, -1 + (2 * widest * widest).squareRoot(), "upper")
  }

  /// How often the limits hold the true difference, counted over every possible result: no simulation, no chance.
  ///
  /// Wald's limits from two variances hold it in 26 to 94 % at 15 devices.
  @Test(arguments: [1, 5, 15, 60]) func coversWhateverTheTruth(_ devices: Int) throws {
    let others = 40
    let limits = try (0...devices).map { x in
      try (0...others).map { y in
        let found = difference((x, devices), (y, others))
        return (try #require(found.lo), try #require(found.hi))
      }
    }
    for (p, q) in [(0.02, 0.02), (0.05, 0.5), (0.5, 0.5), (0.9, 0.6), (0.98, 0.98), (0.0, 0.5), (1.0, 0.5), (0.3, 0.7)]
    {
      var coverage = 0.0
      for x in 0...devices {
        for y in 0...others where limits[x][y].0 <= p - q && p - q <= limits[x][y].1 {
          coverage += binomial(x, devices, p) * binomial(y, others, q)
        }
      }
      #expect(coverage > 0.92, "\(devices) devices at \(p), \(others) at \(q): \(coverage)")
    }
  }

  /// Devices that leave before all others updated make S fall to 0 by the last one alone: that proves little.
  @Test func theLastOneAtRiskProvesLittle() throws {
    let left: [IntervalAtRisk] = (0..<99).map { _ in (0, 5, .censored(.silent)) }
    let alone = KaplanMeier(LifeTable(intervals: left + [(0, 10, .event(1))]))
    let found = alone.adoptionDifference(from: curve(50, of: 100), at: 15, level: 0.95)
    #expect(found.value == 0.5)
    #expect(try #require(found.lo) < -0.4)
  }

  /// Who came late says nothing of the time before.
  @Test func lateEntriesDoNotNarrowTheLimitOfNone() throws {
    let late = KaplanMeier(
      LifeTable(intervals: [(0, 20, .censored(.cutOff))] + (0..<500).map { _ in (9, 20, .censored(.cutOff)) }))
    #expect(try #require(late.adoptionDifference(from: curve(50, of: 100), at: 15, level: 0.95).hi) > 0.4)
  }

  /// From 5 to 9 one device alone is at risk: the many that come back say nothing of that time.
  @Test func theFewestOnTheWayCount() throws {
    let early: [IntervalAtRisk] = (0..<200).map { (0, $0 == 0 ? 20 : 5, .censored(.silent)) }
    let back = KaplanMeier(LifeTable(intervals: early + (0..<500).map { _ in (9, 20, .censored(.cutOff)) }))
    #expect(try #require(back.adoptionDifference(from: curve(50, of: 200), at: 15, level: 0.95).hi) > 0.4)
    let gap = KaplanMeier(LifeTable(intervals: [(0, 5, .censored(.silent)), (9, 20, .censored(.cutOff))]))
    #expect(try #require(gap.adoptionDifference(from: curve(50, of: 200), at: 15, level: 0.95).hi) > 0.7)
  }

  /// A mechanism that delivered to nobody: who got it by another way is known not to have got it by this one.
  @Test func aMechanismThatNeverDelivered() throws {
    let pushed = AalenJohansen(LifeTable(intervals: (0..<200).map { _ in (0, 10, .event(1)) }))
    let mixed = AalenJohansen(LifeTable(intervals: (0..<200).map { (0, 10, .event($0 < 20 ? 2 : 1)) }))
    let found = pushed.incidenceDifference(from: mixed, of: 2, at: 15, level: 0.95)
    expectNear(found.value, -0.1, "value")
    #expect(try #require(found.hi) < -0.05 && #require(found.lo) > -0.16)
  }

  /// A group in which nothing varied has no variance to give: half a variance would make limits of half the width.
  @Test func meansOfAGroupThatDidNotVaryHaveNoLimits() {
    let still = curve(0, of: 40).restrictedMeanDifference(from: curve(50, of: 100), to: 15, level: 0.95)
    #expect(still.value != nil && still.lo == nil && still.hi == nil && still.reason == .noVariation)
  }

  private func binomial(_ k: Int, _ n: Int, _ p: Double) -> Double {
    let ways = (0..<k).reduce(1.0) { $0 * Double(n - $1) / Double($1 + 1) }
    return ways * pow(p, Double(k)) * pow(1 - p, Double(n - k))
  }
}

extension Double {
  fileprivate func power(_ exponent: Double) -> Double { pow(self, exponent) }
}
