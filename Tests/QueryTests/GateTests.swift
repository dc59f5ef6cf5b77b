import Lifecycle
import Statistics
import Store
import Testing

@testable import Query

@Suite struct GateTests {
  static let words = [GateWord("adoption", hasAge: true), GateWord("rate")]

  struct Reading: Sendable {
    var text: String
    var gate: Gate
  }
  static func gate(
    _ text: String, _ name: String, _ hours: Int64?, _ part: Gate.Part, _ comparison: Gate.Comparison, _ bound: Double
  ) -> Reading {
    Reading(
      text: text,
      gate: Gate(
        text: text, name: name, age: hours.map(Milliseconds.hours), part: part, comparison: comparison, bound: bound))
  }
  static let readings = [
    gate("adoption@24h.lo>=0.40", "adoption", 24, .lo, .atLeast, 0.4),
    gate("adoption@7d > 50%", "adoption", 168, .value, .more, 0.5),
    gate("adoption@1d12h.hi<1", "adoption", 36, .hi, .less, 1),
    gate("rate.hi<=2pp", "rate", nil, .hi, .atMost, 0.02),
    gate("rate<=1e-2", "rate", nil, .value, .atMost, 0.01),
  ]

  @Test(arguments: readings) func reads(_ row: Reading) throws {
    #expect(try Gate(row.text, words: Self.words) == row.gate)
  }

  static let refusals = [
    ("adoption@24h.lo", "\"adoption@24h.lo\" compares nothing", "use one of >= <= > <, as in adoption@24h.lo>=0.4"),
    (
      "adopted@24h>=0.4", "\"adopted\" is nothing that this question can be held to", "known: adoption@AGE, rate"
    ),
    ("adoption>=0.4", "\"adoption\" needs an age", "write adoption@24h"),
    ("rate@1h<=0.1", "\"rate\" has no age", "write rate"),
    ("adoption@soon>=0.4", "\"soon\" is not an age", "accepted forms: 90m, 24h, 7d, 1d12h"),
    ("adoption@0h>=0.4", "\"0h\" is not an age", "accepted forms: 90m, 24h, 7d, 1d12h"),
    ("rate.low<=0.1", "\"low\" is no part of an estimate", "known: value, lo, hi"),
    ("rate<=much", "\"much\" is not a share", "accepted forms: 0.4, 40%, 2pp"),
    ("rate<=nan", "\"nan\" is not a share", "accepted forms: 0.4, 40%, 2pp"),
    ("", "\"\" compares nothing", "use one of >= <= > <, as in adoption@24h.lo>=0.4"),
  ]

  @Test(arguments: refusals) func refuses(_ text: String, _ message: String, _ hint: String) {
    #expect(throws: GateProblem(message: message, hint: hint)) { try Gate(text, words: Self.words) }
  }

  /// Ten phones, four of which update within a day: F(24 h) = 0.4, all on one channel.
  private func adoption(minCell: Int = 0) throws -> Query.Answer<Counted<Adoption>> {
    let scenario = try Scenario(
      """
      publish 2.0.0 at 0h
      now 3d
      devices slow 6
        -1h  check 1.0.0 foreground
      devices fast 4
        -1h  check 1.0.0 foreground
        1h every 1h  applied 2.0.0 silentPush
      """, file: "gates")
    let fleet = try scenario.fleet()
    let chosen = try fleet.chosen("2.0.0", now: scenario.epoch + .days(3)) { $0.minCell = minCell }
    return try Adoption.answer(try Snapshot(path: fleet.path), chosen)
  }

  static let outcomes: [(String, GateReport.Outcome)] = [
    ("adoption@24h>=0.4", .met), ("adoption@24h>0.4", .notMet), ("adoption@24h.lo>=0.4", .notMet),
    ("adoption@24h.hi<=0.9", .met), ("adoption@168h>=0.1", .cannotBeSaid), ("adoption@5h>=0.1", .cannotBeSaid),
    ("difference@24h>=0", .cannotBeSaid), ("adoption@1h.lo>=0", .met),
  ]

  @Test(arguments: outcomes) func judges(_ text: String, _ outcome: GateReport.Outcome) throws {
    let gate = try Gate(text, words: Counted<Adoption>.gateWords)
    #expect(try adoption().check([gate]).outcome == outcome)
  }

  @Test func theWorstOfSeveralCounts() throws {
    let texts = ["adoption@24h>=0.4", "adoption@168h>=0.1"]
    let gates = try texts.map { try Gate($0, words: Counted<Adoption>.gateWords) }
    #expect(try adoption().check(gates).outcome == .cannotBeSaid)
    #expect(try adoption().check([]).outcome == .cannotBeSaid)
    let worst = try Gate("adoption@24h>=0.9", words: Counted<Adoption>.gateWords)
    #expect(try adoption().check(gates + [worst]).outcome == .notMet)
  }

  @Test func whatIsWithheldCannotBeJudged() throws {
    let gate = try Gate("adoption@24h>=0.4", words: Counted<Adoption>.gateWords)
    let report = try adoption(minCell: 11).check([gate])
    #expect(report.outcome == .cannotBeSaid)
    #expect(report.findings.map(\.reason) == ["fewerThanMinCell"])
  }
}
