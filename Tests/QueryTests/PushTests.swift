import Foundation
import Lifecycle
import Statistics
import Testing

@testable import Query
@testable import Store

@Suite struct PushTests {
  let now = instant("2024-03-11T08:00:00Z")

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var lines: [String]
    var states: [String: Int]
    var arrival: String?
  }
  static let push = "\"trigger\":\"silentPush\",\"push\":\"x\""
  static let sent = line("a", "pushSent", at: 0, "\"push\":\"x\",\"outcome\":\"accepted\"")
  static let cases = [
    Case(
      testDescription: "woke the app", lines: [sent, line("a", "wakeStarted", at: 3, push)], states: ["delivered": 1],
      arrival: "background"),
    Case(
      testDescription: "at the horizon", lines: [sent, line("a", "wakeStarted", at: 1440, push)],
      states: ["delivered": 1], arrival: "background"),
    Case(
      testDescription: "after the horizon", lines: [sent, line("a", "wakeStarted", at: 1440.1, push)],
      states: ["late": 1], arrival: "background"),
    Case(
      testDescription: "held until the user opened the app",
      lines: [
        sent, line("a", "pushReceived", at: 90, push), line("a", "check", at: 90.2, "\"trigger\":\"foreground\""),
      ],
      states: ["delivered": 1], arrival: "atLaunch"),
    Case(
      testDescription: "came while the app was in use",
      lines: [sent, line("a", "pushReceived", at: 0.1, "\"push\":\"x\",\"appState\":\"active\"")],
      states: ["delivered": 1], arrival: "inUse"),
    Case(
      testDescription: "never heard of again", lines: [line("a", "check", at: -60), sent], states: ["unreached": 1]),
    Case(
      testDescription: "the device spoke, the push did not arrive", lines: [sent, line("a", "check", at: 60)],
      states: ["lost": 1]),
    Case(
      testDescription: "sent again under its id",
      lines: [sent, line("a", "pushSent", at: 5, "\"push\":\"x\""), line("a", "wakeStarted", at: 6, push)],
      states: ["delivered": 1], arrival: "background"),
    Case(
      testDescription: "received twice",
      lines: [sent, line("a", "wakeStarted", at: 6, push), line("a", "wakeStarted", at: 9, push)],
      states: ["delivered": 1], arrival: "background"),
    Case(
      testDescription: "refused first, taken then",
      lines: [
        line("a", "pushSent", at: -5, "\"push\":\"x\",\"outcome\":\"rejected\""), sent,
        line("a", "wakeStarted", at: 6, push),
      ],
      states: ["delivered": 1], arrival: "background"),
    Case(
      testDescription: "a clock an hour behind, told by the id",
      lines: [sent, line("a", "wakeStarted", at: -60, push)],
      states: ["delivered": 1], arrival: "background"),
    Case(
      testDescription: "a receipt without id goes to the newest before it",
      lines: [
        sent, line("a", "pushSent", at: 10, "\"push\":\"y\""),
        line("a", "wakeStarted", at: 20, "\"trigger\":\"silentPush\""),
      ],
      states: ["delivered": 1, "coalesced": 1], arrival: "background"),
    Case(
      testDescription: "two of one instant: neither replaces the other",
      lines: [sent, line("a", "pushSent", at: 0, "\"push\":\"y\""), line("a", "wakeStarted", at: 3, push)],
      states: ["delivered": 1, "lost": 1], arrival: "background"),
  ]
  @Test(arguments: cases) func state(_ row: Case) throws {
    let fleet = try Fleet()
    try fleet.load(row.lines.joined(separator: "\n"))
    let found = try #require(try fleet.pushes(now).data.first)
    let states: [String: Int] = found.states.filter { $0.value > 0 }
    #expect(states == row.states)
    let arrivals: [String: Int] = found.arrivals.filter { $0.value > 0 }
    let wanted: [String: Int] = row.arrival.map { [$0: 1] } ?? [:]
    #expect(arrivals == wanted)
  }

  /// A background refresh ran after the push was lost: the app was neither force-quit nor off.
  @Test func aRefreshAfterALossTellsSomething() throws {
    let fleet = try Fleet()
    try fleet.load(
      [
        line("a", "pushSent", at: 0, "\"push\":\"x\""), line("a", "wakeStarted", at: 60, "\"trigger\":\"bgRefresh\""),
        line("b", "pushSent", at: 0, "\"push\":\"x\""), line("b", "check", at: 60, "\"trigger\":\"foreground\""),
      ].joined(separator: "\n"))
    let row = try #require(try fleet.pushes(now).data.first)
    #expect(row.matureStates["lost"] == 2)
    #expect(row.lostThoughRefreshed == 1)
  }

  /// Five pushes within an hour, none received: four replaced, the last lost; the n-th had n − 1 before it.
  @Test func throttlingAndHours() throws {
    let fleet = try Fleet()
    try fleet.load(
      (0..<5).map { line("a", "pushSent", at: Double($0) * 10, "\"push\":\"\($0)\"") }.joined(separator: "\n") + "\n"
        + line("a", "check", at: 600) + "\n" + line("b", "wakeStarted", at: 0, "\"trigger\":\"silentPush\""))
    let row = try #require(try fleet.pushes(now).data.first)
    #expect(row.throttling.map(\.delivered.of) == [1, 1, 1, 2, 0] as [Int])
    #expect((row.deviceHours.hours, row.deviceHours.overThree, row.deviceHours.most) == (1, 1, 5))
    #expect((row.coalesced.count, row.lost.count, row.lost.of) == (4, 1, 1))
    // 2024-03-04 is a Monday.
    #expect(row.hourOfWeek.mature[8] == 5)
    #expect(row.hourOfWeek.mature.reduce(0, +) == 5)
    #expect(row.delivered.share.reason == .tooFew)
  }

  /// Receipts are optional: where nobody reports any, nobody knows what was lost. A wake-up by a push that nobody reported as
  /// sent says that clients do.
  @Test(arguments: [false, true]) func lossesAreKnownFromReceipts(_ isSummarised: Bool) throws {
    let fleet = try Fleet()
    try fleet.publish([
      Publication(
        app: "com.example.demo", release: ReleaseLabel(rawValue: "2.0.0"), channel: "production",
        publishedAt: instant("2024-03-04T08:30:00Z"))
    ])
    func told(_ lines: String...) throws -> (way: Mechanisms.Interference, all: Rate, own: Rate) {
      try fleet.load(lines.joined(separator: "\n"))
      if isSummarised { try Summary.refresh(path: fleet.path) }
      let chosen = try fleet.chosen("2.0.0", now: now)
      let row = try Mechanisms.answer(Snapshot(path: fleet.path), chosen).data.first
      return (
        way: try #require(row?.figures.ways.last?.interference),
        all: try #require(try fleet.pushes(now).data.first?.lost),
        own: try #require(try fleet.pushes(now) { $0.release = ReleaseLabel(rawValue: "2.0.0") }.data.first?.lost)
      )
    }
    let unknown = try told(
      line("a", "pushSent", at: 0, "\"push\":\"x\",\"release\":\"2.0.0\""),
      line("a", "check", at: 60, "\"trigger\":\"foreground\",\"release\":\"1.0.0\""))
    #expect(unknown.way.share == nil && unknown.way.reason == "noReceipts")
    for lost in [unknown.all, unknown.own] {
      #expect(lost.of == 0 && lost.share.value == nil && lost.share.reason == .noReceipts)
    }
    let known = try told(
      line("a", "wakeStarted", at: 70, "\"trigger\":\"silentPush\",\"push\":\"y\",\"release\":\"1.0.0\""))
    #expect(known.way.share?.value == 1 && known.way.reason == nil)
    for lost in [known.all, known.own] { #expect((lost.count, lost.of) == (1, 1)) }
  }

  /// Of clients that report arrivals, and many that do not, the pushes to these count as lost: that is said.
  @Test(arguments: [false, true]) func someClientsReportNoArrival(_ isSummarised: Bool) throws {
    let fleet = try Fleet()
    let about = "\"release\":\"2.0.0\""
    func pushed(_ device: String) -> [String] {
      [
        line(device, "pushSent", at: 0, "\"push\":\"x\"," + about),
        line(device, "ready", at: 2, "\"trigger\":\"silentPush\"," + about), line(device, "check", at: 60),
      ]
    }
    let told = pushed("b") + [line("b", "wakeStarted", at: 1, Self.push)]
    try fleet.load(((0..<50).flatMap { pushed("a\($0)") } + told).joined(separator: "\n"))
    if isSummarised { try Summary.refresh(path: fleet.path) }
    let answer = try fleet.pushes(now)
    let row = try #require(answer.data.first)
    #expect((row.lost.count, row.lost.of) == (50, 51))
    let warning = try #require(answer.warnings.first { $0.code == "receipts_partly" })
    #expect(warning.message.hasPrefix("of 51 devices that silent pushes brought a release, 50 report no arrival"))
  }

  /// Pushes that name no channel count to production, wherever their device is.
  @Test func pushesThatNameAnotherChannelAreNamed() throws {
    let fleet = try Fleet()
    try fleet.load(
      [
        line("a", "check", at: 0, "\"channel\":\"beta\""), line("a", "pushSent", at: 5, "\"push\":\"x\""),
        line("a", "check", at: 60, "\"channel\":\"beta\""), line("b", "check", at: 0, "\"channel\":\"alpha\""),
      ].joined(separator: "\n"))
    let beta = try fleet.pushes(now) { $0.channels = ["beta"] }
    #expect(beta.warnings.map(\.code) == ["no_pushes"])
    #expect(
      beta.warnings.first?.message
        == "the push server reported no push for beta, and named another channel in pushes to 1 device of it: a push that"
        + " names none counts to production; send channel with pushSent")
    let alpha = try fleet.pushes(now) { $0.channels = ["alpha"] }
    #expect(alpha.warnings.first?.message.contains("another channel") == false)
    #expect(try fleet.pushes(now) { $0.channels = ["production"] }.data.first?.sent == 1)
  }

  @Test func noPushesIsNoRate() throws {
    let fleet = try Fleet()
    try fleet.load(line("a", "check", at: 0))
    let answer = try fleet.pushes(now)
    #expect(answer.warnings.map(\.code) == ["no_pushes"])
    let period = try fleet.pushes(now) {
      ($0.since, $0.until) = (instant("2024-03-01T00:00:00Z"), instant("2024-03-02T00:00:00Z"))
    }
    #expect(
      period.warnings.first?.message
        == "the push server reported no push from 2024-03-01 00:00 UTC to 2024-03-02 00:00 UTC; ask about another time, or"
        + " send pushSent events to measure them")
    #expect(answer.data.first?.delivered.share.value == nil)
    #expect(answer.data.first?.latency.quantiles.allSatisfy { $0.seconds.value == nil } == true)
    #expect(throws: QuestionError.nothingStored) { try Fleet().pushes(now) }
    #expect(throws: QuestionError.self) { try fleet.pushes(now, { $0.release = ReleaseLabel(rawValue: "9.9.9") }) }
    #expect(throws: QuestionError.self) { try fleet.pushes(now, { $0.platforms = ["symbian"] }) }
  }

  @Test func onePushThatIsTooYoung() throws {
    let fleet = try Fleet()
    try fleet.load(line("a", "pushSent", at: 0, "\"push\":\"x\""))
    let answer = try fleet.pushes(instant("2024-03-05T07:59:59Z"))
    #expect(answer.data.first?.states["pending"] == 1)
    #expect(answer.data.first?.mature == 0)
    #expect(answer.warnings.map(\.code) == ["nothing_mature"])
    #expect(try fleet.pushes(instant("2024-03-05T08:00:00Z")).data.first?.states["unreached"] == 1)
  }

  /// However old: none of them could arrive.
  @Test func allRefused() throws {
    let fleet = try Fleet()
    try fleet.load(line("a", "pushSent", at: 0, "\"push\":\"x\",\"outcome\":\"rejected\""))
    let answer = try fleet.pushes(instant("2024-03-06T08:00:00Z"))
    #expect(answer.warnings.map(\.code) == ["all_refused"])
    #expect(
      answer.warnings.first?.message.hasPrefix("no push was accepted: the gateway refused 1 of 1") == true)
  }

  @Test func creditGoesToThePushThatDownloaded() throws {
    let fleet = try Fleet()
    let about = "\"release\":\"2.0.0\""
    try fleet.load(
      [
        line("a", "pushSent", at: 0, "\"push\":\"1\"," + about),
        line("a", "pushSent", at: 120, "\"push\":\"2\"," + about),
        line("a", "wakeStarted", at: 1, "\"trigger\":\"silentPush\",\"push\":\"1\""),
        line("a", "wakeStarted", at: 121, "\"trigger\":\"silentPush\",\"push\":\"2\""),
        line("a", "downloadStarted", at: 121.1, "\"trigger\":\"silentPush\"," + about),
        line("a", "ready", at: 121.4, "\"trigger\":\"silentPush\"," + about),
        line("a", "applied", at: 180, "\"trigger\":\"foreground\"," + about),
        // Downloaded by a refresh before: the push had no part in it.
        line("b", "pushSent", at: 0, "\"push\":\"1\"," + about),
        line("b", "downloadStarted", at: -5, "\"trigger\":\"bgRefresh\"," + about),
        line("b", "wakeStarted", at: 1, "\"trigger\":\"silentPush\",\"push\":\"1\""),
        line("b", "ready", at: 1.4, "\"trigger\":\"silentPush\"," + about),
        line("b", "applied", at: 90, "\"trigger\":\"foreground\"," + about),
      ].joined(separator: "\n"))
    let row = try #require(try fleet.pushes(now).data.first)
    #expect((row.credited.count, row.credited.of) == (1, 3))
    #expect(row.sentToApplied.curve.map(\.seconds) == [3600] as [Int64])
  }

  /// One names the release, and led to it; of one that names none nobody knows.
  @Test func aPushWithoutReleaseIsInNoShareOfUpdates() throws {
    let fleet = try Fleet()
    let about = "\"release\":\"2.0.0\""
    func pushed(_ device: String, _ rest: String) -> [String] {
      [
        line(device, "pushSent", at: 0, "\"push\":\"1\"" + rest),
        line(device, "wakeStarted", at: 1, "\"trigger\":\"silentPush\",\"push\":\"1\""),
        line(device, "ready", at: 1.4, "\"trigger\":\"silentPush\"," + about),
        line(device, "applied", at: 60, "\"trigger\":\"foreground\"," + about),
      ]
    }
    try fleet.load((pushed("a", "," + about) + pushed("b", "") + pushed("c", "")).joined(separator: "\n"))
    let answer = try fleet.pushes(now)
    let row = try #require(answer.data.first)
    #expect((row.mature, row.credited.count, row.credited.of, row.delivered.of) == (3, 1, 1, 3))
    #expect((row.sentToApplied.events, row.sentToApplied.censored) == (1, 0))
    let warning = try #require(answer.warnings.first { $0.code == "pushes_without_release" })
    #expect(warning.message.hasPrefix("2 of 3 mature pushes name no release"))
  }
}
