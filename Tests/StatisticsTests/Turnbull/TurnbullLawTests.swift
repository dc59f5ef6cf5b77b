import Statistics
import Testing

struct TurnbullLawTests {
  /// (0, 8] and (4, 12]: both can lie in (4, 8], so all probability does. With (8, 16] beside them it is
  /// halved.
  @Test func byHand() throws {
    let times = try [(0, 8), (4, 12), (8, 16)].map { try #require(BoundedTime(after: $0.0, upTo: $0.1)) }
    let two = Turnbull(Array(times.prefix(2)))
    #expect(two.innermost == [InnermostInterval(after: 4, upTo: 8)] && two.survival == [0])
    #expect(two.adoption(at: 4) == 0...0 && two.adoption(at: 6) == 0...1 && two.adoption(at: 8) == 1...1)
    #expect(two.quantile(0.5) == 5...8)
    let three = Turnbull(times)
    #expect(three.innermost == [.init(after: 4, upTo: 8), .init(after: 8, upTo: 12)])
    // (0, 8] is explained by the first only, (8, 16] by the second only, (4, 12] by either: log s + log(1 - s).
    expectNear(three.survival[0], 0.5, relative: 1e-7, "S")
    #expect(three.isCertain)
  }

  /// Polled every 8 h: grouped data, in which each share is a count.
  @Test func onOneGridItCounts() throws {
    let counts: [Int64] = [30, 20, 10]
    var times = try counts.indices.map {
      try #require(BoundedTime(after: Tick($0) * 8, upTo: Tick($0) * 8 + 8, count: counts[$0]))
    }
    times.append(try #require(BoundedTime(after: 24, upTo: nil, count: 40)))
    let fit = Turnbull(times)
    for (index, expected) in [0.7, 0.5, 0.4].enumerated() { expectNear(fit.survival[index], expected, "\(index)") }
    #expect(fit.adoption(at: 12) == fit.adoption(at: 8)!.lowerBound...fit.adoption(at: 16)!.lowerBound)
    #expect(fit.quantile(0.4) == 9...16 && fit.quantile(0.7) == nil && fit.adoption(at: 25) == nil)
    #expect(fit.devices == 100 && fit.isCertain)
  }

  /// Exact times, late entries and early exits: the same as the table's product limit.
  @Test(arguments: Reference.names) func exactTimesAreKaplanMeier(_ name: String) throws {
    let rows = try Reference(name).rows
    let curve = KaplanMeier(LifeTable(intervals: rows.map { ($0.entry, $0.exit, $0.ending) }))
    let fit = Turnbull(
      rows.compactMap { row in
        switch row.ending {
        case .event: BoundedTime(entry: row.entry, after: row.exit - 1, upTo: row.exit)
        case .censored: BoundedTime(entry: row.entry, after: row.exit, upTo: nil)
        }
      })
    #expect(fit.isCertain)
    for row in rows {
      let expected = try? curve.moment(at: row.exit).get().value
      let found = fit.adoption(at: row.exit)
      expectNear(found.map { 1 - $0.lowerBound }, expected, floor: 1e-9, "\(name) at \(row.exit)")
      #expect(found.map { $0.lowerBound == $0.upperBound } ?? true)
    }
  }

  /// Two enter late and one of them updates: of those before nobody can tell, so half of what is left goes.
  @Test func lateEntry() throws {
    let times = try [
      #require(BoundedTime(after: 1, upTo: 2)), #require(BoundedTime(after: 10, upTo: nil)),
      #require(BoundedTime(entry: 4, after: 5, upTo: 6)), #require(BoundedTime(entry: 4, after: 10, upTo: nil)),
    ]
    let fit = Turnbull(times)
    expectNear(fit.adoption(at: 2)?.lowerBound, 0.5, "before the entry: one of two")
    expectNear(fit.adoption(at: 10)?.lowerBound, 1 - 0.5 * 2 / 3, "then one of three")
  }

  /// Two hundred exact times: the limits of the median lie about where Kaplan-Meier's do; the same call gives the same.
  @Test func limitsOfExactTimes() throws {
    let times = try (1...200).map { try #require(BoundedTime(after: Tick($0) - 1, upTo: Tick($0))) }
    let limits = Turnbull(times).band(of: 0.5, times, level: 0.95)
    // Order statistics: 100 -+ 1.96 sqrt(200)/2 = 86 to 114.
    let (lo, hi) = (try #require(limits.lo), try #require(limits.hi))
    #expect((82...90).contains(lo) && (110...118).contains(hi))
    #expect(limits == Turnbull(times).band(of: 0.5, times, level: 0.95))
    #expect(limits.earliest == 100 && limits.latest == 100)
  }

  /// Where the data leave the median open, so do the limits; where most are waiting there is no upper one.
  @Test func limitsHoldTheBand() throws {
    let waiting = try #require(BoundedTime(after: 8, upTo: nil, count: 100))
    var times = [try #require(BoundedTime(after: 0, upTo: 8, count: 105)), waiting]
    let even = Turnbull(times).band(of: 0.5, times, level: 0.95)
    #expect(even.earliest == 1 && even.latest == 8 && even.lo == 1 && even.hi == nil)
    times[0].count = 300
    let most = Turnbull(times).band(of: 0.5, times, level: 0.95)
    #expect(most.lo == 1 && most.hi == 8)
  }

  @Test func boundsThatCannotBe() {
    #expect(BoundedTime(after: 5, upTo: 5) == nil && BoundedTime(entry: 9, after: 5, upTo: 9) == nil)
    #expect(BoundedTime(after: 5, upTo: nil, count: 0) == nil)
    #expect(BoundedTime(entry: 7, after: 5, upTo: 9)?.after == 7)
    let nobody = Turnbull([])
    #expect(nobody.adoption(at: 0) == nil && nobody.quantile(0.5) == nil && nobody.innermost.isEmpty)
  }

  /// Order and splitting of counts say nothing.
  @Test func countsAreRepeats() throws {
    let few = try [(0, 9), (3, 7), (5, 14), (8, 20)].map {
      try #require(BoundedTime(after: $0.0, upTo: $0.1, count: 3))
    }
    var many: [BoundedTime] = []
    for var time in few.reversed() {
      time.count = 1
      many += [time, time, time]
    }
    let (one, other) = (Turnbull(few), Turnbull(many))
    #expect(one.innermost == other.innermost)
    for index in one.survival.indices {
      expectNear(one.survival[index], other.survival[index], floor: 1e-7, "\(index)")
    }
  }
}
