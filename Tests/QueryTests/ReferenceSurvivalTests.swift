import Foundation
import Lifecycle
import Query
import Statistics
import Testing

/// Public survival data as lifecycle events: importing and asking must give what R gives for the table itself.
@Suite struct ReferenceSurvivalTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var events: String
    var expected: String
    var change: @Sendable (inout Selection) -> Void
    var testDescription: String { "\(expected)" }
  }
  static let cases = [
    Case(events: "lung", expected: "lung") { $0.censor = .lastSeen },
    Case(events: "lung", expected: "lung_cutoff") { $0.reachWindow = .hours(2160) },
    Case(events: "lung", expected: "lung_w28") { _ in },
    Case(events: "mid_mix", expected: "mid_mix") {
      $0.censor = .lastSeen
      $0.clock = .releaseAge
      $0.estimand = .asHappened
    },
  ]

  private func answer(_ row: Case, by: [Grouping]) throws -> Query.Answer<TimeToUpdate> {
    let fleet = try Fleet()
    let releases = try ReferenceReleases("\(row.events).events.releases.json")
    try fleet.publish(releases.publications)
    try fleet.load(try referenceText("\(row.events).events.ndjson"))
    let chosen = try fleet.chosen("2.0.0", now: try Timestamp(rfc3339: releases.cutoff)) {
      row.change(&$0)
      $0.by = by
    }
    return try fleet.timeToUpdate(chosen)
  }

  @Test(arguments: cases) func givesTheCurveOfR(_ row: Case) throws {
    for by in [[], [Grouping.channel]] {
      let answer = try answer(row, by: by)
      for data in answer.data {
        let expected = try json("\(row.expected).expected.json").object("km", data.group.channel ?? "all")
        let (times, shares) = (expected.numbers("time"), expected.numbers("surv"))
        let (lower, upper) = (expected.numbers("loglog_lower"), expected.numbers("loglog_upper"))
        let events = expected.numbers("n_event")
        let rows = times.indices.filter { events[$0] != 0 }
        #expect(data.curve.map { Double($0.seconds) / 3600 } == rows.map { times[$0] })
        #expect(data.curve.map { Double($0.atRisk) } == rows.map { expected.numbers("n_risk")[$0] })
        for (point, index) in zip(data.curve, rows) {
          #expect(isClose(point.share.value, shares[index].map { 1 - $0 }))
          #expect(isClose(point.share.lo, upper[index].map { 1 - $0 }))
          #expect(isClose(point.share.hi, lower[index].map { 1 - $0 }))
        }
      }
    }
  }

  @Test func lungHasTheMedianThatEverybodyKnows() throws {
    let all = try #require(try answer(Self.cases[0], by: []).data.first)
    #expect((all.counts.devices, all.counts.events, all.counts.censored) == (228, 165, 63))
    let median = try #require(all.quantiles.first { $0.p == 0.5 }?.seconds)
    let hours = [median.value, median.lo, median.hi].map { $0.map { $0 / 3600 } }
    #expect(hours == [310, 284, 361])
  }

  @Test(arguments: cases) func givesTheSharesOfR(_ row: Case) throws {
    let data = try #require(try answer(row, by: []).data.first)
    let expected = try json("\(row.expected).expected.json").object("aj", "all")
    let times = expected.numbers("time")
    #expect(data.mechanisms.count == expected.object("causes").count)
    for part in data.mechanisms {
      let cause = Trigger(rawValue: part.mechanism)?.cause ?? .newerRelease
      let column = expected.object("causes", "\(cause.rawValue)").numbers("cif")
      for point in part.curve {
        let index = try #require(times.firstIndex { abs(($0 ?? 0) - Double(point.seconds) / 3600) < 1e-9 })
        #expect(isClose(point.share.value, column[index]))
      }
    }
  }
}

/// Within a billionth, or both absent.
func isClose(_ found: Double?, _ expected: Double?, _ tolerance: Double = 1e-9) -> Bool {
  switch (found, expected) {
  case (nil, nil): true
  case (let found?, let expected?): abs(found - expected) <= tolerance * max(1, abs(expected))
  default: false
  }
}
