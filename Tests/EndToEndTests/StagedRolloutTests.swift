import Foundation
import Testing

/// Whoever widens, halts or corrects a rollout loses none of the steps that it took, and is told the way back.
struct StagedRolloutTests {
  private static let now = "2025-03-03T10:00:00Z"
  private static let own = ["--app", "a", "--at", "2025-03-02T08:00:00Z"]
  private static let steps = ["--rollout", "10%@0h,25%@12h,50%@24h,100%@72h"]

  /// Three devices on each of two platforms; 1.0, and 2.0 in steps on both channels, asked 26 hours after its publication.
  private static func fleet(_ publications: [[String]]? = nil) throws -> QuestionsFleet {
    let events = ["ios1", "ios2", "ios3", "android1", "android2", "android3"].flatMap { device in
      [("check", "1.0", "2025-03-01T08:00:00Z"), ("applied", "2.0", "2025-03-02T09:00:00Z")].map { stage, release, at in
        #"{"app":"a","device":"\#(device)","stage":"\#(stage)","at":"\#(at)","release":"\#(release)","#
          + #""platform":"\#(device.dropLast())"}"#
      }
    }
    let staged = ["production", "beta"].map { ["2.0", "--channel", $0] + own + steps }
    return try QuestionsFleet(events.joined(separator: "\n"), publications: publications ?? staged, now: now)
  }

  private func listed(_ fleet: QuestionsFleet) throws -> [String] {
    let listed = try Binary.run("release", "list", "--db", fleet.database, "--format", "tsv")
    try #require(listed.status == 0, "\(listed.errors)")
    return listed.output.split(separator: "\n").dropFirst().map { line in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return [cells[2], cells[3], cells[5]].filter { !$0.isEmpty }.joined(separator: " ")
    }
  }

  /// Runs the command that stands behind these words, as it stands there.
  private func paste(_ lead: String, _ result: Binary.Result, _ fleet: QuestionsFleet) throws -> Binary.Result {
    let line = try #require(result.errors.split(separator: "\n").last { $0.contains(lead) }, "\(result.errors)")
    let command = try #require(line.components(separatedBy: lead).last?.split(separator: "uptake ").first)
    let words = command.replacing("'", with: "").split(whereSeparator: \.isWhitespace).map(String.init)
    return try Binary.start(Binary.path, words + ["--now", fleet.now])
  }

  @Test func wideningKeepsTheSteps() throws {
    let fleet = try Self.fleet()
    let before = try listed(fleet)
    let widened = try fleet.ask("release", "widen", "2.0", "75%")
    #expect(widened.status == 0, "\(widened.errors)")
    #expect(try listed(fleet).contains("production 10%@0h, 25%@12h, 50%@24h, 75%@26h, 100%@72h"))
    #expect(try listed(fleet).contains("beta 10%@0h, 25%@12h, 50%@24h, 100%@72h"))
    #expect(try fleet.ask("audit").output.contains("75.0% from 2025-03-03T10:00:00Z"))
    #expect(try paste("to take it back: ", widened, fleet).status == 0)
    #expect(try listed(fleet) == before)
    let all = try fleet.ask("release", "widen", "2.0", "100", "--channel", "production,beta")
    #expect(all.errors.contains("beta: planned steps are dropped: 100% at 2025-03-05 08:00 UTC"), "\(all.errors)")
    let steps = "10%@0h, 25%@12h, 50%@24h, 100%@26h"
    #expect(try listed(fleet) == ["beta \(steps)", "production \(steps)"])
  }

  @Test(arguments: [
    (["50"], "2.0 is at 50% on production since 2025-03-03 08:00 UTC: 50% is no widening", "widen 2.0 100 --app a"),
    (["20"], "20% is no widening", "release halt 2.0 --app a --channel production --db"),
    (["half"], "PERCENT: \"half\" is no share of devices", "such as 50"),
    (["75", "--channel", "stable"], "2.0 is not registered on stable", "it is registered on beta, production"),
    (["75", "--platform", "andriod"], "2.0 is not registered on production/andriod", "did you mean android?"),
    (["75", "--at", "2025-03-02T07:00:00Z"], "2.0 comes to production only at", "name a later time with --at"),
  ]) func refusesWhatIsNoWidening(_ words: [String], _ message: String, _ hint: String) throws {
    let fleet = try Self.fleet()
    let before = try listed(fleet)
    let refused = try fleet.ask(["release", "widen", "2.0"] + words)
    #expect(refused.status == 2 && refused.errors.contains(message), "\(refused.errors)")
    #expect(refused.errors.contains(hint), "\(refused.errors)")
    #expect(try listed(fleet) == before)
  }

