import Statistics
import Testing

/// Tables of many rows are looked up from waypoints, with stretches between them passed over: nobody may notice.
struct StretchLawTests {
  static let populations: [(name: String, intervals: [IntervalAtRisk])] = [
    ("many rows", population(6_000, span: 4_000, late: false, seed: 1)),
    ("late entries", population(6_000, span: 4_000, seed: 2)),
    ("one early, many late", [early] + population(3_000, span: 3_000, seed: 3).map(later)),
    ("a cause that comes late", population(3_000, causes: 1, span: 3_000, late: false, seed: 4) + lateCause),
    ("many at once", crowded),
  ]

  private static let early: IntervalAtRisk = (0, 3, .event(1))
  private static let crowded: [IntervalAtRisk] = (0..<3_000).map { number in
    let ending: Ending = number % 3 == 0 ? .event(1) : .censored(.silent)
    return (0, 1 + Tick(number / 300), ending)
  }
  private static func later(_ interval: IntervalAtRisk) -> IntervalAtRisk {
    (interval.entry + 10, interval.exit + 10, interval.ending)
  }
  private static let lateCause: [IntervalAtRisk] = (0..<200).map { (0, 2_500 + Tick($0), .event(2)) }

  private static func table(_ index: Int) -> LifeTable { LifeTable(intervals: populations[index].intervals) }

  @Test(arguments: populations.indices) func thinnedTicksAreSomeOfAll(_ index: Int) {
    let curves = AalenJohansen(Self.table(index))
    let all = curves.table.rows.filter { $0.events(in: .all) > 0 }.map(\.tick)
    #expect(curves.ticks == all)
    let overall = all.map { ($0, 1 - survival(curves, at: $0)) }
    for points in 2...20 { expect(curves.overall.ticks(atMost: points), toFollow: overall, points) }
    for cause in curves.causes {
      let own = curves.table.rows.filter { $0.events(cause) > 0 && survival(curves, at: $0.tick - 1) > 0 }.map(\.tick)
      let shares = own.map { ($0, curves.incidence(of: cause, at: $0, level: 0.95).value ?? 0) }
      #expect(curves.ticks(of: cause, atMost: .max) == own)
      for points in [2, 7, 20] { expect(curves.ticks(of: cause, atMost: points), toFollow: shares, points) }
    }
  }

  @Test(arguments: populations.indices) func whatStandsAtThinnedTicksIsTheSame(_ index: Int) {
    let (curves, limits) = (AalenJohansen(Self.table(index)), CurveLimits.pointwise(level: 0.95))
    for points in [2, 7, 300, .max] {
      for standing in curves.overall.standings(atMost: points) {
        let alone = curves.overall.standing(at: standing.tick)
        #expect(standing.survival(level: 0.95) == alone.survival(level: 0.95))
        #expect(
          (standing.atRisk, standing.events, standing.eventsSoFar) == (alone.atRisk, alone.events, alone.eventsSoFar))
        #expect(standing.isUnstable == alone.isUnstable)
      }
      for cause in curves.causes {
        let found = curves.incidence(of: cause, atMost: points, limits)
        #expect(found.map(\.at) == curves.ticks(of: cause, atMost: points))
        for (at, share) in found { #expect(share == curves.incidence(of: cause, at: at, limits)) }
      }
    }
  }

  /// No more ticks than wanted, the last among them, and nothing between two of them that a reader would miss: a curve that holds
  /// its height from one to the next lies nowhere by more than one part of the whole below the true one.
  private func expect(_ ticks: [Tick], toFollow curve: [(tick: Tick, share: Double)], _ points: Int) {
    #expect(ticks.count <= points && Set(ticks).count == ticks.count)
    #expect(ticks.first == curve.first?.tick && ticks.last == curve.last?.tick)
    let part = (curve.last?.share ?? 0) / Double(points - 1)
    let taken = Set(ticks)
    var held = 0.0
    for (tick, share) in curve {
      if taken.contains(tick) { held = share }
      #expect(curve.count <= points ? share == held : share - held <= part + 1e-9, "at \(tick) of \(points)")
    }
  }

  private func survival(_ curves: AalenJohansen, at tick: Tick) -> Double {
    (try? curves.overall.moment(at: tick).get().value) ?? 0
  }

