import Console
import Lifecycle
import Query
import Statistics
import Testing

@testable import Answers

/// What `--require` reads, and the sentence that comes of it.
struct GateTextTests {
  private static let subjects = [
    GateSubject("adoption", hasAge: true, hasAlways: true), GateSubject("rate"),
    GateSubject("decision", words: ["stop", "goOn"]),
  ]

  static let readings: [(String, String, Int64?, Gate.Part, Gate.Comparison, Double)] = [
    ("adoption@24h.lo>=0.40", "adoption", 24, .lo, .atLeast, 0.4),
    ("adoption@7d > 50%", "adoption", 168, .value, .above, 0.5),
    ("adoption@24h.always.lo>=0.4", "adoption", 24, .alwaysLo, .atLeast, 0.4),
    ("adoption@1d12h.hi<1", "adoption", 36, .hi, .below, 1),
    ("rate.hi<=2pp", "rate", nil, .hi, .atMost, 0.02), ("rate<=1e-2", "rate", nil, .value, .atMost, 0.01),
  ]

  @Test(arguments: readings)
  func reads(
    _ text: String, _ subject: String, _ hours: Int64?, _ part: Gate.Part, _ comparison: Gate.Comparison,
    _ bound: Double
  ) throws {
    let gate = Gate(
      text: text, subject: subject, age: hours.map(Milliseconds.hours),
      claim: .number(part, comparison, bound: bound))
    #expect(try Gate(text, subjects: Self.subjects) == gate)
  }

  @Test func readsWords() throws {
    let isNot = Gate(text: "decision != stop", subject: "decision", age: nil, claim: .word("stop", isNegated: true))
    #expect(try Gate("decision != stop", subjects: Self.subjects) == isNot)
    #expect(try Gate("decision==goOn", subjects: Self.subjects).claim == .word("goOn", isNegated: false))
  }

  static let refusals = [
    ("decision!=stopped", "behind != there is none of stop, goOn"),
    ("decision>=0.4", "decision is a word: one of stop, goOn"),
    ("rate==0.4", "rate is a share: compare it with >=, <=, > or <"),
    ("rate.always.hi<=0.4", "rate has no limits for many looks"),
    ("adoption@24h.lo", "there is no comparison in it"), ("", "there is no comparison in it"),
    ("adopted@24h>=0.4", "\"adopted@24h\" is not something to require"),
    ("adoption>=0.4", "\"adoption\" is not something to require"),
    ("rate@1h<=0.1", "\"rate@1h\" is not something to require"),
    ("adoption@soon>=0.4", "\"soon\" is not an age"), ("adoption@24h.mean>=0.4", "\"24h.mean\" is not an age"),
    ("rate<=much", "behind <= there is no share"), ("rate<=nan", "behind <= there is no share"),
    ("rate.hi=<0.1", "=< is written <="), ("adoption@24h.lo=>0.4", "=> is written >="),
    (">=", "behind >= there is no share"),
    ("rate.hi<=10", "10 is more than the whole, so that it always holds: for per cent write 10%"),
    ("rate.hi<=150%", "150% is more than the whole, so that it always holds"),
    ("adoption@24h.lo>=40", "40 is more than the whole, so that it never holds: for per cent write 40%"),
    ("rate>150%", "150% is more than the whole, so that it never holds"),
    ("rate<-2", "-2 is more than the whole, so that it never holds: for per cent write -2%"),
  ]

  @Test(arguments: refusals) func refuses(_ text: String, _ why: String) {
    let failure = #expect(throws: Failure.self) { try Gate(text, subjects: Self.subjects) }
    #expect(failure?.why == why && failure?.exit == .usage && failure?.place == "--require")
    #expect(
      failure?.hints.first?.hasPrefix("write it as adoption@24h.lo>=0.40 or rate.lo>=0.40 or decision!=stop; ")
        == true)
  }

  @Test func saysWhatBecameOfIt() throws {
    let share = Proportion(4, of: 10).wilson(level: 0.95)
    let gate = try Gate("adoption@24h.lo>=0.1", subjects: Self.subjects)
    let met = GateVerdict(gate, .estimate(share), of: "")
    #expect(met.exit == .done)
    #expect(met.sentence == "gate met (adoption@24h.lo>=0.1): adoption at 24h is 40.0% (16.8–68.7)")
    let strict = try Gate("rate<0.1", subjects: Self.subjects)
    let not = GateVerdict(strict, .estimate(share), of: "beta, ios")
    #expect(not.exit == .gateNotMet)
    #expect(not.sentence == "gate NOT met (rate<0.1) for beta, ios: rate is 40.0% (16.8–68.7)")
    let open = GateVerdict(strict, .estimate(Proportion(0, of: 0).wilson(level: 0.95)), of: "")
    #expect(open.exit == .notEnoughData)
    #expect(open.sentence == "gate cannot be judged (rate<0.1): no device was at risk")
    let unclear = GateVerdict(try Gate("rate.hi<0.2", subjects: Self.subjects), .estimate(share), of: "")
    #expect(unclear.exit == .notEnoughData)
    #expect(
      unclear.sentence == "gate cannot be judged (rate.hi<0.2): rate is 40.0% (16.8–68.7), which leaves it open")
    #expect(GateVerdict(strict, nil, of: "").sentence == "gate cannot be judged (rate<0.1): there is no such number")
  }

  @Test(arguments: [
    ([], ExitCode.done), ([GateOutcome.met], .done), ([.met, .cannotBeJudged(nil)], .notEnoughData),
    ([.cannotBeJudged(nil), .notMet, .met], .gateNotMet),
  ]) func theWorstOfSeveralCounts(_ outcomes: [GateOutcome], _ exit: ExitCode) {
    #expect(outcomes.map { GateVerdict($0, "") }.exit(otherwise: .done) == exit)
  }
}
