import Statistics
import Testing

struct LifeTableTests {
  @Test func countsByHand() {
    let table = LifeTable(intervals: [
      (0, 3, .event(1)), (0, 3, .censored(.silent)), (0, 5, .event(2)), (3, 5, .censored(.cutOff)), (3, 4, .event(1)),
    ])
    #expect(table.ticks == [0, 3, 4, 5])
    #expect(table.rows.map(\.entered) == [3, 2, 0, 0])
    #expect(table.rows.map(\.atRisk) == [0, 3, 3, 2])
    #expect(table.rows.map { $0.events(1) } == [0, 1, 1, 0])
    #expect(table.rows.map { $0.events(2) } == [0, 0, 0, 1])
    #expect(table.rows.map { $0.censored(.silent) } == [0, 1, 0, 0])
    #expect(table.rows.map { $0.censored(.cutOff) } == [0, 0, 0, 1])
    #expect(table.causes == [1, 2])
    #expect(table.intervals == 5 && table.events == 3 && table.enteredLate == 2 && table.lastTick == 5)
  }

  @Test func intervalsLastAtLeastOneTick() {
    let table = LifeTable(intervals: [(4, 4, .event(1)), (-3, -2, .event(1))])
    #expect(table.ticks == [0, 1, 4, 5])
    #expect(table.rows.map(\.atRisk) == [0, 1, 0, 1])
  }

  @Test func groupedCountsMakeTheSameTable() {
    let intervals = population(3_000, seed: 1)
    var shuffler = SplitMix(seed: 3)
    var grouped = LifeTable.Builder()
    for interval in intervals.shuffled(using: &shuffler) {
      grouped.add(entered: 1, at: interval.entry)
      grouped.add(1, interval.ending, at: interval.exit)
    }
    #expect(grouped.build() == LifeTable(intervals: intervals))
  }

  /// Sorting by digits and sorting small lists by comparison must not differ: sizes on both sides of the switch.
  @Test(arguments: [1, 2, 100, 255, 256, 257, 2_000]) func atRiskIsWhatTheDefinitionSays(_ size: Int) {
    let intervals = population(size, seed: UInt64(size))
    let table = LifeTable(intervals: intervals)
    let slow = SlowSurvival(intervals: intervals)
    for tick in Tick(0)...42 {
      #expect(Double(table.atRisk(at: tick)) == slow.atRisk(tick))
      let row = table.rows.first { $0.tick == tick }
      for cause in table.causes {
        #expect(Double(row?.events(cause) ?? 0) == slow.events(tick, cause))
      }
    }
  }

  @Test(arguments: 1...8) func mergingIsTheUnion(_ shards: Int) {
    let intervals = population(1_000, seed: 7)
    let tables = (0..<shards).map { shard in
      LifeTable(intervals: intervals.indices.filter { $0 % shards == shard }.map { intervals[$0] })
    }
    #expect(LifeTable.merged(tables) == LifeTable(intervals: intervals))
    #expect(LifeTable.merged(tables.reversed()) == LifeTable(intervals: intervals))
  }

  @Test func mergingNothingIsNothing() {
    #expect(LifeTable.merged([]) == LifeTable())
    #expect(LifeTable.merged([LifeTable(), LifeTable()]) == LifeTable())
  }

  @Test func ticksFarApartSortToo() {
    let far: Tick = 1 << 50
    let intervals = (0..<1_000).map { (entry: Tick(0), exit: far - Tick($0), ending: Ending.event(1)) }
    #expect(LifeTable(intervals: intervals).ticks == [0] + ((far - 999)...far))
  }

  /// Keys of 32 bits end at tick 2²⁷; beyond it others are used.
  @Test func ticksOnBothSidesOfShortKeys() {
    let edge: Tick = 1 << 27
    let intervals = (-3...3).map { (entry: edge + $0 - 2, exit: edge + $0, ending: Ending.event(1)) }
    let table = LifeTable(intervals: intervals)
    #expect(table.ticks == Array(edge - 5...edge + 3))
    #expect(table.rows.map(\.entered) == [1, 1, 1, 1, 1, 1, 1, 0, 0])
    #expect(table.rows.map { $0.events(1) } == [0, 0, 1, 1, 1, 1, 1, 1, 1])
    #expect(table.rows.map(\.atRisk) == [0, 1, 2, 2, 2, 2, 2, 2, 1])
  }

  /// Builders keep keys in pieces of some thousands.
  @Test func manyIntervalsInSeveralBuilders() {
    let intervals = population(70_000, seed: 5)
    var sum = LifeTable.Builder()
    for part in 0..<3 {
      var builder = LifeTable.Builder()
      for index in intervals.indices where index % 3 == part {
        builder.add(entry: intervals[index].entry, exit: intervals[index].exit, ending: intervals[index].ending)
      }
      sum.add(builder)
    }
    var grouped = LifeTable.Builder()
    for interval in intervals {
      grouped.add(entered: 1, at: interval.entry)
      grouped.add(1, interval.ending, at: interval.exit)
    }
    #expect(sum.build() == grouped.build())
  }

  @Test func lastTickWithEnoughAtRisk() {
    let table = LifeTable(intervals: (1...50).map { (0, Tick($0), .event(1)) })
    #expect(table.lastTick(atRisk: 30) == 21)
    #expect(table.lastTick(atRisk: 51) == nil)
    #expect(table.lastTick(atRisk: 30, before: 21) == 20 && table.lastTick(atRisk: 30, before: 1) == nil)
    let steps = LifeTable(intervals: [(0, 9, .event(1)), (5, 8, .event(1)), (20, 30, .event(1))])
    for tick in Tick(0)...30 {
      let next: Tick? = tick < 8 ? max(tick + 1, 6) : nil
      #expect(steps.firstTick(atRisk: 2, after: tick) == next)
    }
    #expect(steps.firstTick(atRisk: 1, after: 9) == 21 && steps.firstTick(atRisk: 1, after: .max) == nil)
    let long = LifeTable(intervals: (1...2_000).map { (0, Tick($0), .event(1)) })
    #expect((2...1_900).allSatisfy { long.lastTick(atRisk: 30, before: $0) == $0 - 1 })
    #expect(LifeTable().lastTick(atRisk: 0) == nil)
  }
}

extension LifeTable {
  fileprivate var ticks: [Tick] { rows.map(\.tick) }
}

/// Shares of those that had entered, counted at instants.
struct CountedShareTests {
  /// Two of four enter at 5, the last two at 10; one has the event at 3, one at 6, one at 12.
  private static let table = LifeTable(intervals: [
    (0, 3, .event(1)), (0, 6, .event(1)), (5, 12, .event(1)), (5, 20, .censored(.cutOff)), (10, 15, .event(2)),
    (10, 20, .censored(.cutOff)),
  ])

  @Test(
    arguments: [
      (0, [3, 3, nil], [1, 1, nil]), (10, [10, 12, nil], [2, 3, nil]), (13, [13, 13, nil], [3, 3, nil]),
    ] as [(Tick, [Tick?], [Int64?])]) func isOfThoseThatHadEnteredByThen(
      _ start: Tick, _ ticks: [Tick?], _ events: [Int64?]
    )
  {
    let found = Self.table.firstCounted([0.25, 0.5, 0.75], from: start, of: CauseSet([1]))
    #expect(found.map { $0?.tick } == ticks)
    #expect(found.map { $0?.events } == events)
  }
}