  /// Who publishes once more, to widen, is told what went.
  @Test func publishingOverStepsIsTold() throws {
    let fleet = try Self.fleet()
    let before = try listed(fleet)
    let bare = try fleet.ask(["release", "publish", "2.0", "--rollout", "60%"] + Self.own)
    #expect(bare.status == 2 && bare.errors.contains("uptake release widen RELEASE PERCENT"), "\(bare.errors)")
    let over = try fleet.ask(["release", "publish", "2.0", "--rollout", "60%@now"] + Self.own)
    #expect(over.errors.contains("takes the place of its rollout steps (10% at 2025-03-02 08:00 UTC"), "\(over.errors)")
    #expect(over.errors.contains("to go on from them: uptake release widen 2.0 60 --app a --channel production"))
    #expect(try paste("to put them back: ", over, fleet).status == 0)
    #expect(try listed(fleet) == before)
    let planned = try fleet.ask(["release", "publish", "2.0", "--rollout", "10%@0h,25%@12h,50%@24h"] + Self.own)
    #expect(planned.errors.contains("planned steps are dropped: 100% at 2025-03-05 08:00 UTC\nto put them back: "))
  }

  @Test func whatStaysOpenIsTold() throws {
    let fleet = try Self.fleet()
    let halted = try fleet.ask("release", "halt", "2.0")
    #expect(try paste("2.0 stays open on beta at 50%: ", halted, fleet).status == 0)
    let stopped = ["beta", "production"].map { "\($0) 10%@0h, 25%@12h, 50%@24h, 0%@26h" }
    #expect(try listed(fleet) == stopped)
    #expect(try !fleet.ask("release", "halt", "2.0").errors.contains("stays open"))
    let undone = try fleet.ask(["release", "publish", "2.0", "--rollout", "10%@0h,25%@12h,50%@24h"] + Self.own)
    #expect(undone.errors.contains("this drops its halt (0% at 2025-03-03 10:00 UTC)"), "\(undone.errors)")
    #expect(try paste("to put them back: ", undone, fleet).status == 0 && listed(fleet) == stopped)
    let other = try Self.fleet()
    let both = try other.ask("release", "halt", "2.0", "--channel", "production,beta")
    #expect(both.status == 0 && !both.errors.contains("stays open"), "\(both.errors)")
    #expect(try listed(other) == stopped)
  }

  /// Of a publication for all platforms one is halted; the others go on.
  @Test func onePlatformIsHalted() throws {
    let fleet = try Self.fleet()
    let before = try listed(fleet)
    let halted = try fleet.ask("release", "halt", "2.0", "--platform", "android")
    #expect(halted.status == 0, "\(halted.errors)")
    #expect(try Set(listed(fleet)).subtracting(before) == ["production android 10%@0h, 25%@12h, 50%@24h, 0%@26h"])
    #expect(halted.errors.contains("2.0 stays open on beta/android at 50%: uptake "), "\(halted.errors)")
    let verdict = try fleet.json("verdict", "--channel", "production", "--platform", "android")
    #expect(at(verdict, "data", 0, "rolloutPercent") as? Double == 0, "\(verdict)")
    let wider = try fleet.ask("release", "widen", "2.0", "100")
    #expect(wider.errors.contains("production/android has a publication of its own, and stays at 0%: uptake"))
    #expect(try paste("to open it again at 50%: ", halted, fleet).status == 0)
    #expect(try listed(fleet).contains("production android 10%@0h, 25%@12h, 50%@24h, 50%@26h"))
    let back = try paste("to take it back: ", halted, fleet)
    #expect(back.errors.contains("android goes by the publication for all platforms again"), "\(back.errors)")
    #expect(try !listed(fleet).contains { $0.contains("android") })
  }

