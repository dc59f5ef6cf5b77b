import Lifecycle
import Testing

@testable import Server

/// Which of thousands of releases have pages.
struct PagedReleasesTests {
  private func place(_ label: String, _ channel: String, day: Int64, isInferred: Bool = false) -> PagedReleases.Place {
    PagedReleases.Place(
      label: label, channel: channel, publishedAt: Timestamp(rawValue: day * 86_400_000), isInferred: isInferred)
  }

  /// A thousand nights, and a release for customers every hundred days.
  private var nights: [PagedReleases.Place] {
    (0..<1000).map { place("n\($0)", "nightly", day: $0) }
      + stride(from: 0, to: 500, by: 100).map { place("p\($0)", "production", day: $0) }
  }

  private func chosen(_ running: [String: Int], of reachable: Int = 1000) -> Set<String> {
    PagedReleases.chosen(nights, newest: 100, running: running, reachable: reachable)
  }

  @Test func theNewestOfAllAndOfEachChannelHavePages() {
    #expect(chosen([:]) == Set((900..<1000).map { "n\($0)" } + ["p200", "p300", "p400"]))
  }

  @Test func whatManyRunHasPagesHoweverOld() {
    let found = chosen(["p0": 10, "n3": 500, "n4": 9])
    #expect(found.contains("p0") && found.contains("n3") && !found.contains("n4"))
    #expect(!chosen(["p0": 0], of: 0).contains("p0"), "nobody is no share of nobody")
  }

  /// Whoever has the key that apps send with can make up newer ones.
  @Test func madeUpOnesDoNotDisplaceRegisteredOnes() {
    let flood = (0..<300).map { place("x\($0)", "production", day: 2000, isInferred: true) }
    let found = PagedReleases.chosen(nights + flood, newest: 100, running: [:], reachable: 1000)
    #expect(found.isSuperset(of: ["p200", "p300", "p400", "n997", "n998", "n999"]))
    #expect(found.count <= 100 + 3 + 3)
  }

  @Test func inTheOrderOfThePlacesNothingDepends() {
    let backwards = PagedReleases.chosen(nights.reversed(), newest: 100, running: [:], reachable: 0)
    #expect(backwards == chosen([:]))
  }
}
