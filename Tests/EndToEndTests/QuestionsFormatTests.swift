import Foundation
import Testing

/// A line for every question, with what a release manager would type.
let questionLines: [[String]] = [
  ["time-to-update", "4.4.0"], ["time-to-update", "4.4.0", "--by", "mechanism"],
  ["time-to-update", "4.4.0", "--by", "channel,platform,appVersion"], ["time-to-update", "4.4.0", "--points", "0"],
  ["adoption", "4.4.0", "--points", "0"],
  ["releases"], ["releases", "--channel", "production"], ["compare", "4.4.0", "4.3.1"],
  ["compare", "4.4.0", "4.3.1", "--by", "platform"], ["mechanisms", "4.4.0"],
  ["mechanisms", "4.4.0", "--by", "platform"],
  ["adoption", "4.4.0"], ["adoption", "4.4.0", "--by", "platform", "--baseline", "4.2.0"], ["reach", "4.4.0"],
  ["reach", "4.4.0", "--by", "channel"], ["failures", "4.4.0"], ["failures", "4.4.0", "--by", "mechanism,platform"],
  ["suspects", "4.3.0"], ["forecast", "4.5.0", "--channel", "production"], ["funnel", "4.4.0"],
  ["funnel", "4.4.0", "--by", "mechanism"],
  ["push"], ["push", "4.4.0", "--by", "platform"],
  ["wakeups"], ["wakeups", "--by", "channel"], ["channels"], ["channels", "--by", "platform"],
  ["breadcrumbs", "nobody"], ["devices", "4.4.0", "--at", "ready", "--older", "48h", "--limit", "3"],
  ["diagnose"], ["diagnose", "4.4.0", "--channel", "production"],
  ["verdict"], ["verdict", "4.4.0", "--channel", "production", "--objective", "90%"],
]

/// What holds for every question, whoever adds one.
struct QuestionsFormatTests {
  /// The questions that completion offers: all of the table.
  private static func questions() throws -> [String] {
    try Binary.run("__complete", "--", "schema", "").output.split(separator: "\n").dropFirst()
      .map { String($0.prefix { $0 != "\t" }) }
  }

  @Test func everyQuestionHasALineHere() throws {
    #expect(Set(questionLines.map { $0[0] }) == Set(try Self.questions()))
  }

  @Test(arguments: ["table", "json", "ndjson", "csv", "tsv", "md", "plot"])
  func everyQuestionInEveryFormat(_ format: String) throws {
    let fleet = try QuestionsFleet.simulated.get()
    for words in questionLines {
      let result = try fleet.ask(words + ["--format", format])
      let expected: Int32 = ["breadcrumbs", "forecast", "verdict"].contains(words[0]) ? 4 : 0
      #expect(result.status == expected, "\(words): \(result.errors)")
      // Nothing to say is no line.
      let isSilent = words.contains("nobody") || ["diagnose", "suspects"].contains(words[0])
      #expect(isSilent && format == "ndjson" || !result.output.isEmpty, "\(words)")
      expectForm(result.output, format, words)
    }
  }

  /// Status is no question, and its document has what theirs have.
  @Test func statusHasTheSameEnvelope() throws {
    let document = try QuestionsFleet.simulated.get().json("status", "--channel", "production")
    let query = document["query"] as? [String: Any]
    #expect(query?["channel"] as? [String] == ["production"] && query?["app"] is NSNull, "\(document)")
    for field in ["schema", "generatedAt", "dataThrough", "warnings", "data"] {
      #expect(document[field] != nil, "\(field)")
    }
  }

