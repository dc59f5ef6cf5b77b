import Foundation
import Testing

/// What one place says of a release, another does not deny.
@Suite struct SameWordsTests {
  private static func fleet(_ devices: Int, now: String, rollout: [String] = []) throws -> QuestionsFleet {
    func line(_ device: Int, _ stage: String, _ at: String, _ release: String) -> String {
      #"{"app":"a","device":"d\#(device)","stage":"\#(stage)","at":"\#(at)","release":"\#(release)","platform":"ios"}"#
    }
    let events = (0..<devices).flatMap { device in
      let minute = device % 50 + 10
      return [
        line(device, "check", "2025-03-01T08:00:00Z", "0.9.0"),
        line(device, "applied", "2025-03-02T0\(8 + device % 2):\(minute):00Z", "1.0.0"),
        line(device, "check", "2025-03-10T07:\(minute):00Z", "1.0.0"),
        line(device, device == 7 ? "failed" : "applied", "2025-03-10T0\(8 + device / 2 % 2):\(minute):00Z", "2.0.0"),
      ]
    }
    return try QuestionsFleet(
      events.filter { instant($0) <= now }.joined(separator: "\n"),
      publications: [
        ["1.0.0", "--app", "a", "--at", "2025-03-02T08:00:00Z"],
        ["2.0.0", "--app", "a", "--at", "2025-03-10T08:00:00Z"] + rollout,
      ], now: now)
  }

  private static func instant(_ line: String) -> String {
    line.firstMatch(of: /"at":"([^"]*)"/).map { String($0.1) } ?? ""
  }

  /// It was told to wait for 200 devices.
  @Test func aSmallFleetIsNotToldToWait() throws {
    let verdict = try Self.fleet(60, now: "2025-03-10T12:00:00Z").json("verdict", "2.0.0")
    let words = try #require(at(verdict, "data", 0, "wouldChange") as? String)
    #expect(words.contains("60 devices are known on production"), "\(words)")
    #expect(at(verdict, "data", 0, "isTooSmall") as? Bool == true)
    let limited = try Self.fleet(60, now: "2025-03-10T12:00:00Z").json("verdict", "2.0.0", "--limit", "40%")
    #expect(at(limited, "data", 0, "isTooSmall") as? Bool == false)
    let larger = try Self.fleet(250, now: "2025-03-10T12:00:00Z").json("verdict", "2.0.0")
    #expect(
      at(larger, "data", 0, "wouldChange") as? String
        == "more devices: 200 that launched it a day ago, with harm below the limits")
    #expect(at(larger, "data", 0, "isTooSmall") as? Bool == false)
  }

  /// Time does not bring devices to a rollout that goes no further.
  @Test func aSmallShareIsNotToldToWait() throws {
    func words(_ steps: String) throws -> String? {
      let fleet = try Self.fleet(250, now: "2025-03-10T08:16:00Z", rollout: ["--rollout", steps])
      return at(try fleet.json("verdict", "2.0.0"), "data", 0, "wouldChange") as? String
    }
    let small = try #require(try words("10%@0h"))
    #expect(small.contains("at 10.0% some 25 of 250 devices may have it"), "\(small)")
    #expect(try words("10%@0h,100%@48h") == "more devices: 200 that launched it a day ago, with harm below the limits")
  }

  /// Nobody launched it a day ago, which is not nobody: rates are of all who launched it so far, as in the verdict.
  @Test func pagesSayOfWhichLaunchesTheirRatesAre() throws {
    let fleet = try Self.fleet(60, now: "2025-03-10T12:00:00Z")
    let site = try scratchFolder() + "/site"
    try #require(try fleet.ask("report", "--out", site).status == 0)
    let page = try String(contentsOfFile: site + "/release/2.0.0/production.html", encoding: .utf8)
    #expect(page.contains("Crashes and rollbacks are of all ") && page.contains("until now, as in the verdict."))
    #expect(!page.contains("launches a day old"))
  }

  /// Two hours after its publication the first page compares it at an hour, and so does the page about that.
  @Test func pagesCompareAtTheSameAges() throws {
    let fleet = try Self.fleet(250, now: "2025-03-10T10:10:00Z")
    let site = try scratchFolder() + "/site"
    try #require(try fleet.ask("report", "--out", site).status == 0)
    let index = try String(contentsOfFile: site + "/index.html", encoding: .utf8)
    #expect(index.contains("No clear difference: "))
    let compare = try String(contentsOfFile: site + "/compare.html", encoding: .utf8)
    #expect(compare.contains("There is no clear difference in adoption.") && !compare.contains("not lived long enough"))
    #expect(compare.contains("Updated so far, at whatever age"))
  }

  /// One of 250 failed, which a verdict calls healthy though it is not below the limit for certain.
  @Test func watchingOnIsNoAlarm() throws {
    let fleet = try Self.fleet(250, now: "2025-03-12T08:00:00Z")
    let failures = try fleet.ask("failures", "2.0.0", "--limit", "1%", "--format", "table").output
    #expect(
      failures.contains("watch on: ")
        && failures.contains("below so far, which of attempts alone a verdict calls healthy"), "\(failures)"
    )
    let reasons = try #require(
      at(fleet.json("verdict", "2.0.0", "--limit", "1%"), "data", 0, "reasons") as? [[String: Any]])
    #expect(reasons.first { $0["subject"] as? String == "firstAttempts" }?["condition"] as? String == "healthy")
    let early = try Self.fleet(60, now: "2025-03-10T12:00:00Z").ask("failures", "2.0.0", "--format", "table").output
    #expect(
      early.contains("no launch is old enough yet, of 59; verdict tells how many were rolled back so far"), "\(early)")
  }

  /// Of a rollout to a tenth those that are known to may have it are the ones that were offered it: half of these ran it, and not half of all
  /// that may.
  @Test func ofUnknownBucketsReachSaysWhatAdoptionDoes() throws {
    let fleet = try Self.fleet(250, now: "2025-03-10T08:50:00Z", rollout: ["--rollout", "10%@0h"])
    let window = at(try fleet.json("reach", "2.0.0"), "data", 0, "windows", 0)
    let share = at(window, "eligible", "exactly", "share")
    #expect(at(share, "hi") is NSNull && at(share, "reason") as? String == "clockFromOffer", "\(share ?? "")")
    #expect(at(window, "exactly", "share", "value") as? Double ?? 0 > 0.2, "of all in contact it is known")
    let site = try scratchFolder() + "/site"
    try #require(try fleet.ask("report", "--out", site).status == 0)
    let page = try String(contentsOfFile: site + "/release/2.0.0/production.html", encoding: .utf8)
    #expect(page.contains("Nobody knows how many of them may have it."), "and pages say the same")
  }
}
