import Lifecycle
import Store
import Testing

@testable import Answers

/// Nobody is to get a release that was halted: no advice says how devices get it faster.
struct HaltedReleaseTests {
  private static let published = try? Timestamp(rfc3339: "2025-03-02T08:00:00Z")

  /// 60 devices that have the release ready, and go on running the one before.
  private static let phones = (0..<60).flatMap { number in
    let checks = (1...9).map { #""stage":"check","release":"1.0","at":"2025-03-0\#($0)T08:00:0\#(number % 10)Z""# }
    let ready = #""stage":"ready","release":"2.0","at":"2025-03-02T09:00:00Z""#
    return (checks + [ready]).map { #"{"device":"d\#(number)","platform":"ios",\#($0)}"# }
  }.joined(separator: "\n")

  @Test(arguments: [false, true]) func isNotAdvisedToApplyIt(_ isHalted: Bool) throws {
    let (database, at) = (try Database(Self.phones), try #require(Self.published))
    let halt = [RolloutStep(at: at, percent: 100), RolloutStep(at: at + .hours(6), percent: 0)]
    try Registry(path: database.path).publish(
      Publication(
        app: "a", release: ReleaseLabel(rawValue: "2.0"), channel: "production", publishedAt: at,
        rollout: isHalted ? halt : []), now: at)
    let text = try ask(["diagnose", "--now", "2025-03-09T12:00:00Z"], Snapshot(path: database.path))
    #expect(text.contains("readyNotApplied") == !isHalted, "\(text)")
  }
}