  /// Also where the release is published for some platforms apart, or only so; what was halted before stays as it was.
  @Test(arguments: [true, false]) func aHaltIsForEachPlatform(_ isForAll: Bool) throws {
    let platforms: [[String]] = [isForAll ? [] : ["--platform", "ios"], ["--platform", "android"]]
    let fleet = try Self.fleet(platforms.map { ["2.0"] + Self.own + Self.steps + $0 })
    let rest = isForAll ? "production" : "production ios"
    let halted = try fleet.ask("release", "halt", "2.0")
    #expect(halted.status == 0 && !halted.errors.contains("stays open"), "\(halted.errors)")
    let stopped = [rest, "production android"].map { "\($0) 10%@0h, 25%@12h, 50%@24h, 0%@26h" }
    #expect(try Set(listed(fleet)) == Set(stopped))
    #expect(try paste("to open it again at 50%: ", halted, fleet).status == 0)
    let again = try Binary.run(
      "release", "halt", "2.0", "--db", fleet.database, "--now", "2025-03-03T12:00:00Z", "--format", "tsv")
    #expect(again.status == 0 && again.output.split(separator: "\n").count == 2, "\(again.output)")
    #expect(try Set(listed(fleet)).count == 2 && Set(listed(fleet)).intersection(stopped).count == 1)
    #expect(try listed(fleet).allSatisfy { $0.contains(", 0%@2") })
  }

  /// It is no reason to leave the others open, and no halt reaches it.
  @Test func whatComesLaterIsToldWithAHalt() throws {
    let later = ["2.0", "--app", "a", "--at", "2025-03-04T08:00:00Z", "--platform", "android"]
    let fleet = try Self.fleet([["2.0"] + Self.own + Self.steps, later])
    let halted = try fleet.ask("release", "halt", "2.0")
    #expect(halted.status == 0, "\(halted.errors)")
    #expect(try listed(fleet).contains("production 10%@0h, 25%@12h, 50%@24h, 0%@26h"))
    let lead = "2.0 comes to production/android at 2025-03-04 08:00 UTC all the same: "
    #expect(try paste(lead, halted, fleet).status == 0)
    #expect(try !listed(fleet).contains { $0.contains("android") })
  }

  /// A halt that is told late: what came after it is out by now, and nobody is sent to take it back.
  @Test func whatCameAfterALateHaltStaysOpen() throws {
    let since = ["2.0", "--app", "a", "--at", "2025-03-03T06:00:00Z", "--platform", "android"]
    let fleet = try Self.fleet([["2.0"] + Self.own + Self.steps, since])
    let halted = try fleet.ask("release", "halt", "2.0", "--at", "2025-03-03T04:00:00Z")
    #expect(halted.status == 0 && !halted.errors.contains("withdraw"), "\(halted.errors)")
    #expect(try paste("2.0 stays open on production/android: ", halted, fleet).status == 0)
    let left = try listed(fleet)
    #expect(left.allSatisfy { $0.contains(", 0%@") }, "\(left)")
  }

  @Test func whatDevicesHaveIsNotOnlyWithdrawn() throws {
    let fleet = try Self.fleet()
    let before = try listed(fleet)
    let taken = try fleet.ask("release", "withdraw", "2.0")
    #expect(taken.errors.contains("devices have had 2.0 on production since 2025-03-02 09:00 UTC"), "\(taken.errors)")
    #expect(taken.errors.contains("uptake release halt 2.0 --app a --channel production --db"), "\(taken.errors)")
    let shown = try Binary.run("release", "show", "2.0", "--db", fleet.database)
    #expect(shown.errors.contains("withdrawn from production at "), "\(shown.errors)")
    #expect(!shown.errors.contains("release publish"), "\(shown.errors)")
    #expect(try paste("to put it back: ", taken, fleet).status == 0)
    #expect(try listed(fleet) == before)
    #expect(try !Binary.run("release", "show", "2.0", "--db", fleet.database).errors.contains("withdrawn"))
  }

  /// Eight hours east of Greenwich a local time lies eight hours ahead.
  @Test(arguments: [
    ("2025-03-02T16:00:00Z", "6 of 6 devices have spoken of 2.0 on production since 2025-03-02 09:00 UTC, 7.0h before"),
    ("2025-03-03T18:00:00Z", "2.0 comes only in 8.0h, at 2025-03-03 18:00 UTC"),
    ("2025-03-03T18:00:00Z", "since 2025-03-02 09:00 UTC, 33.0h before: is its time right (UTC)?"),
    ("2025-02-27T08:00:00Z", "1.0, published at 2025-02-28 08:00 UTC, counts as newer than 2.0"),
    ("2025-03-02T09:04:00Z", ""), ("2025-03-02T08:00:00Z", ""),
  ]) func timesThatEventsContradictAreTold(_ time: String, _ note: String) throws {
    let fleet = try Self.fleet([["1.0", "--app", "a", "--at", "2025-02-28T08:00:00Z"]])
    let said = try fleet.ask("release", "publish", "2.0", "--at", time, "--rollout", "10%@0h,50%@24h")
    #expect(said.status == 0 && (note.isEmpty ? said.errors.isEmpty : said.errors.contains(note)), "\(said.errors)")
    if note.isEmpty { return }
    #expect(try paste("to set it right: ", said, fleet).status == 0)
    let list = try Binary.run("release", "show", "2.0", "--db", fleet.database)
    #expect(list.output.contains("2025-03-02T09:00:00Z") && list.output.contains("10%@0h, 50%@24h"), "\(list.output)")
  }