  private func expectForm(_ text: String, _ format: String, _ words: [String]) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    switch format {
    case "json": #expect(lines.count == 1, "\(words)")
    case "ndjson":
      #expect(lines.allSatisfy { (try? JSONSerialization.jsonObject(with: Data($0.utf8))) != nil }, "\(words)")
    case "tsv": #expect(Set(lines.map { $0.count { $0 == "\t" } }).count == 1, "\(words)")
    case "csv": #expect(lines.allSatisfy { $0.hasSuffix("\r") }, "\(words)")
    case "md": #expect(lines.contains { $0.hasPrefix("| --- ") || $0.hasPrefix("| ---: ") }, "\(words)")
    // What is there to be pasted is left whole.
    default: #expect(lines.allSatisfy { $0.count <= 200 || $0.hasPrefix("next: ") }, "\(words)")
    }
  }

  /// Every shared option must be read by each command that lists it, and trap nowhere.
  @Test func everyOptionOfStatisticsIsUnderstood() throws {
    let fleet = try QuestionsFleet.simulated.get()
    var seen: Set<String> = []
    for words in questionLines where seen.insert(words[0]).inserted {
      let help = try Binary.run("help", words[0]).output
      for (option, value) in Self.values
      where !words.contains("--" + option) && help.contains("--\(option) ") || help.contains("--\(option)\n") {
        // Steps are whole, the limit of a rate is neither nothing nor everything.
        if option == "limit", (words[0] == "breadcrumbs") != (value == "2") { continue }
        let result = try fleet.ask(words + ["--\(option)"] + (value.isEmpty ? [] : [value]))
        #expect([0, 4].contains(result.status), "\(words) --\(option) \(value): \(result.errors)")
      }
    }
  }

  private static let values = [
    ("estimand", "patched"), ("estimand", "as-happened"), ("clock", "release-age"), ("censor", "last-seen"),
    ("censor", "cut-off"), ("attribution", "applied"), ("reach-window", "7d"), ("ci", "0.9"), ("min-cell", "1000000"),
    ("emulators", ""), ("quantiles", "0.5"), ("horizon", "1h"), ("maturity", "1h"), ("since", "7d"), ("until", "7d"),
    ("channel", "beta"), ("platform", "ios"), ("app", "com.example.shop"), ("at", "1h,1000d"), ("baseline", "none"),
    ("limit", "2"), ("limit", "0.5"), ("alpha", "0.01"), ("attempt-age", "2h"), ("rollback-age", "2h"),
    ("band", "0.9"), ("margin", "2pp"), ("time-margin", "2h"), ("shares", "0.6"),
  ]

  @Test func changesOfRulesChangeAnswers() throws {
    let fleet = try QuestionsFleet.simulated.get()
    let plain = try fleet.ask("time-to-update", "4.4.0", "--json").output
    for options in [
      ["--estimand", "patched"], ["--clock", "release-age"], ["--attribution", "applied"],
      ["--ci", "0.9"], ["--channel", "beta"], ["--platform", "ios"], ["--quantiles", "0.5"], ["--horizon", "1h"],
    ] {
      let changed = try fleet.ask(["time-to-update", "4.4.0", "--json"] + options).output
      let isSame = try data(plain) == data(changed)
      #expect(!isSame, "\(options) changed nothing")
    }
  }

  private func data(_ text: String) throws -> NSArray? {
    at(try JSONSerialization.jsonObject(with: Data(text.utf8)), "data") as? NSArray
  }

  @Test func printsOnlyTheFieldsAskedFor() throws {
    let fleet = try QuestionsFleet.simulated.get()
    let tsv = try fleet.ask("time-to-update", "4.4.0", "--fields", "devices,p0.5", "--format", "tsv")
    #expect(tsv.output.hasPrefix("devices\tp0.5\tp0.5_lo\tp0.5_hi\n"))
    let rows = at(try fleet.json("push", "--fields", "sent"), "data") as? [[String: Any]]
    #expect(rows?.map { Set($0.keys) } == [["sent"]])
    let wrong = try fleet.ask("push", "--fields", "snet", "--json")
    #expect(wrong.status == 2 && wrong.errors.contains("did you mean sent?"))
  }

  /// What is shown of a mechanism is what it has beside the others, whether the answer was split by hand or not.
  @Test(arguments: ["time-to-update", "funnel", "failures"])
  func narrowsToMechanisms(_ question: String) throws {
    let fleet = try QuestionsFleet.simulated.get()
    func lines(_ words: String...) throws -> [Substring] {
      let answer = try fleet.ask([question, "4.4.0"] + words + ["--format", "tsv"])
      #expect(answer.status == 0, "\(answer.errors)")
      return answer.output.split(separator: "\n")
    }
    let all = try lines("--by", "mechanism")
    let few = try lines("--mechanism", "silentPush,foreground")
    #expect(few == all.filter { $0 == all.first || $0.contains("silentPush\t") || $0.contains("foreground\t") })
    #expect(few.count >= 3)
    let echo = at(try fleet.json(question, "4.4.0", "--mechanism", "silentPush"), "query") as? [String: Any]
    #expect(echo?["mechanism"] as? String == "silentPush" && echo?["by"] as? [String] == ["mechanism"])
    let missing = try #require(["location", "unknown"].first { name in !all.contains { $0.contains(name + "\t") } })
    let nothing = try fleet.json(question, "4.4.0", "--mechanism", "silentPush,\(missing)")["warnings"]
    let told = (nothing as? [[String: Any]])?.first { $0["code"] as? String == "nothing_by_mechanism" }
    #expect((told?["message"] as? String)?.contains("known of \(missing) here") == true, "\(missing): \(nothing ?? "")")
    let nobody = try fleet.ask(question, "4.4.0", "--mechanism", "pigeon")
    #expect(nobody.status == 2 && nobody.errors.contains("silentPush"), "\(nobody.errors)")
  }

  @Test func drawsCurves() throws {
    let fleet = try QuestionsFleet.simulated.get()
    let plot = try fleet.ask("time-to-update", "4.4.0", "--by", "mechanism", "--format", "plot").output
    #expect(plot.contains("silentPush\n") && plot.contains("┤") && plot.contains("⠒"))
    let ascii = try fleet.ask("push", "--format", "plot", "--ascii").output
    #expect(ascii.contains("*") && ascii.prefix { $0 != "D" }.allSatisfy(\.isASCII))
  }
}
