import Foundation
import Testing

/// What people see of a release that breaks at its first launch, in every place where they look.
@Suite struct BadReleaseTests {
  /// 400 devices had 1.0.0. Of 2.0.0 half of them report the download and then a rollback, as CodePush does: never `applied`.
  static let fleet = Result {
    try QuestionsFleet(
      (0..<400).flatMap { device in
        [
          line(device, "check", "2025-03-01T08:00:00Z", "0.9.0"),
          line(device, "downloadCompleted", "2025-03-02T10:00:00Z", "1.0.0"),
          line(device, "applied", "2025-03-02T12:00:00Z", "1.0.0"),
          line(device, "check", "2025-03-09T12:00:00Z", "1.0.0"),
          line(device, "downloadCompleted", "2025-03-10T10:00:00Z", "2.0.0"),
          line(device, device < 200 ? "applied" : "rolledBack", "2025-03-10T20:00:00Z", "2.0.0"),
        ]
      }.joined(separator: "\n"), publications: publications("1.0.0", "2.0.0"), now: "2025-03-12T08:00:00Z")
  }

  private static func line(_ device: Int, _ stage: String, _ at: String, _ release: String) -> String {
    #"{"app":"a","device":"d\#(device)","stage":"\#(stage)","at":"\#(at)","release":"\#(release)","platform":"ios"}"#
  }

  private static func publications(_ releases: String...) -> [[String]] {
    zip(releases, ["2025-03-02T08:00:00Z", "2025-03-10T08:00:00Z"]).map { [$0, "--app", "a", "--at", $1] }
  }

  @Test func decisionAndGateSeeIt() throws {
    let fleet = try Self.fleet.get()
    let said = try fleet.ask("failures", "2.0.0", "--format", "table")
    #expect(said.status == 0 && said.output.contains("STOP"), "\(said.output)")
    #expect(said.output.contains("200 rolledBack"))
    #expect(!said.output.contains("safe to widen"))
    let gate = try fleet.ask("failures", "2.0.0", "--require", "rate.hi<=0.02")
    #expect(gate.status == 3 && gate.errors.contains("rate is 50.0% (45.1–54.9)"), "\(gate.errors)")
    let stopped = try fleet.ask("failures", "2.0.0", "--require", "decision!=stop")
    #expect(stopped.status == 3 && stopped.errors.contains("decision is stop"), "\(stopped.errors)")
    let verdict = try fleet.ask("verdict", "2.0.0", "--format", "csv").output
    #expect(verdict.contains("stop,rollingBack"), "\(verdict)")
    let people = try fleet.ask("verdict", "2.0.0", "--format", "md").output
    #expect(people.contains("rolling back"), "\(people)")
    let compared = try fleet.ask("compare", "2.0.0", "1.0.0", "--format", "table").output
    #expect(compared.contains("first attempts failed: 50.0%"), "\(compared)")
  }

  @Test func theTrailOfADeviceSeesIt() throws {
    let row = try #require((try Self.fleet.get().json("breadcrumbs", "d300")["data"] as? [[String: Any]])?.first)
    let failure = try #require(row["failure"] as? [String: Any])
    #expect(failure["stage"] as? String == "rolledBack" && failure["release"] as? String == "2.0.0")
  }

  @Test func pagesSeeIt() throws {
    let (index, page) = try pages(of: Self.fleet.get(), "2.0.0")
    for text in [index, page] {
      #expect(text.contains("Stop: rolling back."), "the verdict")
      #expect(!text.contains("Go on"))
    }
    #expect(page.contains("200 of 400 first attempts failed: 50.0% (45.1–54.9), above the limit of"))
    #expect(page.contains("200 of 400 devices that launched it were rolled back within a day: 50.0%"))
  }

  @Test func exportsSeeIt() throws {
    let fleet = try Self.fleet.get()
    let facts = try fleet.ask("export", "json", "--release", "2.0.0").output
    #expect(facts.contains(#""failed": 200"#) || facts.contains(#""failed":200"#), "\(facts)")
    let sent = try Binary.start(
      Binary.path, ["export", "sentry", "--db", fleet.database, "--now", fleet.now],
      environment: ["SENTRY_DSN": "https://key@sentry.example/1"])
    #expect(sent.output.contains("Stop: rolling back"), "\(sent.output) \(sent.errors)")
  }

  /// The first release of all has no past to set a limit by: `failures` decides nothing, and the limit that holds for every
  /// release stops it all the same.
  @Test func aFirstReleaseIsStoppedToo() throws {
    let fleet = try Self.firstOfAll()
    let said = try fleet.ask("failures", "1.0.0", "--format", "table")
    #expect(said.status == 0 && said.output.contains("no decision: no past release has attempts"), "\(said.output)")
    #expect(try fleet.ask("failures", "1.0.0", "--limit", "2%", "--format", "table").output.contains("STOP"))
    let (index, _) = try pages(of: fleet, "1.0.0")
    #expect(index.contains("Stop: rolling back.") && !index.contains("Go on"))
    let reason = "200 of 400 devices that launched it were rolled back within a day: 50.0% (45.1–54.9)"
    #expect(index.contains(reason + ", above the limit of 5.0%"))
  }

