import Foundation
import Testing

/// The forms of answers and the page about the command line are what the program says of itself.
struct QuestionsSchemaTests {
  private static let questions = Set(questionLines.map { $0[0] }).sorted()

  @Test func everyAnswerHasTheFormItsSchemaPromises() throws {
    for (fleet, lines) in [
      (try QuestionsFleet.simulated.get(), questionLines),
      (try QuestionsFleet.lung.get(), Self.lungLines),
    ] {
      for words in lines {
        let schema = try JSONSchema(Binary.run("schema", words[0]).output)
        let result = try fleet.ask(words + ["--format", "json"])
        let answer = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
        #expect(schema.faults(answer).prefix(5) == [], "\(words)")
      }
    }
  }

  /// Other corners: nobody at risk, withheld groups, pushes that were never sent.
  private static let lungLines =
    questionLines.filter { $0.count == 1 }.map { $0 } + [
      ["time-to-update", "2.0.0", "--estimand", "as-happened"], ["time-to-update", "2.0.0", "--by", "platform"],
      ["time-to-update", "2.0.0", "--min-cell", "1000"], ["time-to-update", "1.0.0"],
      ["adoption", "2.0.0", "--at", "1h,1000d"], ["adoption", "2.0.0", "--by", "channel"],
      ["adoption", "1.0.0", "--baseline", "none"], ["adoption", "2.0.0", "--min-cell", "1000"], ["reach", "2.0.0"],
      ["reach", "1.0.0", "--min-cell", "1000"], ["compare", "2.0.0", "1.0.0"], ["releases", "--min-cell", "1000"],
      ["mechanisms", "2.0.0"], ["mechanisms", "1.0.0"], ["mechanisms", "2.0.0", "--estimand", "as-happened"],
      ["failures", "2.0.0"], ["failures", "1.0.0"], ["forecast", "2.0.0"],
      ["funnel", "2.0.0"],
      ["funnel", "1.0.0"], ["breadcrumbs", "lung-003"], ["push", "2.0.0"], ["channels"],
      ["funnel", "2.0.0", "--min-cell", "1000"], ["push", "--min-cell", "1000"], ["wakeups", "--min-cell", "1000"],
      ["channels", "--min-cell", "1000"], ["verdict", "2.0.0"], ["verdict", "--min-cell", "1000"],
    ]

  @Test func theValidatorSeesFaults() throws {
    let schema = try JSONSchema(Binary.run("schema", "push").output)
    let answer = try QuestionsFleet.simulated.get().json("push")
    func faults(_ change: (inout [String: Any]) -> Void) -> [String] {
      var copy = answer
      change(&copy)
      return schema.faults(copy)
    }
    #expect(faults { _ in } == [])
    #expect(faults { $0["data"] = nil } == ["$: data is missing"])
    #expect(faults { $0["more"] = 1 } == ["$: more is unexpected"])
    #expect(faults { $0["schema"] = "uptake.push/2" } == ["$.schema: uptake.push/2 is not permitted"])
    #expect(faults { $0["generatedAt"] = "yesterday" } == ["$.generatedAt: yesterday is no instant"])
    #expect(faults { $0["warnings"] = [["code": 1.5]] }.contains("$.warnings[0].code: 1.5 is not string"))
  }

  @Test(arguments: questions) func schemaInTheRepository(_ question: String) throws {
    try expectRecorded(Binary.run("schema", question).output, "docs/schema/\(question).json")
  }

  @Test func schemasInTheRepositoryAreAll() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: repository.appending(path: "docs/schema").path)
    #expect(files.sorted() == Self.questions.map { $0 + ".json" })
  }

  @Test func pageAboutTheCommandLine() throws { try expectRecorded(Binary.run("__reference").output, "docs/cli.md") }

  @Test func pageAboutSettings() throws { try expectRecorded(Binary.run("__settings").output, "docs/configuration.md") }
}

/// The file says what the program prints. `RECORD=1` writes it anew and fails once, so that nothing passes unseen.
func expectRecorded(_ text: String, _ path: String) throws {
  let file = repository.appending(path: path)
  let recorded = try? String(contentsOf: file, encoding: .utf8)
  guard recorded != text else { return }
  if ProcessInfo.processInfo.environment["RECORD"] == "1" {
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }
  Issue.record("\(path) is not what the program says; RECORD=1 writes it anew")
}
