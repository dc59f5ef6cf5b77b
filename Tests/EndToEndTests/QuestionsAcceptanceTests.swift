import Foundation
import Testing

/// Survival data that everybody knows, through import and the command line: R's numbers come back.
struct QuestionsAcceptanceTests {
  private func hours(_ row: Any?, _ share: Double) -> [Double?] {
    let quantiles = at(row, "quantiles") as? [[String: Any]] ?? []
    let estimate = quantiles.first { $0["p"] as? Double == share }?["seconds"]
    return ["value", "lo", "hi"].map { (at(estimate, $0) as? Double).map { $0 / 3600 } }
  }

  /// R survival: `survfit(Surv(time, status) ~ 1, lung, conf.type = "log-log")`.
  @Test func medianOfLung() throws {
    let answer = try QuestionsFleet.lung.get().json("time-to-update", "2.0.0", "--censor", "last-seen")
    let row = at(answer, "data", 0)
    #expect(hours(row, 0.5) == [310, 284, 361])
    #expect(["devices", "events", "censored"].map { at(row, $0) as? Int } == [228, 165, 63])
  }

  /// What to ask, and whose curve must come out: `reference/*.expected.json` was made by R.
  static let curves: [(options: [String], expected: String)] = [
    (["--censor", "last-seen"], "lung"), (["--reach-window", "2160h"], "lung_cutoff"),
    (["--reach-window", "672h"], "lung_w28"),
  ]

  @Test(arguments: curves) func curveOfR(_ options: [String], _ expected: String) throws {
    for by in [[], ["--by", "channel"]] {
      let result = try QuestionsFleet.lung.get().ask(["time-to-update", "2.0.0", "--json"] + options + by)
      let answer = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
      let rows = try #require(at(answer, "data") as? [[String: Any]])
      #expect(rows.count == (by.isEmpty ? 1 : 2))
      for row in rows { try expectCurve(row, expected) }
    }
  }

  private func expectCurve(_ row: [String: Any], _ name: String) throws {
    let file = try JSONSerialization.jsonObject(
      with: Data(contentsOf: QuestionsFleet.reference(name + ".expected.json")))
    let expected = try #require(at(file, "km", at(row, "group", "channel") as? String ?? "all"))
    func numbers(_ field: String) -> [Double] { (at(expected, field) as? [Any] ?? []).map { $0 as? Double ?? .nan } }
    let (times, events, atRisk) = (numbers("time"), numbers("n_event"), numbers("n_risk"))
    let (survival, lower, upper) = (numbers("surv"), numbers("loglog_lower"), numbers("loglog_upper"))
    let steps = times.indices.filter { events[$0] > 0 }
    let curve = try #require(row["curve"] as? [[String: Any]])
    try #require(curve.count == steps.count)
    for (point, step) in zip(curve, steps) {
      #expect(point["seconds"] as? Double == times[step] * 3600 && point["atRisk"] as? Double == atRisk[step])
      for (field, mirror) in [("value", survival), ("lo", upper), ("hi", lower)] {
        let found = at(point, "share", field) as? Double
        #expect(abs((found ?? .nan) - (1 - mirror[step])) < 1e-9 || found == nil && mirror[step].isNaN)
      }
    }
  }

  @Test func sameBytesForTheSamePresent() throws {
    let fleet = try QuestionsFleet.simulated.get()
    for words in questionLines {
      let isSame = try fleet.ask(words + ["--json"]) == fleet.ask(words + ["--json"])
      #expect(isSame, "\(words)")
    }
  }

  @Test func breadcrumbsFindADeviceByTheIdItsClientKnows() throws {
    let fleet = try QuestionsFleet.lung.get()
    let answer = try fleet.json("breadcrumbs", "lung-001")
    let events = try String(contentsOf: QuestionsFleet.reference("lung.events.ndjson"), encoding: .utf8)
    let own = events.split(separator: "\n").filter { $0.contains("\"device\":\"lung-001\"") }
    let crumbs = try #require(at(answer, "data", 0, "crumbs") as? [[String: Any]])
    #expect(crumbs.count == own.count)
    #expect(!"\(answer)".contains("lung-001"), "the id itself must stay out of the answer")
    let nobody = try fleet.ask("breadcrumbs", "lung-999", "--format", "table")
    #expect(nobody.status == 4 && nobody.output.contains("no event of this device is stored"))
  }
}
