import Console
import Foundation
import Lifecycle
import Query
import Store
import Testing

@testable import Answers

/// A hotfix for one platform does not hide what goes on on the other.
struct ApartPlatformsTests {
  private static func fleet(
    crashing: Int = 1, last: String = "3T08", _ publications: [(String, String, String)] = Self.hotfix
  ) throws -> Database {
    let phones = (0..<400).map { number in
      let (platform, who) = (number % 2 == 0 ? "ios" : "android", #"{"device":"d\#(number)","#)
      let said = #""platform":"\#(platform)","at":"2025-03-0"#
      let crash = who + said + #"2T11:00:00Z","stage":"crashed","release":"2.0"}"#
      return [
        who + said + #"1T08:00:00Z","stage":"check","release":"1.0"}"#,
        who + said + #"2T10:00:00Z","stage":"applied","release":"2.0"}"#, number % 8 == crashing ? crash : "",
        who + said + #"\#(last):00:00Z","stage":"check","release":"2.0"}"#,
      ].joined(separator: "\n")
    }
    let database = try Database(phones.joined(separator: "\n"))
    let registry = try Registry(path: database.path)
    for (label, platform, at) in publications {
      let at = try Timestamp(rfc3339: "2025-03-\(at):00:00Z")
      try registry.publish(
        Publication(
          app: "a", release: ReleaseLabel(rawValue: label), channel: "production", platform: platform, publishedAt: at),
        now: at)
    }
    return database
  }

  private static let hotfix = [("2.0", "ios", "02T08"), ("2.0", "android", "02T08"), ("2.1", "ios", "03T09")]

  /// 2.0 for all of iOS, and for a fifth of Android.
  static func rollingOut() throws -> Database {
    let database = try fleet(crashing: -1, [("2.0", "ios", "02T08")])
    let start = try Timestamp(rfc3339: "2025-03-02T08:00:00Z")
    try Registry(path: database.path).publish(
      Publication(
        app: "a", release: ReleaseLabel(rawValue: "2.0"), channel: "production", platform: "android",
        publishedAt: start, rollout: [RolloutStep(at: start, percent: 20)]), now: start)
    return database
  }

  private func rows(_ words: [String], _ fleet: Database? = nil, now: String = "2025-03-03T12:00:00Z") throws
    -> [[String: Any]]
  {
    let database = try fleet ?? Self.fleet()
    let text = try withExtendedLifetime(database) {
      try ask(words + ["--now", now], Snapshot(path: database.path))
    }
    let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    return document?["data"] as? [[String: Any]] ?? []
  }

  @Test func everyReleaseThatIsOutIsJudged() throws {
    let rows = try rows(["verdict"])
    #expect(rows.compactMap { $0["release"] as? String } == ["2.1", "2.0"])
    #expect(rows.last?["decision"] as? String == "stop" && rows.last?["condition"] as? String == "crashing")
    let releases = try self.rows(["releases"])
    #expect(releases.first { $0["release"] as? String == "2.0" }?["state"] as? String == "complete")
  }

  @Test(arguments: [("ios", "2.1"), ("android", "2.0")])
  func aPlatformIsJudgedByItsOwn(_ platform: String, _ release: String) throws {
    #expect(try rows(["verdict", "--platform", platform]).compactMap { $0["release"] as? String } == [release])
    let other = try rows(["verdict", "2.0", "--platform", platform])
    #expect((other.first?["condition"] as? String == "replaced") == (platform == "ios"), "\(other)")
  }

  /// Attempts on the platform that came last are few among those of the other.
  @Test(arguments: [
    ("03T09", [], true), ("03T09", ["--by", "platform"], false), ("03T07", [], false), ("04T08", [], false),
  ])
  func failuresSayThatTheyPoolPlatforms(_ android: String, _ more: [String], _ isSaid: Bool) throws {
    let database = try Self.fleet([("2.0", "ios", "02T08"), ("2.0", "android", android)])
    let text = try withExtendedLifetime(database) {
      try ask(["failures", "2.0"] + more + ["--now", "2025-03-03T12:00:00Z"], Snapshot(path: database.path))
    }
    #expect(
      text.contains("2.0 came to ios on production at 2025-03-02 08:00 UTC and to android 25.0h later") == isSaid,
      "\(text)")
  }

  /// What crashed where it was replaced does not speak against it where it is still out.
  @Test func itIsJudgedWhereItIsOut() throws {
    let rows = try rows(["verdict"], Self.fleet(crashing: 0))
    let old = try #require(rows.first { $0["release"] as? String == "2.0" })
    #expect(old["platforms"] as? [String] == ["android"] && old["decision"] as? String != "stop", "\(old)")
    #expect(old["devices"] as? Int == 200)
    #expect(rows.first { $0["release"] as? String == "2.1" }?["platforms"] as? [String] == ["ios"])
  }

  @Test func whereItWasHaltedItIsNotJudgedWithTheOthers() throws {
    let database = try Self.fleet(crashing: 0, Array(Self.hotfix.prefix(2)))
    let (start, halt) = (try Timestamp(rfc3339: "2025-03-02T08:00:00Z"), try Timestamp(rfc3339: "2025-03-03T09:00:00Z"))
    try Registry(path: database.path).publish(
      Publication(
        app: "a", release: ReleaseLabel(rawValue: "2.0"), channel: "production", platform: "ios", publishedAt: start,
        rollout: [RolloutStep(at: start, percent: 100), RolloutStep(at: halt, percent: 0)]), now: halt)
    let row = try #require(try rows(["verdict"], database).first)
    #expect(row["platforms"] as? [String] == ["android"] && row["decision"] as? String != "stop", "\(row)")
    let named = try #require(try rows(["verdict", "--platform", "ios"], database).first)
    #expect(named["platforms"] as? [String] == ["ios"] && named["decision"] as? String == "stop", "\(named)")
  }

