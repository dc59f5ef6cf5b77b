import Foundation
import Lifecycle
import Statistics
import Store
import Testing

@testable import Query

@Suite struct WakeUpTests {
  let now = instant("2024-03-07T08:00:00Z")

  /// push.expected.json, `wakeups`: nine wake-ups by pushes, one without an end, one over 30 s.
  @Test func theReferenceFleet() throws {
    let fleet = try Fleet()
    try fleet.load(referenceText("push.sent.ndjson") + referenceText("push.events.ndjson"))
    let row = try #require(try fleet.wakeUps(now, by: [.trigger]).data.first)
    #expect(row.group.parts == ["trigger": "silentPush"])
    #expect(row.wakeUps == 9)
    #expect(row.finished == 8)
    #expect((row.overrun.atLeast.count, row.overrun.atLeast.of) == (1, 9))
    #expect((row.overrun.atMost.count, row.overrun.atMost.of) == (2, 9))
    #expect((row.overrun.nearBudget.count, row.overrun.nearBudget.of) == (2, 8))
    #expect((row.wasted.count, row.wasted.of) == (4, 8))
    #expect(row.overrun.atLeast.share == Proportion(1, of: 9).wilson(level: 0.95))
    let outcomes: [String: Int] = ["newData": 3, "noData": 4, "failed": 1, "expired": 0, "unsaid": 0, "unfinished": 1]
    #expect(row.outcomes == outcomes)
  }

  /// What one wake-up says in four events is one wake-up; what follows a minute later is another.
  @Test func eventsOfOneWakeUpAreOne() throws {
    let fleet = try Fleet()
    let push = "\"trigger\":\"silentPush\""
    try fleet.load(
      [
        line("a", "pushSent", at: 0, "\"push\":\"x\""),
        line("a", "wakeStarted", at: 1, push + ",\"push\":\"x\""),
        line("a", "pushReceived", at: 1.001, push + ",\"push\":\"x\""),
        line("a", "check", at: 1.02, push + ",\"network\":\"wifi,charging\""),
        line("a", "wakeFinished", at: 1.2, push + ",\"outcome\":\"newData\",\"durationMs\":12000"),
        line("a", "check", at: 2.5, push + ",\"network\":\"cellular\""),
      ].joined(separator: "\n"))
    let row = try #require(try fleet.wakeUps(now).data.first)
    #expect(row.wakeUps == 2)
    #expect(row.finished == 1)
    let said = row.surroundings
    #expect([said.wifi, said.cellular, said.charging, said.unsaid] == [1, 1, 1, 0] as [Int])
    #expect(row.hourOfDay.started[8] == 2)
    #expect(row.hourOfDay.newData[8] == 1)
    let pushes = try #require(try fleet.pushes(now).data.first)
    #expect(pushes.delivered.count == 1)
    #expect(pushes.orphans == 1)
    #expect(pushes.latency.curve.map(\.seconds) == [60] as [Int64])
  }

  /// Refreshes at 0, 10, 25 and 265 minutes: intervals of 10, 15 and 240 minutes, one of three under the floor.
  @Test func intervalsBetweenRefreshes() throws {
    let fleet = try Fleet()
    let refresh = "\"trigger\":\"bgRefresh\""
    let starts: [Double] = [0, 10, 25, 265]
    try fleet.load(
      starts.map { line("a", "wakeStarted", at: $0, refresh, platform: "android") }.joined(separator: "\n") + "\n"
        + line("b", "wakeStarted", at: 3, refresh, platform: "android"))
    let row = try #require(try fleet.wakeUps(now, by: [.trigger, .platform]).data.first)
    #expect(row.group.parts == ["platform": "android", "trigger": "bgRefresh"])
    let intervals = row.refreshIntervals
    #expect(intervals.count == 3)
    #expect((intervals.underFloor.count, intervals.underFloor.of, intervals.underFloor.devices) == (1, 3, 1))
    let found = intervals.quantiles.filter { [0.25, 0.5, 0.9].contains($0.p) }.map(\.seconds)
    #expect(found == [600, 900, 14_400] as [Int64?])
    #expect(row.outcomes["unfinished"] == 5)
    #expect(row.pushHours == nil)
  }

