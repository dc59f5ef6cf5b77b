import Testing

/// Conditions that a pipeline sets: met, not met (3), cannot be said (4), each with one sentence that says so.
struct QuestionsGateTests {
  static let gates: [(words: [String], status: Int32, sentence: String)] = [
    (
      ["adoption", "2.0.0", "--require", "adoption@24h.lo>=0.01"], 0,
      "gate met (adoption@24h.lo>=0.01): adoption at 24h is"
    ),
    (
      ["adoption", "2.0.0", "--require", "adoption@24h.lo>=40%"], 3,
      "gate NOT met (adoption@24h.lo>=40%): adoption at 24h"
    ),
    (
      ["adoption", "2.0.0", "--require", "adoption@900d>=0.40"], 4,
      "gate cannot be judged (adoption@900d>=0.40): later than the data reach"
    ),
    (
      ["adoption", "2.0.0", "--require", "difference@24h>=-2pp"], 4,
      "gate cannot be judged (difference@24h>=-2pp): there is no such number"
    ),
    (["adoption", "2.0.0", "--require", "adoption@24h>0", "--require", "adoption@24h<0.001"], 3, "gate NOT met"),
    (["adoption", "2.0.0", "--by", "channel", "--require", "adoption@24h>0"], 0, "for production: adoption at 24h is"),
    (
      ["adoption", "2.0.0", "--min-cell", "9999", "--require", "adoption@24h>0"], 4,
      "gate cannot be judged (adoption@24h>0): fewer devices than --min-cell"
    ),
    (
      ["adoption", "2.0.0", "--by", "channel", "--min-cell", "100", "--require", "adoption@24h>0"], 4,
      "gate cannot be judged (adoption@24h>0) for beta: fewer devices than --min-cell"
    ),
    (["failures", "2.0.0", "--require", "rate.hi<=0.5"], 0, "gate met (rate.hi<=0.5): rate is 0.0%"),
    (
      ["failures", "2.0.0", "--require", "rate.hi<=0.000001"], 4,
      "gate cannot be judged (rate.hi<=0.000001): rate is 0.0%"
    ),
    (["failures", "2.0.0", "--require", "rate.always.hi<=0.5"], 0, "gate met (rate.always.hi<=0.5): rate is 0.0%"),
    (
      ["failures", "2.0.0", "--limit", "50%", "--require", "decision!=stop"], 0,
      "gate met (decision!=stop): decision is widen"
    ),
    (["failures", "2.0.0", "--require", "decision!=stop"], 4, "gate cannot be judged (decision!=stop)"),
    (["reach", "2.0.0", "--require", "reach.lo>=0.01"], 0, "gate met (reach.lo>=0.01): reach is "),
    (["reach", "2.0.0", "--require", "orNewer<=0"], 3, "gate NOT met (orNewer<=0): orNewer is "),
    (
      ["reach", "2.0.0", "--min-cell", "9999", "--require", "reachOfEligible>=0"], 4,
      "gate cannot be judged (reachOfEligible>=0): fewer devices than --min-cell"
    ),
    (["mechanisms", "2.0.0", "--require", "waiting@30h>0"], 0, "gate met (waiting@30h>0): waiting at 30h is "),
    (
      ["mechanisms", "2.0.0", "--by", "channel", "--require", "silentPush@24h.lo>=1"], 3,
      "gate NOT met (silentPush@24h.lo>=1) for beta: silentPush at 24h is "
    ),
    (
      ["mechanisms", "2.0.0", "--require", "newerRelease@24h<1"], 4,
      "gate cannot be judged (newerRelease@24h<1): there is no such number"
    ),
    (["push", "--require", "lost<0.1"], 4, "gate cannot be judged (lost<0.1): "),
    (["failures", "1.0.0", "--require", "rate.hi<=0.02"], 4, "gate cannot be judged (rate.hi<=0.02)"),
  ]

  /// 4.4.0 came behind 4.3.1 with few devices: what the interval leaves open is not judged.
  @Test(arguments: [
    ("100pp", 0, "gate met: drop ≤ 100 pp; 4.4.0"), ("-99pp", 3, "gate NOT met: drop ≤ -99 pp; 4.4.0"),
  ]) func judgesAComparison(_ most: String, _ status: Int32, _ sentence: String) throws {
    let fleet = try QuestionsFleet.simulated.get()
    let words = ["compare", "4.4.0", "4.3.1", "--at", "24h", "--max-drop=\(most)"]
    let result = try fleet.ask(words + ["--json"])
    #expect(result.status == status && result.errors.contains(sentence), "\(result.errors)")
    let open = try fleet.ask("compare", "4.4.0", "4.3.1", "--at", "900d", "--max-drop", "2pp")
    #expect(open.status == 4 && open.errors.contains("have not both lived to an age of 900d"), "\(open.errors)")
  }

  /// An age that is named is asked for; those that nobody named are looked at as far as both have lived.
  @Test func judgesEveryAgeThatIsNamed() throws {
    let fleet = try QuestionsFleet.simulated.get()
    let words = ["compare", "4.4.0", "4.3.1", "--max-drop=100pp", "--json"]
    #expect(try fleet.ask(words + ["--at", "24h"]).status == 0)
    let named = try fleet.ask(words + ["--at", "24h,900d"])
    #expect(named.status == 4 && named.errors.contains("gate met"), "\(named.errors)")
    #expect(named.errors.contains("the two releases have not both lived to an age of 900d"), "\(named.errors)")
    let few = try fleet.ask(words + ["--min-cell", "999999"])
    #expect(few.status == 4 && few.errors.contains("fewer devices than --min-cell"), "\(few.errors)")
    #expect(!few.errors.contains("lived to an age"), "\(few.errors)")
  }

  @Test(arguments: [
    ("delivered.lo>=0.01", 0, "gate met (delivered.lo>=0.01): delivered is "),
    ("credited>=1", 3, "gate NOT met (credited>=1): credited is "),
  ]) func judgesPushes(_ condition: String, _ status: Int32, _ sentence: String) throws {
    let result = try QuestionsFleet.simulated.get().ask("push", "--json", "--require", condition)
    #expect(result.status == status && result.errors.contains(sentence), "\(result.errors)")
  }

  @Test(arguments: gates) func judges(_ words: [String], _ status: Int32, _ sentence: String) throws {
    let fleet = try QuestionsFleet.lung.get()
    let table = try fleet.ask(words + ["--format", "table"])
    #expect(table.status == status)
    let flat = table.output.replacing("\n", with: " ")
    #expect(flat.contains(sentence), "\(table.output)")
    let json = try fleet.ask(words + ["--json"])
    #expect(json.status == status && json.output.hasPrefix("{") && json.errors.contains(sentence))
    #expect(try fleet.ask(words + ["--json", "--quiet"]).errors == "")
  }

  /// How conditions are read is `GateTextTests`' to say.
  @Test func refusesWhatIsNoCondition() throws {
    let result = try QuestionsFleet.lung.get().ask("adoption", "2.0.0", "--require", "reach@24h>=0.4")
    #expect(result.status == 2 && result.output == "" && result.errors.contains("is not something to require"))
    #expect(result.errors.contains("adoption@24h.lo>=0.40"), "\(result.errors)")
  }
}