  /// It came to one platform later and was halted there: neither the verdict nor its state is about that one.
  @Test(arguments: [(["ios"], false), (["android"], true), (["android", "ios"], false)])
  func aHaltOnOnePlatformIsTold(_ halted: [String], _ isLater: Bool) throws {
    let database = try Self.fleet(crashing: 0, Array(Self.hotfix.prefix(2)))
    let halt = try Timestamp(rfc3339: "2025-03-03T09:00:00Z")
    for platform in halted {
      let start = try Timestamp(rfc3339: isLater ? "2025-03-02T09:30:00Z" : "2025-03-02T08:00:00Z")
      try Registry(path: database.path).publish(
        Publication(
          app: "a", release: ReleaseLabel(rawValue: "2.0"), channel: "production", platform: platform,
          publishedAt: start, rollout: [RolloutStep(at: start, percent: 100), RolloutStep(at: halt, percent: 0)]),
        now: halt)
    }
    let snapshot = try Snapshot(path: database.path)
    let now = "2025-03-03T12:00:00Z"
    let said =
      "2.0 on production was halted on \(halted[0]) at 2025-03-03 09:00 UTC, and goes on elsewhere: its verdict is about the"
      + " others; how it stands there says uptake verdict with --platform \(halted[0])"
    let status = try Status(snapshot, app: nil, channels: [], Verdict.Options(), now: Timestamp(rfc3339: now))
      .text(width: 600, glyphs: .ascii, colour: false)
    let answers = try [["verdict"], ["verdict", "2.0"], ["releases"]].map { try ask($0 + ["--now", now], snapshot) }
    for answer in answers + [status] { #expect(answer.contains(said) == (halted.count == 1), "\(answer)") }
    let own = try ask(["verdict", "--platform", halted[0], "--now", now], snapshot)
    #expect(!own.contains("goes on elsewhere"), "\(own)")
  }

  /// Looks are counted from the publication on the platform that is asked for.
  @Test func whereItCameLaterItIsStopped() throws {
    let later = [("2.0", "ios", "01T01"), ("2.0", "android", "02T08")]
    let row = try #require(try rows(["verdict", "--platform", "android"], Self.fleet(later)).first)
    #expect(row["decision"] as? String == "stop" && row["condition"] as? String == "crashing", "\(row)")
    let reasons = row["reasons"] as? [[String: Any]] ?? []
    #expect(reasons.first?["reachedAt"] as? String != nil, "\(reasons)")
  }

  /// Only the devices of one can be as old as the objective asks: what they did says nothing of the others.
  @Test func anObjectiveWaitsForTheLastPlatform() throws {
    let later = [("2.0", "ios", "01T01"), ("2.0", "android", "02T08")]
    func objective(_ within: String) throws -> String {
      let words = ["verdict", "2.0", "--objective", "60%", "--within", within]
      let reasons = try #require(try rows(words, Self.fleet(last: "3T12", later)).first?["reasons"] as? [[String: Any]])
      return try #require(reasons.first { $0["subject"] as? String == "objective" }?["sentence"] as? String)
    }
    #expect(
      try objective("40h")
        == "the objective is 60.0% within 40h: known from 2025-03-04 00:00 UTC on, when it is that old on android, too")
    #expect(try objective("20h").hasPrefix("the objective of 60.0% within 20h is missed"))
  }

  /// A publication for all that came later than the platform's own does not move the looks at it, at rest neither.
  @Test(arguments: [false, true]) func aLaterPublicationForAllMovesNothing(_ isSummarised: Bool) throws {
    let database = try Self.fleet(last: "5T08", [("2.0", "android", "02T08")])
    let at = try Timestamp(rfc3339: "2025-03-05T09:00:00Z")
    try Registry(path: database.path).publish(
      Publication(app: "a", release: ReleaseLabel(rawValue: "2.0"), channel: "production", publishedAt: at), now: at)
    if isSummarised {
      try Folder(path: database.path).foldAll()
      for _ in 0..<2 { try OpenSummary.refresh(path: database.path, now: at + .hours(1)) }
    }
    let row = try #require(
      try rows(["verdict", "2.0", "--platform", "android"], database, now: "2025-03-05T12:00:00Z").first)
    #expect(row["condition"] as? String == "crashing", "\(row)")
    let reasons = row["reasons"] as? [[String: Any]] ?? []
    #expect(reasons.first?["reachedAt"] as? String == "2025-03-02T11:00:00Z", "\(reasons)")
  }

  /// Devices that name no platform get what was published for all.
  @Test func devicesWithoutAPlatformAreJudgedWithTheOthers() throws {
    let phones = (0..<90).map { number in
      let platform = ["\"platform\":\"ios\",", "\"platform\":\"android\",", ""][number % 3]
      let who = #"{"device":"d\#(number)",\#(platform)"at":"2025-03-0"#
      return who + #"1T08:00:00Z","stage":"check","release":"0.9"}"# + "\n" + who
        + #"2T10:00:00Z","stage":"applied","release":"1.0"}"#
    }
    let database = try Database(phones.joined(separator: "\n"))
    for (label, platform, at) in [("1.0", nil, "2T08"), ("2.0", "android", "3T08")] {
      let at = try Timestamp(rfc3339: "2025-03-0\(at):00:00Z")
      try Registry(path: database.path).publish(
        Publication(
          app: "a", release: ReleaseLabel(rawValue: label), channel: "production", platform: platform, publishedAt: at),
        now: at)
    }
    let row = try #require(try rows(["verdict"], database).first { $0["release"] as? String == "1.0" })
    #expect(row["platforms"] as? [String] == ["ios"] && row["devices"] as? Int == 60, "\(row)")
  }
}
