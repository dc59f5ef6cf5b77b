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

  /// 400 devices that launch 1.0 and 2.0; half of them go back to 1.0 an hour after an instant.
  private func verdict(rolledBackAt hour: String) throws -> String {
    let phones = (0..<400).map { number in
      func line(_ stage: String, _ release: String, _ at: String) -> String {
        #"{"device":"d\#(number)","platform":"ios","stage":"\#(stage)","release":"\#(release)","at":"2025-03-0\#(at):00:00Z"}"#
      }
      let launched = [line("check", "0.9", "1T07"), line("applied", "1.0", "1T09"), line("applied", "2.0", "3T09")]
      return (launched + (number % 2 == 0 ? [line("rolledBack", "2.0", hour)] : [])).joined(separator: "\n")
    }
    let database = try Database(phones.joined(separator: "\n"))
    let first = try Timestamp(rfc3339: "2025-03-01T08:00:00Z")
    let registry = try Registry(path: database.path)
    for (label, at) in [("1.0", first), ("2.0", first + .days(2))] {
      let halt = [RolloutStep(at: at, percent: 100), RolloutStep(at: at + .hours(5), percent: 0)]
      try registry.publish(
        Publication(
          app: "a", release: ReleaseLabel(rawValue: label), channel: "production", publishedAt: at,
          rollout: label == "2.0" ? halt : []), now: at)
    }
    return try withExtendedLifetime(database) {
      try ask(["verdict", "--now", "2025-03-03T20:00:00Z"], Snapshot(path: database.path))
    }
  }

  /// A server that halts a release takes it back from devices: that is no sign that it does harm.
  @Test func whatTheHaltDoesStopsNothing() throws {
    let (before, after) = (try verdict(rolledBackAt: "3T11"), try verdict(rolledBackAt: "3T15"))
    #expect(before.contains(#""condition":"rollingBack","decision":"stop""#), "\(before)")
    #expect(!after.contains("stop\""), "\(after)")
    #expect(after.contains("what devices report after the halt is counted, and stops nothing"))
  }
}
