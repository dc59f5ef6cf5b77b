import Foundation
import Lifecycle
import Statistics
import Testing

@testable import Query

@Suite struct FunnelTests {
  let now = instant("2024-03-07T08:00:00Z")
  private static let about = "\"release\":\"2.0.0\""

  private func fleet(_ lines: [String]) throws -> Fleet {
    let fleet = try Fleet()
    try fleet.publish(
      [("2.0.0", 0), ("3.0.0", 50)].map { label, minutes in
        Publication(
          app: "com.example.demo", release: ReleaseLabel(rawValue: label), channel: "production",
          publishedAt: instant("2024-03-04T08:00:00Z") + .minutes(minutes))
      })
    try fleet.load(lines.joined(separator: "\n"))
    return fleet
  }

  private static func way(_ device: String, _ stages: [(String, Double)], _ trigger: String = "bgRefresh") -> [String] {
    stages.map { line(device, $0.0, at: $0.1, "\"trigger\":\"\(trigger)\"," + about) }
  }

  static let devices: [String] =
    way(
      "a",
      [
        ("available", 0), ("downloadStarted", 1), ("downloadCompleted", 2), ("verified", 3), ("ready", 4),
        ("applied", 60),
      ])
    + way("b", [("available", 0), ("downloadStarted", 2), ("failed", 3)])
    + way("c", [("available", 0), ("applied", 120)], "foreground")
    + way("d", [("available", 0), ("downloadStarted", 5), ("failed", 6), ("downloadCompleted", 10), ("ready", 11)])
    + way("e", [("available", 3 * 1440 - 60)])

  @Test func countsPerStageAndStep() throws {
    let answer = try fleet(Self.devices).funnel("2.0.0", now)
    let row = try #require(answer.data.first)
    #expect(row.devices == 5)
    let words = ["available", "downloadStarted", "downloadCompleted", "verified", "ready", "applied"]
    #expect(row.stages.map(\.stage) == words)
    #expect(row.stages.map(\.reached) == [5, 4, 3, 3, 3, 2] as [Int])
    #expect(row.stages.map(\.implied) == [0, 1, 1, 2, 1, 0] as [Int])
    // e was offered it an hour ago: too early to judge.
    #expect(row.steps.map(\.entered) == [4, 4, 3, 3, 3] as [Int])
    #expect(row.steps.map(\.reached) == [4, 3, 3, 3, 2] as [Int])
    #expect(row.steps[1].share == Proportion(3, of: 4).wilson(level: 0.95))
    #expect(
      row.largestLoss?.message
        == "1 of 4 devices that reached downloadStarted at least 24h before the cutoff had not got to downloadCompleted by then"
    )
    #expect(answer.warnings.map(\.code) == ["never_confirmed"])
  }

  /// What is ready waits for a launch: who was ready for a day is not lost.
  @Test func whoIsReadyMayWaitForALaunch() throws {
    let ready = line("a", "ready", at: 0, Self.about)
    let early = try #require(try fleet([ready]).funnel("2.0.0", instant("2024-03-05T10:00:00Z")).data.first)
    #expect(
      early.largestLoss?.message
        == "1 of 1 device that reached ready at least 24h before the cutoff had not got to applied by then; some may only wait for their next launch"
    )
    let applied = line("a", "applied", at: 2880, Self.about)
    #expect(try fleet([ready, applied]).funnel("2.0.0", now).data.first?.largestLoss == nil)
  }

  /// Offered to download: 60, 120, 300 and (implied by its being applied) 7200 s; e is censored at an hour.
  @Test func latencyOfSteps() throws {
    let row = try #require(try fleet(Self.devices).funnel("2.0.0", now).data.first)
    let offered = row.steps[0].latency
    #expect((offered.devices, offered.reached, offered.censored) == (5, 4, 1))
    #expect(offered.curve.map(\.seconds) == [60, 120, 300, 7200] as [Int64])
    #expect(offered.quantiles.first { $0.p == 0.5 }?.seconds.value == 300)
    // b and d failed first; d got there after all.
    let download = row.steps[1].latency
    #expect((download.devices, download.reached, download.failed, download.recovered) == (3, 1, 2, 1))
    #expect(isClose(download.curve.last?.share.value, 1.0 / 3))
  }

  @Test func aNewerReleaseEndsTheWay() throws {
    let row = try #require(
      try fleet([
        line("a", "available", at: 0, Self.about), line("a", "applied", at: 100, "\"release\":\"3.0.0\""),
        line("b", "available", at: 0, Self.about),
      ]).funnel("2.0.0", now).data.first)
    let latency = row.steps[0].latency
    #expect((latency.newerRelease, latency.reached, latency.censored) == (1, 0, 1))
    #expect(row.steps[0].lost == 2)
  }

  @Test func byMechanism() throws {
    let rows = try fleet(Self.devices).funnel("2.0.0", now) { $0.by = [.mechanism] }.data
    #expect(rows.map(\.group.parts) == [["mechanism": "bgRefresh"], ["mechanism": "foreground"]])
    #expect(rows.map(\.devices) == [4, 1])
  }

  /// It runs the release that it was offered, so it applied it; a device that was born with it went no way.
  @Test func runningImpliesApplied() throws {
    let row = try #require(
      try fleet([
        line("a", "available", at: 0, Self.about), line("a", "check", at: 90, Self.about),
        line("b", "check", at: 90, Self.about),
      ]).funnel("2.0.0", now).data.first)
    #expect(row.devices == 1)
    #expect(row.stages.last?.reached == 1)
  }

  @Test func nothingOffered() throws {
    let answer = try fleet([line("a", "check", at: 0)]).funnel("2.0.0", now)
    #expect(answer.warnings.map(\.code) == ["nothing_offered"])
    #expect(answer.data.first?.devices == 0)
    #expect(answer.data.first?.steps.allSatisfy { $0.share.value == nil } == true)
    #expect(answer.data.first?.largestLoss == nil)
  }
}
