import Foundation
import Ingest
import Lifecycle
import Statistics
import Store
import Testing

@testable import Query

/// Seventeen pushes to fourteen devices, their fates written by hand; `why` in push.expected.json says what each is about.
@Suite struct PushReferenceTests {
  let fleet: Fleet
  let expected: [String: Any]
  let now: Timestamp

  init() throws {
    fleet = try Fleet()
    expected = try json("push.expected.json")
    now = try Timestamp(rfc3339: try #require(expected["now"] as? String))
    // Receipts first: the order in which the two servers report must not matter.
    try fleet.load(try referenceText("push.events.ndjson"), fold: true)
    try fleet.load(try referenceText("push.sent.ndjson"), fold: false)
  }

  private func answer(_ change: (inout Push.Options) -> Void = { _ in }) throws -> Query.Answer<Push> {
    let snapshot = try Snapshot(path: fleet.path)
    var options = Push.Options()
    change(&options)
    return try Push.answer(snapshot, try FleetScope(snapshot.vocabulary, app: nil, now: now), options)
  }

  @Test func everyPushHasItsStateAndLatency() throws {
    let ids = expected.object("states")
    let keys = try EventLog(path: fleet.path).identityKeys
    let names = Dictionary(
      uniqueKeysWithValues: ids.keys.map { (keys.push(app: "com.example.demo", id: $0), $0) })
    var found: [String: [String]] = [:]
    for (push, judged) in try fleet.judgedPushes(until: now) {
      let state = push.isRejected ? "rejected" : judged.rawValue
      let end = push.receipt ?? (state == "coalesced" ? push.replacedAt : nil)
      found[names[push.id] ?? "?"] = [state, end.map { "\(($0 - push.sent).rawValue / 1000)" } ?? "-"]
    }
    let wanted = ids.mapValues { row -> [String] in
      let row = row as? [Any] ?? []
      return [row[0] as? String ?? "", (row[1] as? NSNumber).map { "\($0.intValue)" } ?? "-"]
    }
    #expect(found == wanted)
  }

  @Test func countsAndRates() throws {
    let row = try #require(try answer().data.first)
    let counts = expected.object("counts").compactMapValues { ($0 as? NSNumber)?.intValue }
    #expect(row.sent == counts["sent"])
    #expect(row.rejected == counts["rejected"])
    #expect(row.accepted == counts["accepted"])
    #expect(row.mature == counts["mature"])
    for state in PushState.allCases {
      let name: String = state.rawValue
      #expect(row.states[name] == counts[name])
    }
    #expect((row.delivered.count, row.delivered.of) == (7, 15))
    #expect((row.lost.count, row.lost.of) == (3, 11))
    #expect((row.coalesced.count, row.coalesced.of) == (3, 15))
    #expect((row.unreached.count, row.unreached.of) == (1, 15))
    #expect(row.orphans == 1)
    #expect((row.credited.count, row.credited.of) == (1, 15))
    #expect(row.sentToApplied.curve.map(\.seconds) == [300] as [Int64])
    let arrivals: [String: Int] = ["background": 8, "atLaunch": 0, "inUse": 0]
    #expect(row.arrivals == arrivals)
  }

  /// Among accepted pushes in order of time: 16 at risk; ends at 1 s (q), 40, 120, 300, 2 × 600 replaced, 900, 3600
  /// arrived and replaced, 10800, 93600; the others are censored at 2 h (g) and at 70 to 72 h.
  @Test func latencyIsThatOfAcceptedPushes() throws {
    let latency = try #require(try answer().data.first).latency
    #expect(latency.curve.map(\.seconds) == [1, 40, 120, 300, 900, 3600, 10800, 93600])
    #expect(latency.events == 8)
    #expect(latency.censored == 5)
    let steps: [Double] = (1...6).map { Double($0) / 16 }
    for (point, share) in zip(latency.curve, steps) { #expect(isClose(point.share.value, share)) }
    // Before 3 h: S = 7/16 with 6 at risk, since g left at 2 h; before 26 h S = 7/16 · 5/6 with 5.
    let step: Double = 7.0 / 96
    #expect(isClose(latency.curve[6].share.value, 0.375 + step))
    #expect(isClose(latency.curve[7].share.value, 0.375 + 2 * step))
  }

  @Test func clusteredWhereADeviceHasSeveral() throws {
    let row = try #require(try answer().data.first)
    // p05 was refused, p06 is pending, p10 was sent none.
    #expect(row.delivered.devices == 11)
    let devices: [(Double, Double)] =
      [(1, 1), (1, 2), (0, 1), (0, 1), (1, 1), (1, 2), (0, 1), (1, 3), (0, 1), (1, 1), (1, 1)]
    let p: Double = 7.0 / 15
    let squares = devices.map { ($0.0 - p * $0.1) * ($0.0 - p * $0.1) }.reduce(0, +)
    let variance: Double = 11.0 / 10 * squares / 225
    #expect(isClose(row.delivered.designEffect, variance / (p * (1 - p) / 15)))
    #expect(row.delivered.share.method == .clusteredLogit)
  }

  @Test func campaignsAndPlatformsAreRowsOfTheirOwn() throws {
    let byRelease = try answer { $0.by = [.release] }
    #expect(byRelease.data.map(\.group.parts) == [["release": "2.0.0"], ["release": "unknown"]])
    #expect(byRelease.data.map(\.sent) == [17, 0])
    #expect(byRelease.data.map(\.orphans) == [0, 1])
    let byPlatform = try answer { $0.by = [.platform] }
    #expect(byPlatform.data.map(\.group.parts) == [["platform": "ios"], ["platform": "unknown"]])
    #expect(byPlatform.data.map(\.sent) == [14, 3])
  }
}