  /// Ends are optional: where no refresh reports its end, nobody knows whether any overran.
  @Test(arguments: [false, true]) func overrunsAreKnownFromEnds(_ isSummarised: Bool) throws {
    let fleet = try Fleet()
    let refresh = "\"trigger\":\"bgRefresh\",\"release\":\"1.0.0\""
    try fleet.publish([
      Publication(
        app: "com.example.demo", release: ReleaseLabel(rawValue: "2.0.0"), channel: "production",
        publishedAt: instant("2024-03-04T08:30:00Z"))
    ])
    func interference(_ lines: String...) throws -> Mechanisms.Interference {
      try fleet.load(lines.joined(separator: "\n"))
      if isSummarised { try Summary.refresh(path: fleet.path) }
      let chosen = try fleet.chosen("2.0.0", now: now)
      let row = try Mechanisms.answer(Snapshot(path: fleet.path), chosen).data.first
      return try #require(row?.figures.ways.first?.interference)
    }
    let unknown = try interference(
      line("a", "wakeStarted", at: 0, refresh), line("a", "wakeStarted", at: 60, refresh),
      line("b", "wakeStarted", at: 70, refresh))
    #expect(unknown.share == nil && unknown.reason == "noEndsReported" && unknown.medianIntervalSeconds == 3600)
    let untold = try #require(try fleet.wakeUps(now).data.first).overrun
    #expect(untold.atLeast.of == 0 && untold.atMost.of == 0 && untold.atMost.share.value == nil)
    let known = try interference(
      line("b", "wakeFinished", at: 70.5, refresh + ",\"outcome\":\"newData\",\"durationMs\":30000"))
    #expect(known.reason == nil)
    let told = try #require(try fleet.wakeUps(now).data.first).overrun
    #expect((told.atLeast.count, told.atMost.count, told.atMost.of) == (0, 2, 3))
    #expect(known.share?.value == 2.0 / 3)
  }

  struct Ending: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var rest: String
    var outcome: String
    var overran: Int
  }
  static let endings = [
    Ending(
      testDescription: "30 s are within", rest: "\"outcome\":\"newData\",\"durationMs\":30000", outcome: "newData",
      overran: 0),
    Ending(
      testDescription: "a hair over", rest: "\"outcome\":\"newData\",\"durationMs\":30001", outcome: "newData",
      overran: 1),
    Ending(
      testDescription: "expired without a duration", rest: "\"outcome\":\"expired\"", outcome: "expired", overran: 1),
    Ending(testDescription: "an end that says nothing", rest: "\"reason\":\"x\"", outcome: "unsaid", overran: 0),
    Ending(testDescription: "failed", rest: "\"outcome\":\"failed\",\"durationMs\":100", outcome: "failed", overran: 0),
  ]
  @Test(arguments: endings) func endsAre(_ row: Ending) throws {
    let fleet = try Fleet()
    try fleet.load(
      line("a", "wakeStarted", at: 0, "\"trigger\":\"location\"") + "\n"
        + line("a", "wakeFinished", at: 0.6, "\"trigger\":\"location\"," + row.rest))
    let found = try #require(try fleet.wakeUps(now).data.first)
    #expect(found.outcomes[row.outcome] == 1)
    #expect(found.overrun.atLeast.count == row.overran)
    #expect(found.wakeUps == 1)
  }

  /// It may still be running.
  @Test func whatHasJustBegunIsNotCounted() throws {
    let fleet = try Fleet()
    try fleet.load(line("a", "wakeStarted", at: 0, "\"trigger\":\"bgRefresh\""))
    let start = instant("2024-03-04T08:00:00Z")
    #expect(try fleet.wakeUps(start + .seconds(59)).data.first?.wakeUps == 0)
    #expect(try fleet.wakeUps(start + .seconds(60)).data.first?.wakeUps == 1)
  }

  @Test func noWakeUpIsNoShare() throws {
    let fleet = try Fleet()
    try fleet.load(line("a", "check", at: 0, "\"trigger\":\"foreground\""))
    let answer = try fleet.wakeUps(now)
    let row = try #require(answer.data.first)
    #expect(row.wakeUps == 0)
    #expect(row.overrun.atLeast.share.value == nil)
    #expect(row.overrun.atLeast.share.reason == .nothingAtRisk)
    #expect(row.refreshIntervals.quantiles.allSatisfy { $0.seconds == nil })
    #expect(answer.warnings.map(\.code) == ["no_wakeups"])
  }
}
