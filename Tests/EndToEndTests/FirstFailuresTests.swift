import Foundation
import Testing

/// The first release of a channel, 40 minutes old: each device that tried it failed, and no attempt is an hour old.
@Suite struct FirstFailuresTests {
  private static let fleet = Result { try fleet(failing: 20, launching: 0) }

  private static func fleet(failing: Int, launching: Int) throws -> QuestionsFleet {
    func line(_ device: Int, _ stage: String, _ at: String, _ more: String = "") -> String {
      #"{"app":"a","channel":"beta","device":"d\#(device)","stage":"\#(stage)","at":"2025-03-\#(at)Z"\#(more)}"#
    }
    let checks = (0..<60).flatMap { device in
      ["01T08:00:00", "02T08:00:00"].map { line(device, "check", $0, #","release":"1.0.0""#) }
    }
    let tries = (0..<failing + launching).map { line($0, "downloadStarted", "03T08:10:00", #","release":"1.0.1""#) }
    let failures = (0..<failing).map {
      line($0, "failed", "03T08:11:00", #","release":"1.0.1","reason":"HASH_MISMATCH""#)
    }
    let launches = (failing..<failing + launching).map {
      line($0, "applied", "03T08:20:00", #","release":"1.0.1""#)
    }
    return try QuestionsFleet(
      (checks + tries + failures + launches).joined(separator: "\n"),
      publications: [["1.0.1", "--app", "a", "--channel", "beta", "--at", "2025-03-03T08:00:00Z"]],
      now: "2025-03-03T08:40:00Z")
  }

  @Test func everySurfaceSaysSo() throws {
    let fleet = try Self.fleet.get()
    let verdict = try fleet.ask("verdict", "--format", "table").output
    #expect(verdict.contains("20 of 20 first attempts failed so far, none an hour old: 100.0%"), "\(verdict)")
    let status = try fleet.ask("status").output
    #expect(status.contains("noLimit") && status.contains("20 of 20 first attempts failed so far"), "\(status)")
    let failures = try fleet.ask("failures", "1.0.1", "--format", "table")
    #expect((failures.output + failures.errors).contains("failed so far: 20 of 20: 20 HASH_MISMATCH"), "\(failures)")
    let diagnosis = try fleet.json("diagnose")
    #expect(at(diagnosis, "data", 0, "finding") as? String == "releaseHarms")
    let watch = try fleet.ask("watch", "--once").output
    #expect(watch.contains("first attempts failed so far: 20 of 20: 20 HASH_MISMATCH"), "\(watch)")
    let site = try scratchFolder() + "/site"
    try #require(try fleet.ask("report", "--out", site).status == 0)
    let page = try String(contentsOfFile: site + "/release/1.0.1.html", encoding: .utf8)
    let twenty = "<b data-v>20</b>"
    #expect(page.contains("\(twenty) of \(twenty) failed so far: \(twenty) <bdi>HASH_MISMATCH</bdi>."))
  }

  /// Who set no limit is asked for one; that the release harms is not said where a limit could call its failures few.
  @Test(arguments: [(20, 0, true), (10, 30, false)]) func harmIsAboveAnyLimit(
    _ failing: Int, _ launching: Int, _ harms: Bool
  ) throws {
    let fleet = try Self.fleet(failing: failing, launching: launching)
    #expect(at(try fleet.json("verdict"), "data", 0, "condition") as? String == "noLimit")
    #expect(try fleet.ask("diagnose", "--format", "json").output.contains("releaseHarms") == harms)
  }

  /// The word that a verdict means otherwise stays, and stands for no advice.
  @Test func adviceIsInWordsOfItsOwn() throws {
    let tried = try Self.fleet(failing: 1, launching: 4).ask("failures", "1.0.1", "--limit", "50%", "--format", "csv")
    let lines = tried.output.split(whereSeparator: \.isNewline).map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let row = Dictionary(uniqueKeysWithValues: zip(lines[0], lines[1]))
    #expect((row["decision"], row["advice"]) == ("goOn", "watchOn"), "\(tried.output)")
    let none = try Self.fleet(failing: 0, launching: 0).json("failures", "1.0.1", "--limit", "50%")
    #expect(at(none, "data", 0, "stopRule", "decision") as? String == "goOn")
    #expect(at(none, "data", 0, "stopRule", "advice") is NSNull)
  }

  /// Of five that launched it none crashed, which says little.
  @Test func launchesAreToldBeforeAdoptionIs() throws {
    let fleet = try Self.fleet(failing: 0, launching: 5)
    let watch = try fleet.ask("watch", "--once").output
    #expect(watch.contains("· 0 of 5 devices that launched it crashed") && !watch.contains("✓"), "\(watch)")
  }
}