  private static func firstOfAll() throws -> QuestionsFleet {
    try QuestionsFleet(
      (0..<400).flatMap { device in
        [
          line(device, "check", "2025-03-01T08:00:00Z", "0.9.0"),
          line(device, device < 200 ? "applied" : "rolledBack", "2025-03-02T20:00:00Z", "1.0.0"),
        ]
      }.joined(separator: "\n"), publications: publications("1.0.0"), now: "2025-03-03T00:00:00Z")
  }

  /// A limit that past releases set for harm was said to go with a higher one, which no option sets.
  @Test func whatIsSaidToTakeAStopBackDoes() throws {
    func words(_ verdict: [String: Any]) throws -> String {
      try #require(at(verdict, "data", 0, "wouldChange") as? String)
    }
    let past = try Self.fleet.get().json("verdict", "2.0.0", "--harm-limit", "99%")
    #expect(at(past, "data", 0, "condition") as? String == "rollingBack")
    let said = try words(past)
    #expect(said.contains("opening it again") && !said.contains("-limit"), "\(said)")
    let first = try Self.firstOfAll()
    let advice = try words(first.json("verdict", "1.0.0"))
    let named = try #require(advice.firstMatch(of: /with --harm-limit (\d+)% or more/)).output.1
    let least = try #require(Int(named))
    for (percent, isStopped) in [(least, false), (99, false), (least - 1, true)] {
      let judged = try first.json("verdict", "1.0.0", "--harm-limit", "\(percent)%")
      #expect((at(judged, "data", 0, "condition") as? String == "rollingBack") == isStopped, "\(percent) %")
    }
  }

  private func pages(of fleet: QuestionsFleet, _ release: String) throws -> (index: String, release: String) {
    let site = try scratchFolder() + "/site"
    let made = try fleet.ask("report", "--out", site)
    try #require(made.status == 0, "\(made.errors)")
    func read(_ name: String) throws -> String { try String(contentsOfFile: site + "/" + name, encoding: .utf8) }
    return (try read("index.html"), try read("release/\(release).html"))
  }
}

/// The headline of a rollout in steps counts devices; a curve that is as old as the publication speaks of the first step alone.
@Suite struct StagedHeadlineTests {
  /// 500 devices. 2.0.0 goes to a tenth at once, of which 45 of 50 update, and to all after eight days: 100 of 450 a day later.
  static let fleet = Result {
    try QuestionsFleet(
      (0..<500).flatMap { device in
        let bucket = device % 100
        let updates = bucket < 10 ? device % 10 != 0 : bucket < 30
        let at = bucket < 10 ? "2025-03-03T08:00:00Z" : "2025-03-10T18:00:00Z"
        let check =
          #"{"app":"a","device":"d\#(device)","stage":"check","release":"1.0.0","bucket":\#(bucket),"at":"2025-03-01T08:00:00Z"}"#
        let last = #"{"app":"a","device":"d\#(device)","stage":"check","at":"2025-03-11T07:00:00Z"}"#
        let update = #"{"app":"a","device":"d\#(device)","stage":"applied","release":"2.0.0","at":"\#(at)"}"#
        return updates ? [check, update, last] : [check, last]
      }.joined(separator: "\n"),
      publications: [["2.0.0", "--app", "a", "--at", "2025-03-02T08:00:00Z", "--rollout", "10%@0h,100%@8d"]],
      now: "2025-03-11T08:00:00Z")
  }

  @Test func countsDevices() throws {
    let site = try scratchFolder() + "/site"
    try #require(try Self.fleet.get().ask("report", "--out", site).status == 0)
    let text = try String(contentsOfFile: site + "/release/2.0.0.html", encoding: .utf8)
    let counted = #"<b data-v=0.29>29.0%</b>, <b data-v>145</b> of <b data-v>500</b> eligible devices"#
    #expect(text.contains("Adoption, counted: " + counted))
    #expect(text.contains(#"<dt>Adoption</dt><dd class=big><b data-v=0.29>29.0%</b></dd>"#))
    let index = try String(contentsOfFile: site + "/index.html", encoding: .utf8)
    #expect(index.contains(counted))
    #expect(index.contains("<b data-v=0.29>29.0%</b> <i>(<b data-v>145</b> devices)</i>"))
  }

  @Test func everyAnswerSaysTheSame() throws {
    for question in [["releases"], ["time-to-update", "2.0.0"], ["adoption", "2.0.0"]] {
      let answer = try Self.fleet.get().ask(question + ["--format", "json"])
      #expect(answer.output.contains(#""observedShare":0.29"#) || answer.output.contains(#""observedShare": 0.29"#))
    }
  }
}
