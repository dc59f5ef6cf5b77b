import Lifecycle
import Testing

@testable import Store

/// What several questions need together serves each of them, or they are not asked together.
@Suite struct NeedTests {
  private func span(_ days: Int64, about release: Int64? = nil) -> Need.WakeSpan {
    let start = Timestamp(rawValue: 0)
    return Need.WakeSpan(from: start, until: start + .days(days), pushedAbout: release)
  }

  @Test func columnsAddUp() throws {
    let one = Need(app: "a", .everybody, journeys: [1: JourneyColumns([.applied]), 2: .reasons], devices: .buckets)
    let other = Need(app: "a", .everybody, journeys: [1: JourneyColumns([.ready]), 3: .buckets], devices: .runs)
    let both = try #require(one.union(other))
    #expect(both.journeys == [1: JourneyColumns([.applied, .ready]), 2: .reasons, 3: .buckets])
    #expect(both.devices == [.buckets, .runs])
  }

  /// Journeys that one of them needs everywhere must not be left out where nothing was pushed.
  @Test func pushedReleasesAloneOnlyWhereBothSaySo() throws {
    var pushed = Need(app: "a", .everybody, wakes: span(1))
    pushed.onlyPushedReleases = true
    #expect(try #require(pushed.union(pushed)).onlyPushedReleases)
    #expect(try !#require(pushed.union(Need(app: "a", .everybody))).onlyPushedReleases)
  }

  @Test func factsOfAnotherIntervalAreNotTaken() {
    #expect(Need(app: "a", .everybody, wakes: span(1)).union(Need(app: "a", .everybody))?.wakes == span(1))
    #expect(Need(app: "a", .everybody).union(Need(app: "a", .everybody, wakes: span(2)))?.wakes == span(2))
    #expect(
      Need(app: "a", .everybody, wakes: span(1)).union(Need(app: "a", .everybody, wakes: span(1)))?.wakes == span(1))
    #expect(Need(app: "a", .everybody, wakes: span(1)).union(Need(app: "a", .everybody, wakes: span(2))) == nil)
    #expect(
      Need(app: "a", .everybody, wakes: span(1)).union(Need(app: "a", .everybody, wakes: span(1, about: 7))) == nil)
    #expect(Need(app: "a", .everybody).union(Need(app: "b", .everybody)) == nil)
  }

  @Test func columnsAreReadByTheirParts() {
    #expect(JourneyColumns([]).parts == [JourneyShard.devicesPart])
    #expect(
      JourneyColumns([.applied, .running]).union(.reasons).parts
        == [JourneyShard.devicesPart, 6, 20, JourneyShard.reasonsPart])
    #expect(JourneyColumns.all.parts.count == Milestone.allCases.count + 3)
  }

  @Test func devicesOfTwoListsFindEachOther() {
    var indexes: [Int32] = [9]
    SortedJoin.indexes(of: [1, 3, 5, 9], in: [0, 3, 4, 9, 11], into: &indexes)
    #expect(indexes == [SortedJoin.none, 1, SortedJoin.none, 3])
    var join = SortedJoin([0, 3, 4, 9, 11])
    #expect([1, 3, 3, 5, 11, 12].map { join.index(of: $0) } == [nil, 1, 1, nil, 4, nil])
    #expect(([2, 4, 8] as [UInt64]).index(ofDevice: 8) == 2)
    #expect(([] as [UInt64]).index(ofDevice: 8) == nil)
  }
}