  /// What a few devices say, whose clocks are days slow, sets no time: only what many say does.
  @Test(
    arguments: [
      (
        2, 98, "2025-03-02T08:55:00Z", "2 of 100 devices have spoken of 2.0 on production since 2025-02-28 12:00 UTC",
        nil
      ),
      (2, 98, "2025-03-02T16:00:00Z", "100 of 100 devices have spoken of 2.0", "2025-03-02T09:00:00Z"),
      (30, 70, "2025-03-02T08:55:00Z", "30 of 100 devices have spoken of 2.0", "2025-02-28T12:00:00Z"),
      (4, 0, "2025-03-02T08:55:00Z", "4 of 4 devices have spoken of 2.0", nil),
      (1, 149, "2025-03-02T08:55:00Z", nil, nil),
    ] as [(Int, Int, String, String?, String?)]) func slowClocksSetNoTime(
      _ early: Int, _ others: Int, _ at: String, _ note: String?, _ offer: String?
    ) throws
  {
    let events = (0..<early + others).map { number in
      let time = number < early ? "2025-02-28T12:00:00Z" : "2025-03-02T09:00:00Z"
      return #"{"app":"a","device":"d\#(number)","stage":"applied","at":"\#(time)","release":"2.0","platform":"ios"}"#
    }
    for platform in [[], ["--platform", "ios"]] {
      let fleet = try QuestionsFleet(events.joined(separator: "\n"), publications: [], now: Self.now)
      let said = try fleet.ask(["release", "publish", "2.0", "--app", "a", "--at", at] + platform)
      #expect(note.map(said.errors.contains) ?? said.errors.isEmpty, "\(said.errors)")
      #expect(said.errors.contains("to set it right") == (offer != nil), "\(said.errors)")
      #expect(offer.map { said.errors.contains("--at \($0)") } ?? true, "\(said.errors)")
    }
  }

  /// A tenth of all clocks is two years slow, and others are some hours: only where those contradict it another time is offered.
  @Test(
    arguments: [
      ("2025-03-02T08:55:00Z", "so long before all others they may have slow clocks", nil),
      ("2025-03-02T16:00:00Z", "100 of 100 devices have spoken of 2.0", "2025-03-02T09:00:00Z"),
    ] as [(String, String, String?)]) func clocksYearsSlowSetNoTime(_ at: String, _ note: String, _ offer: String?)
    throws
  {
    let events = (0..<100).map { number in
      let time = number < 10 ? "2023-03-0\(number % 3 + 1)T09:00:00Z" : "2025-03-02T09:00:00Z"
      return #"{"app":"a","device":"d\#(number)","stage":"applied","at":"\#(time)","release":"2.0","platform":"ios"}"#
    }
    let fleet = try QuestionsFleet(events.joined(separator: "\n"), publications: [], now: Self.now)
    let said = try fleet.ask("release", "publish", "2.0", "--app", "a", "--at", at)
    #expect(said.errors.contains(note) && said.errors.contains("to set it right") == (offer != nil), "\(said.errors)")
    #expect(offer.map { said.errors.contains("--at \($0)") } ?? true, "\(said.errors)")
  }

  /// Who goes back registers what was out long ago, and older releases are registered late.
  @Test func goingBackIsNoSlip() throws {
    let fleet = try Self.fleet([["2.0"] + Self.own])
    let back = try fleet.ask("release", "publish", "2.0", "--app", "a", "--at", "0h")
    #expect(back.errors.contains("2.0 was registered there") && !back.errors.contains("spoken"), "\(back.errors)")
    let older = try fleet.ask("release", "publish", "1.0", "--app", "a", "--at", "2025-02-01T00:00:00Z")
    #expect(older.errors.isEmpty, "\(older.errors)")
  }
}
