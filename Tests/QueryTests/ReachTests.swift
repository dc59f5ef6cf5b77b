import Foundation
import Lifecycle
import Statistics
import Store
import Testing

@testable import Query

/// What devices run at the cutoff of the hand-made edge cases, as edge.expected.json has it.
@Suite struct ReachTests {
  struct Counts: Decodable {
    var reachable: Int
    var exactly: Int
    var orNewer: Int?
    var older: Int?
    enum CodingKeys: String, CodingKey {
      case reachable, older = "on_older", exactly = "on_2.0.0", orNewer = "on_2.0.0_or_newer"
    }
  }
  struct Expected: Decodable {
    struct Channels: Decodable {
      var production: Counts
      var beta: Counts
    }
    var reach_at_cutoff: Channels
  }

  @Test func edgeCasesAtTheCutOff() throws {
    let expected = try JSONDecoder().decode(Expected.self, from: reference("edge.expected.json")).reach_at_cutoff
    let releases = try ReferenceReleases("edge.releases.json")
    let fleet = try Fleet()
    try fleet.publish(releases.publications)
    try fleet.load(try referenceText("edge.events.ndjson"))
    let chosen = try fleet.chosen("2.0.0", now: try Timestamp(rfc3339: releases.cutoff)) { $0.by = [.channel] }
    let answer = try Reach.answer(try Snapshot(path: fleet.path), chosen)
    #expect(answer.data.map(\.group.channel) == ["beta", "production"])
    for (row, expected) in zip(answer.data, [expected.beta, expected.production]) {
      let month = row.windows[0]
      #expect((month.reachable, month.exactly.devices) == (expected.reachable, expected.exactly))
      if let orNewer = expected.orNewer { #expect(month.orNewer.devices == orNewer) }
      if let older = expected.older { #expect(month.older.devices == older) }
      let (exactly, orNewer) = (try #require(month.exactly.devices), try #require(month.orNewer.devices))
      #expect(exactly <= orNewer)
      #expect(try orNewer + #require(month.older.devices) + #require(month.unknown.devices) == month.reachable)
      #expect(row.running.reduce(0) { $0 + $1.devices } == month.reachable)
    }
  }

  /// Who asks a minute later is told of the same instants, but for the last.
  @Test func historyIsToldAtRoundInstants() throws {
    let fleet = try staged()
    func instants(_ later: Milliseconds) throws -> [Timestamp] {
      try Reach.answer(Snapshot(path: fleet.path), fleet.chosen("2.0.0", now: Self.at + .days(9) + later)).data[0]
        .series
        .map(\.at)
    }
    let (now, later) = (try instants(.minutes(0)), try instants(.minutes(1)))
    #expect(now.dropLast() == later.dropLast() && now.last != later.last)
    let turns = [Self.at, Self.step - .seconds(1), Self.step, Self.at + .days(9)]
    #expect(Set(turns).isSubset(of: now))
    let round = now.filter { !turns.contains($0) }
    #expect(round.count == 18 && round.allSatisfy { $0.rawValue % Milliseconds.hours(12).rawValue == 0 })
  }

  /// Not the reach of up to half a day before it.
  @Test func aStepEndsTheSecondBeforeTheNext() throws {
    let fleet = try staged()
    let answer = try Reach.answer(
      Snapshot(path: fleet.path), fleet.chosen("2.0.0", now: Self.at + .days(9)))
    let point = try #require(answer.data[0].series.last { $0.rolloutPercent == 10 })
    #expect(point.at == Self.step - .seconds(1) && point.exactly.devices == 1)
  }

  /// Who runs a release that three devices run is told nowhere in the answer: not beside `running`, which leaves it out.
  @Test func whoAreFewIsToldNowhere() throws {
    let fleet = try Fleet()
    func check(_ device: Int, _ release: String, _ at: Timestamp) -> String {
      #"{"device":"d\#(device)","stage":"check","release":"\#(release)","at":\#(at.rawValue),"platform":"ios"}"#
    }
    try fleet.publish([
      Publication(
        app: "com.example.demo", release: ReleaseLabel(rawValue: "2.0.0"), channel: "production", publishedAt: Self.at)
    ])
    let before = (0..<20).map { check($0, "1.0.0", Self.at - .days($0 < 2 ? 12 : 1)) }
    let after = (0..<20).filter { $0 >= 17 }.map { check($0, "2.0.0", Self.at + .hours(1)) }
    try fleet.load((before + after).joined(separator: "\n") + "\n")
    let snapshot = try Snapshot(path: fleet.path)
    var chosen = try fleet.chosen("2.0.0", now: Self.at + .hours(24))
    chosen.selection.minCell = 5
    let row = try #require(Reach.answer(snapshot, chosen).data.first)
    let window = try #require(row.windows.first)
    #expect(window.reachable == 20 && window.exactly.devices == nil && window.exactly.of == 20)
    #expect(window.exactly.share.value == nil && window.exactly.share.reason == .fewerThanMinCell)
    #expect(window.orNewer.devices == nil && window.older.devices == 17 && window.unknown.devices == 0)
    #expect(window.eligible.exactly.devices == nil && window.eligible.exactly.of == 20)
    #expect(row.runningWithheld == 1 && row.running.map(\.devices) == [17])
    // Three were in contact within the last day.
    #expect(row.windows.map(\.seconds) == [28 * 86_400, 7 * 86_400])
    #expect(row.series.allSatisfy { $0.exactly.devices.map { $0 == 0 } ?? true })
    chosen.selection.minCell = 0
    let all = try #require(Reach.answer(snapshot, chosen).data.first)
    #expect(all.windows[0].exactly.devices == 3 && all.windows.count == 3)
  }

  private static let at = Timestamp(rawValue: 1_740_000_000_000)
  private static let step = at + .days(1)

  /// One of two devices has the release a minute before the rollout goes on.
  private func staged() throws -> Fleet {
    let fleet = try Fleet()
    try fleet.publish([
      Publication(
        app: "com.example.demo", release: ReleaseLabel(rawValue: "2.0.0"), channel: "production", publishedAt: Self.at,
        rollout: [RolloutStep(at: Self.at, percent: 10), RolloutStep(at: Self.step, percent: 100)])
    ])
    func check(_ device: String, _ release: String, _ at: Timestamp) -> String {
      #"{"device":"\#(device)","stage":"check","release":"\#(release)","at":\#(at.rawValue),"platform":"ios"}"# + "\n"
    }
    try fleet.load(
      check("one", "1.0.0", Self.at - .days(1)) + check("two", "1.0.0", Self.at - .days(1))
        + check("one", "2.0.0", Self.step - .minutes(1)))
    return fleet
  }
}

@Suite struct ReachGridTests {
  @Test func eachGridLiesOnAllFinerOnes() {
    var steps: [Int64] = []
    for minutes in 1..<60_000 {
      let (span, points) = (Milliseconds.minutes(Int64(minutes)), 24)
      let step = ReachGrid.step(over: span, points: points)
      #expect(step.rawValue * Int64(points) >= span.rawValue)
      if steps.last != step.rawValue { steps.append(step.rawValue) }
    }
    #expect(steps.count == 10 && zip(steps, steps.dropFirst()).allSatisfy { $1 > $0 && $1 % $0 == 0 })
  }

  @Test(arguments: [-3_600_000, -1, 0, 1, 1_740_000_000_000]) func liesBetweenTwoInstants(_ first: Int64) {
    let found = ReachGrid.instants(
      .hours(1), after: Timestamp(rawValue: first), before: Timestamp(rawValue: first + 7_200_000)
    ).map(\.rawValue)
    #expect(found.count == (first % 3_600_000 == 0 ? 1 : 2))
    #expect(found.allSatisfy { $0 > first && $0 < first + 7_200_000 && $0 % 3_600_000 == 0 })
  }
}
