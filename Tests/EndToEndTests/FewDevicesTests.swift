import Foundation
import Testing

/// Three of 300 devices have the newest release: pages withhold who they are, and say so.
@Suite struct FewDevicesTests {
  private static let fleet = Result { try published(["--at", "2025-03-02T08:00:00Z"], now: "2025-03-03T08:00:00Z") }

  private static func published(_ words: [String], now: String) throws -> QuestionsFleet {
    func line(_ device: Int, _ stage: String, _ at: String, _ release: String) -> String {
      #"{"app":"a","device":"d\#(device)","stage":"\#(stage)","at":"\#(at)","release":"\#(release)","platform":"ios"}"#
    }
    let checks = (0..<300).flatMap { device in
      ["01T08", "02T0\(device % 8)"].map { line(device, "check", "2025-03-\($0):00:00Z", "1.0.0") }
    }
    let updates = (0..<3).map { line($0, "applied", "2025-03-02T12:00:00Z", "2.0.0") }
    return try QuestionsFleet(
      (checks + updates).joined(separator: "\n"),
      publications: [
        ["1.0.0", "--app", "a", "--at", "2025-02-01T08:00:00Z"],
        ["2.0.0", "--app", "a"] + words,
      ], now: now)
  }

  /// A gate that waits for 200 of 30 devices never opens; who reads its log learns by which limit it does.
  @Test func aVerdictNamesTheLimitThatSoFewCanHold() throws {
    let fleet = try Self.published(
      ["--at", "2025-03-02T08:00:00Z", "--rollout", "10%@0h"], now: "2025-03-02T13:00:00Z")
    let words = try at(fleet.json("verdict", "2.0.0"), "data", 0, "wouldChange") as? String
    #expect(words?.contains("at 10.0% some 30 of 300 devices may have it") == true, "\(words ?? "")")
    #expect(words?.hasSuffix("with --limit: 13% or more while none of 30 fails") == true, "\(words ?? "")")
    // Who has given it is told what is left to wait for.
    let given = try at(fleet.json("verdict", "2.0.0", "--limit", "13%"), "data", 0, "wouldChange") as? String
    #expect(given?.hasSuffix("the limit in force is one that so few can hold") == true, "\(given ?? "")")
  }

  /// As a channel that only a publication names: a gate that asks before the first device came waits, and calls nothing a slip.
  @Test func aPlatformThatOnlyAPublicationNamesIsKnown() throws {
    let fleet = try Self.published(
      ["--at", "2025-03-02T08:00:00Z", "--platform", "android"], now: "2025-03-02T13:00:00Z")
    for question in ["verdict", "adoption", "reach", "failures"] {
      let asked = try fleet.ask(question, "2.0.0", "--platform", "android")
      #expect(asked.status == 4, "\(question): \(asked.output)\(asked.errors)")
      let unknown = try fleet.ask(question, "2.0.0", "--platform", "symbian")
      #expect(unknown.status == 2 && unknown.errors.contains("known platforms: android, ios"), "\(unknown.errors)")
    }
    #expect(try fleet.ask("releases", "--platform", "android").status == 0)
  }

  @Test func pagesSayThatTheyAreWithheld() throws {
    let site = try scratchFolder() + "/site"
    try #require(try Self.fleet.get().ask("report", "--out", site).status == 0)
    let index = try String(contentsOfFile: site + "/index.html", encoding: .utf8)
    #expect(index.contains("Fewer than 5 of 300 reachable devices run the newest release, 2.0.0;"))
    let page = try String(contentsOfFile: site + "/release/2.0.0/production.html", encoding: .utf8)
    #expect(page.contains("Fewer than 5 of <b data-v>300</b> reachable devices run <bdi>2.0.0</bdi>."))
    #expect(page.contains("Fewer than 5 devices are known to have tried to get it, so nothing is shown of them."))
    #expect(page.contains("Fewer than 5 devices reported a stage of it, so nothing is shown of them."))
    #expect(!page.contains("No first attempt was an hour old") && !page.contains("No device reported any stage"))
  }

  /// Of a team that tries it on its own phones.
  @Test func firstPagesSayOnceThatTheyAreTooFew() throws {
    let lines = (0..<3).flatMap { device in
      [("check", "01T08", "1.0.0"), ("applied", "02T1\(device)", "2.0.0")].map { stage, at, release in
        #"{"app":"a","device":"d\#(device)","stage":"\#(stage)","at":"2025-03-\#(at):00:00Z","release":"\#(release)"}"#
      }
    }
    let fleet = try QuestionsFleet(
      lines.joined(separator: "\n"), publications: [["2.0.0", "--app", "a", "--at", "2025-03-02T08:00:00Z"]],
      now: "2025-03-03T08:00:00Z")
    func page(_ words: String...) throws -> String {
      let site = try scratchFolder() + "/site"
      try #require(try fleet.ask(["report", "--out", site] + words).status == 0)
      return try String(contentsOfFile: site + "/release/2.0.0/production.html", encoding: .utf8)
    }
    let few = try page()
    #expect(few.contains("<strong>Too few.</strong> Fewer than 5 devices are known to have waited for it"))
    #expect(few.contains("<code>uptake report --min-cell 0</code> shows them"))
    #expect(few.split(separator: "nothing is shown of them").count == 2)
    #expect(few.contains("the same as on the command line with <code>--min-cell 5</code>"))
    let all = try page("--min-cell", "0")
    #expect(all.contains("eligible devices") && !all.contains("nothing is shown of them"))
  }

  /// Six devices say that they run it; nobody registered it, and none tried to get it.
  @Test func aReleaseWithoutAnAgeHasNoChart() throws {
    let lines = (0..<40).map { device in
      #"{"app":"a","device":"d\#(device)","stage":"check","at":"2025-03-02T1\#(device % 10):00:00Z","#
        + #""release":"\#(device < 6 ? "1.5.0" : "1.0.0")"}"#
    }
    let fleet = try QuestionsFleet(
      lines.joined(separator: "\n"),
      publications: [
        ["1.0.0", "--app", "a", "--at", "2025-02-01T08:00:00Z"],
        ["2.0.0", "--app", "a", "--at", "2025-03-02T08:00:00Z"],
      ], now: "2025-03-03T08:00:00Z")
    let site = try scratchFolder() + "/site"
    try #require(try fleet.ask("report", "--out", site).status == 0)
    let page = try String(contentsOfFile: site + "/release/1.5.0/production.html", encoding: .utf8)
    #expect(page.contains(" of <b data-v>40</b> reachable devices run <bdi>1.5.0</bdi>: "))
    #expect(!page.contains("<svg role=img") && !page.contains("the rollout has come to"))
    #expect(page.contains("It was never published on <bdi>production</bdi>."))
  }

  @Test func answersSayThatTheyAreWithheld() throws {
    let fleet = try Self.fleet.get()
    let table = try fleet.ask("reach", "2.0.0", "--min-cell", "5", "--format", "table").output
    #expect(!table.contains("1.0%") && table.contains("fewer devices than --min-cell"), "\(table)")
    let row = try #require(at(fleet.json("releases", "--min-cell", "5"), "data", 0) as? [String: Any])
    #expect(row["running"] is NSNull && at(row, "reach", "reason") as? String == "fewerThanMinCell")
  }
}
