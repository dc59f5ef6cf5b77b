import Lifecycle
import Testing

@testable import Answers

/// Steps are told by their hours after the publication; one that is some milliseconds before it is at 0.
struct RolloutWordsTests {
  @Test(arguments: [
    (Int64(-400), "10%@0h"), (0, "10%@0h"), (10_000, "10%@0h"), (3_600_000, "10%@1h"), (5_400_000, "10%@1.5h"),
    (-7_200_000, "10%@-2h"), (5_430_000, "10%@1.51h"),
  ]) func aStep(_ after: Int64, _ words: String) {
    let at = Timestamp(rawValue: 1_741_392_000_000)
    let publication = Publication(
      app: "a", release: ReleaseLabel(rawValue: "1"), channel: "production", publishedAt: at,
      rollout: [RolloutStep(at: Timestamp(rawValue: at.rawValue + after), percent: 10)])
    #expect(publication.rolloutWords == words)
  }
}
