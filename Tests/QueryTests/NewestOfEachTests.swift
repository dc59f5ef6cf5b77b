import Query
import Testing

/// Which releases have a row on the first page of a house that ships every night.
@Suite struct NewestOfEachTests {
  /// A year of nights, and a release for customers every hundred days.
  private static let channels = (0..<365).map { day in day % 100 == 99 ? "production" : "nightly" }

  @Test(arguments: [30, 20, 12]) func nightsLeaveRoomForWhatCustomersRun(_ most: Int) {
    let chosen = NewestOfEach.chosen(Self.channels, atMost: most)
    #expect(chosen.count == most)
    #expect(chosen.filter { Self.channels[$0] == "production" }.sorted() == [99, 199, 299])
    #expect(Set(0..<most - 3).isSubset(of: chosen), "else the newest")
  }

  @Test func whereThereIsRoomAllAreShown() {
    #expect(NewestOfEach.chosen(["beta", "production"], atMost: 30) == [0, 1])
    #expect(NewestOfEach.chosen([], atMost: 30) == [])
  }

  /// Of more channels than rows the newest release of the busiest stands first.
  @Test func ofManyChannelsTheNewestAreShown() {
    let channels = (0..<90).map { "customer-\($0 % 45)" }
    #expect(NewestOfEach.chosen(channels, atMost: 30) == Set(0..<30))
  }
}
