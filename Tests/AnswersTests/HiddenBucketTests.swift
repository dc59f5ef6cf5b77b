import Console
import Lifecycle
import Store
import Testing

@testable import Answers

/// Where only those that were offered a release are counted, nothing is held against them.
struct HiddenBucketTests {
  private static let first = try? Timestamp(rfc3339: "2025-03-01T00:00:00Z")

  /// 40 phones that take 1.0; ten of them are offered 2.0 two days later, and take it. None says its bucket.
  private static let phones = (0..<40).map { number in
    func line(_ stage: String, _ release: String, _ at: String) -> String {
      #"{"device":"d\#(number)","platform":"ios","stage":"\#(stage)","release":"\#(release)","at":"2025-03-0\#(at):00:00Z"}"#
    }
    let before = [line("check", "0.9", "1T00"), line("applied", "1.0", "1T0\(1 + number % 9)")]
    let offered = [line("available", "2.0", "3T09"), line("applied", "2.0", "3T1\(number % 10)")]
    return
      (before + [line("check", "1.0", "3T08")] + (number < 10 ? offered : []) + [
        line("check", number < 10 ? "2.0" : "1.0", "6T00")
      ])
      .joined(separator: "\n")
  }.joined(separator: "\n")

  @Test(arguments: [20, 100] as [Double]) func theReleaseBeforeHasAColumnWhereItCompares(_ percent: Double) throws {
    let (database, first) = (try Database(Self.phones), try #require(Self.first))
    let registry = try Registry(path: database.path)
    for (label, at, share) in [("1.0", first, 100), ("2.0", first + .days(2), percent)] {
      try registry.publish(
        Publication(
          app: "a", release: ReleaseLabel(rawValue: label), channel: "production", publishedAt: at,
          rollout: [RolloutStep(at: at, percent: share)]), now: at)
    }
    let table = try withExtendedLifetime(database) {
      try answer(["adoption", "2.0", "--now", "2025-03-06T12:00:00Z"], Snapshot(path: database.path)).presentation
        .table()
    }
    #expect(table.columns.contains { $0.key == "difference" } == (percent == 100), "\(table.columns.map(\.key))")
    #expect(table.columns.contains { $0.key == "baseline" } == (percent == 100))
    #expect(table.columns.contains { $0.key == "adoption" })
  }
}