  @Test(arguments: populations.indices) func quantilesAreFirstTicks(_ index: Int) {
    let curves = AalenJohansen(Self.table(index))
    let shares = [0.02, 0.1, 0.25, 0.5, 0.9]
    let all = curves.ticks.map { ($0, curves.overall.adoption(at: $0, level: 0.95)) }
    for (share, quantile) in zip(shares, curves.overall.quantiles(shares, level: 0.95)) {
      #expect(quantile.value == first(all, share, \.value))
      #expect(quantile.lo == first(all, share, \.hi) && quantile.hi == first(all, share, \.lo))
    }
    for cause in curves.causes {
      let all = curves.ticks.map { ($0, curves.incidence(of: cause, at: $0, level: 0.95)) }
      for (share, quantile) in zip(shares, curves.quantiles(shares, of: cause, level: 0.95)) {
        #expect(quantile.value == first(all, share, \.value))
        #expect(quantile.lo == first(all, share, \.hi) && quantile.hi == first(all, share, \.lo))
      }
    }
  }

  /// The first tick at which a curve is at a share, or so near that rounding may be what is missing.
  private func first(_ curve: [(Tick, Estimate)], _ share: Double, _ height: KeyPath<Estimate, Double?>) -> Double? {
    curve.first { $0.1[keyPath: height].map { $0 >= share - 1e-9 } ?? false }.map { Double($0.0) }
  }

  @Test(arguments: populations.indices) func partsOfAllAreFirstTicks(_ index: Int) {
    let curves = AalenJohansen(Self.table(index))
    for cause in curves.causes {
      let all = curves.ticks.map { ($0, curves.incidence(of: cause, at: $0, level: 0.95)) }
      let last = all.last?.1.value ?? 0
      let parts = [0.9, 0.1, 0.5]
      let expected = parts.map { last > 0 ? first(all, $0 * last, \.value) : nil }
      #expect(curves.ticks(of: cause, reachingOfAll: parts).map { $0.map { Double($0) } } == expected)
    }
  }

  @Test(arguments: populations.indices) func cutShortIsAsIfSeenThen(_ index: Int) {
    let intervals = Self.populations[index].intervals
    for limit: Tick in [1, 5, 300, 2_999, 5_000] {
      let seen = intervals.filter { $0.entry < limit }.map { interval in
        interval.exit > limit ? (interval.entry, limit, Ending.censored(.cutOff)) : interval
      }
      #expect(LifeTable(intervals: intervals).truncated(at: limit) == LifeTable(intervals: seen))
    }
  }

  @Test(arguments: populations.indices) func plotsFadeWhereTheRuleSays(_ index: Int) {
    let curve = KaplanMeier(Self.table(index))
    for limit in [0.001, 0.01, 0.1] {
      var fade: Tick?
      for row in curve.table.rows where row.atRisk > 0 {
        let before = (try? curve.moment(at: row.tick - 1).get().value) ?? 1
        fade = before / Double(row.atRisk) > limit ? fade ?? row.tick : nil
      }
      #expect(curve.fadeTick(limit: limit) == fade)
    }
  }

  @Test(arguments: populations.indices) func marksShareTheCensored(_ index: Int) {
    let table = Self.table(index)
    let marks = table.censorMarks(15)
    #expect(marks.reduce(0) { $0 + $1.censored } == table.censored && marks.count <= 15)
    for (mark, number) in zip(marks, 1...) {
      let seen = table.rows.reduce(0) { $0 + ($1.tick <= mark.tick ? $1.censored : 0) }
      #expect(seen == marks.prefix(number).reduce(0) { $0 + $1.censored })
    }
  }

  /// The words lie in files.
  @Test func runsAreWhatTheyWere() {
    var builder = LifeTable.Builder()
    builder.add(entered: 130, at: 0)
    builder.add(2, .event(15), at: 7)
    for (number, reason) in Censoring.allCases.enumerated() { builder.add(1, .censored(reason), at: 9 + Tick(number)) }
    let reasons = (0..<5).map { (number: Int64) in (9 + number) << 12 | (16 + number) << 7 | 1 }
    #expect(builder.build().runs == [3, 127, 7 << 12 | 15 << 7 | 2] + reasons)
  }
}
