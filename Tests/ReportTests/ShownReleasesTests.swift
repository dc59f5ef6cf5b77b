import Testing

@testable import Report

/// Which releases have a row on the first page of a house that ships every night.
@Suite struct ShownReleasesTests {
  /// A year of nights, and a release for customers every hundred days.
  private static let channels = (0..<365).map { day in day % 100 == 99 ? "production" : "nightly" }

  @Test(arguments: [30, 20, 12]) func nightsLeaveRoomForWhatCustomersRun(_ most: Int) {
    let chosen = ShownReleases.chosen(Self.channels, atMost: most)
    #expect(chosen.count == most)
    #expect(chosen.filter { Self.channels[$0] == "production" }.sorted() == [99, 199, 299])
    #expect(Set(0..<most - 3).isSubset(of: chosen), "else the newest")
  }

  @Test func whereThereIsRoomAllAreShown() {
    #expect(ShownReleases.chosen(["beta", "production"], atMost: 30) == [0, 1])
    #expect(ShownReleases.chosen([], atMost: 30) == [])
  }

  /// Of more channels than rows the newest release of the busiest stands first.
  @Test func ofManyChannelsTheNewestAreShown() {
    let channels = (0..<90).map { "customer-\($0 % 45)" }
    #expect(ShownReleases.chosen(channels, atMost: 30) == Set(0..<30))
  }
}
