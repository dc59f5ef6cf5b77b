import Lifecycle
import Statistics
import Store
import Testing

@testable import Query

/// Whom a release fails on, in fleets where that is known.
@Suite struct SuspectsTests {
  private static let models = [
    ("ios", "iPhone15,2"), ("ios", "iPhone16,1"), ("android", "Pixel 8"), ("android", "SM-G991B"), ("android", "Mi 11"),
  ]
  private static let now = "2024-03-07T12:00:00Z"

  private struct Phone {
    var number: Int
    var platform: String { models[number % models.count].0 }
    var model: String { models[number % models.count].1 }
    /// Goes with no model.
    var region: String { number / models.count % 4 == 0 ? "DE" : "US" }
    /// Goes with neither.
    var turn: Int { number / models.count / 4 }

    func lines(_ release: String, from hour: Int64, fails: Bool, by trigger: String = "foreground") -> [String] {
      let stages: [(String, Int64)] = [("downloadStarted", 10), ("applied", 20)] + (fails ? [("crashed", 30)] : [])
      return stages.map { stage, minute in
        let at = instant("2024-03-06T00:00:00Z") + .hours(hour) + .minutes(minute)
        return #"{"device":"d\#(number)","platform":"\#(platform)","channel":"production","deviceModel":"\#(model)","#
          + #""region":"\#(region)","stage":"\#(stage)","release":"\#(release)","trigger":"\#(trigger)","at":\#(at.rawValue)}"#
      }
    }
  }

  /// Of each phone the events of 1.0.0, at which nobody fails, and of 2.0.0.
  private func fleet(of phones: Int = 400, _ fails: (Phone) -> Bool) throws -> Fleet {
    let fleet = try Fleet()
    let lines = (0..<phones).map(Phone.init).flatMap {
      $0.lines("1.0.0", from: 1, fails: false) + $0.lines("2.0.0", from: 34, fails: fails($0))
    }
    try fleet.load(lines.joined(separator: "\n"))
    try fleet.publish(
      [("1.0.0", "2024-03-06T00:00:00Z"), ("2.0.0", "2024-03-07T09:30:00Z")].map { release, at in
        Publication(
          app: "com.example.demo", release: ReleaseLabel(rawValue: release), channel: "production",
          publishedAt: try Timestamp(rfc3339: at))
      })
    return fleet
  }

  private func ask(_ fleet: Fleet, _ change: (inout Selection) -> Void = { _ in }) throws -> Query.Answer<Suspects> {
    let snapshot = try Snapshot(path: fleet.path)
    return try Suspects.answer(snapshot, try fleet.chosen("2.0.0", now: try Timestamp(rfc3339: Self.now), change))
  }

  @Test func findsTheModelAndWhatOnlyGoesWithIt() throws {
    let rows = try ask(fleet { $0.model == "SM-G991B" && $0.turn % 2 == 0 }).data
    #expect(rows.map { "\($0.by) \($0.value)" } == ["deviceModel SM-G991B", "platform android"])
    let (model, platform) = (try #require(rows.first), try #require(rows.last))
    #expect((model.watched, model.watchedFailures) == (80, 40))
    #expect((model.others.watched, model.others.watchedFailures) == (320, 0))
    #expect(model.withoutFirst == nil && !model.isExplainedByFirst)
    #expect((platform.watched, platform.watchedFailures) == (240, 40))
    #expect((platform.withoutFirst?.watched, platform.withoutFirst?.watchedFailures) == (160, 0))
    #expect(platform.isExplainedByFirst)
    // Five models, two platforms, two regions; all are on one channel, of one mechanism, and say no versions.
    #expect(rows.allSatisfy { $0.compared == 9 })
    #expect((model.previous?.release, model.previous?.watched, model.previous?.watchedFailures) == ("1.0.0", 80, 0))
    #expect(model.previous?.difference.value == 0 && model.difference.value == 0.5)
  }

  /// Devices of 1.0.0 say nothing of themselves but the platform; of 2.0.0 those that got it say their model. One of six fails on
  /// Android, of others one in a hundred.
  ///
  /// - Parameter starts: whether it is known when attempts began.
  @Test(arguments: [true, false]) func whatIsFirstSaidByWhoGotItIsNoCause(_ starts: Bool) throws {
    let fleet = try Fleet()
    let lines = (0..<600).flatMap { number -> [String] in
      let platform = number % 2 == 0 ? "android" : "ios"
      let fails = number % 2 == 0 ? number % 12 == 0 : number % 100 == 1
      func line(_ stage: String, _ release: String, _ minute: Int64, _ more: String = "") -> String {
        let at = instant("2024-03-06T00:00:00Z") + .minutes(minute)
        return #"{"device":"d\#(number)","platform":"\#(platform)","channel":"production","stage":"\#(stage)","#
          + #""release":"\#(release)","trigger":"foreground","at":\#(at.rawValue)\#(more)}"#
      }
      return [line("check", "1.0.0", 600)] + (starts ? [line("ready", "2.0.0", 2040)] : [])
        + [
          fails
            ? line("failed", "2.0.0", 2041)
            : line("applied", "2.0.0", 2041, #","deviceModel":"m\#(number / 2 % 3)","region":"DE""#)
        ]
    }
    try fleet.load(lines.joined(separator: "\n"))
    try fleet.publish(
      [("1.0.0", "2024-03-06T00:00:00Z"), ("2.0.0", "2024-03-07T09:30:00Z")].map { release, at in
        Publication(
          app: "com.example.demo", release: ReleaseLabel(rawValue: release), channel: "production",
          publishedAt: try Timestamp(rfc3339: at))
      })
    let rows = try ask(fleet).data
    #expect(rows.map { "\($0.by) \($0.value)" } == ["platform android"], "\(rows.map { ($0.by, $0.value) })")
    #expect(rows.first.map { $0.watchedFailures } == 50)
  }

  /// An arm is a cause as others are: what the experiment gives its devices may break the release.
  @Test func looksAtArms() throws {
    let fleet = try Fleet()
    let lines = (0..<400).flatMap { number -> [String] in
      let fails = number % 2 == 0 && number % 10 == 0
      let stages: [(String, Int64)] = [("downloadStarted", 10), ("applied", 20), ("crashed", 30)]
      return stages.prefix(fails ? 3 : 2).map {
        stage, minute -> String in
        let at = instant("2024-03-07T10:00:00Z") + .minutes(minute)
        return
          #"{"device":"d\#(number)","platform":"ios","channel":"production","arm":"\#(number % 2 == 0 ? "b" : "a")","#
          + #""stage":"\#(stage)","release":"2.0.0","trigger":"foreground","at":\#(at.rawValue)}"#
      }
    }
    try fleet.load(lines.joined(separator: "\n"))
    try fleet.publish([
      Publication(
        app: "com.example.demo", release: ReleaseLabel(rawValue: "2.0.0"), channel: "production",
        publishedAt: try Timestamp(rfc3339: "2024-03-07T09:30:00Z"))
    ])
    let first = try #require(try ask(fleet).data.first)
    #expect((first.by, first.value, first.watchedFailures) == ("arm", "b", 40))
  }

  @Test func tellsTwoCausesApart() throws {
    let rows = try ask(fleet { $0.model == "SM-G991B" || $0.region == "DE" && $0.turn % 2 == 0 }).data
    let apart = rows.map { "\($0.by) \($0.value) \($0.isExplainedByFirst ? "goes with it" : "by itself")" }
    #expect(apart == ["deviceModel SM-G991B by itself", "region DE by itself", "platform android goes with it"])
  }

  @Test func countsWhatTheStopRuleWatches() throws {
    let fleet = try fleet { $0.number % 7 == 0 || $0.platform == "android" }
    let snapshot = try Snapshot(path: fleet.path)
    let now = try Timestamp(rfc3339: "2024-03-07T10:25:00Z")
    for row in try Suspects.answer(snapshot, try fleet.chosen("2.0.0", now: now)).data {
      let by = try #require(Grouping(rawValue: row.by))
      let split = try Failures.answer(snapshot, try fleet.chosen("2.0.0", now: now) { $0.by = [by] }).data
      let names = split.map { Labels($0.group).parts[row.by] ?? $0.mechanism }
      let index = try #require(names.firstIndex(of: row.value))
      let same = split[index]
      #expect((same.stopRule.watched, same.stopRule.watchedFailures) == (row.watched, row.watchedFailures), "\(row.by)")
      // None is an hour old: an answer that waits for that has nothing to say.
      #expect(same.attempts == 0 && row.watched > 0)
    }
  }

  @Test(arguments: [
    ("0 of 400 first attempts failed so far: there is nothing to look for", 0),
    (
      "80 of 400 first attempts failed so far, and of 9 values that devices differ in, none goes with more failures for certain",
      1
    ),
  ]) func saysThatNothingStandsOut(_ words: String, _ failing: Int) throws {
    // Of each model and region alike.
    let answer = try ask(fleet { $0.turn % 5 < failing })
    #expect(answer.data.isEmpty)
    #expect(answer.warnings.map(\.message).contains(words), "\(answer.warnings)")
  }

  @Test func asksOnlyWhomItIsToldTo() throws {
    let fleet = try fleet { $0.model == "SM-G991B" }
    #expect(try ask(fleet) { $0.platforms = ["android"] }.data.map(\.value) == ["SM-G991B"])
    #expect(try ask(fleet) { $0.platforms = ["ios"] }.data.isEmpty)
    #expect(try ask(fleet) { $0.only = [ProfileFilter(.deviceModel, ["SM-G991B"])] }.data.isEmpty)
    #expect(try ask(fleet) { $0.minCell = 100 }.data.map(\.value) == ["android"])
    // 20 of them are of that model, 60 are Android.
    let few = try ask(fleet) { ($0.minCell, $0.only) = (30, [ProfileFilter(.region, ["DE"])]) }.data
    #expect(few.map(\.value) == ["android"], "\(few)")
  }

  /// Pushes go out as a server fails, and hardly anybody else tries then: others that do fail alike.
  private func outage(sparesOthers: Bool) throws -> Fleet {
    let fleet = try Fleet()
    let lines = (0..<400).map(Phone.init).flatMap { phone -> [String] in
      let isPushed = phone.number % 2 == 0
      let hour = isPushed ? Int64(34) : 33 + Int64(phone.number / 2 % 10)
      return phone.lines("1.0.0", from: 1, fails: false)
        + phone.lines(
          "2.0.0", from: hour, fails: hour == 34 && (isPushed || !sparesOthers),
          by: isPushed ? "silentPush" : "foreground")
    }
    try fleet.load(lines.joined(separator: "\n"))
    try fleet.publish(
      [("1.0.0", "2024-03-06T00:00:00Z"), ("2.0.0", "2024-03-07T09:00:00Z")].map { release, at in
        Publication(
          app: "com.example.demo", release: ReleaseLabel(rawValue: release), channel: "production",
          publishedAt: try Timestamp(rfc3339: at))
      })
    return fleet
  }

  @Test func namesNobodyForTheHoursOfAnOutage() throws {
    let fleet = try outage(sparesOthers: false)
    let snapshot = try Snapshot(path: fleet.path)
    let answer = try Suspects.answer(
      snapshot, try fleet.chosen("2.0.0", now: try Timestamp(rfc3339: "2024-03-07T20:00:00Z")))
    #expect(answer.data.map { "\($0.by) \($0.value)" } == [])
    let said = try #require(answer.warnings.first { $0.code == "failed_at_hours" }?.message)
    #expect(
      said.hasPrefix(
        "from 2024-03-07 10:00 UTC to 2024-03-07 10:15 UTC 220 of 220 first attempts failed within an hour, at other times 0 of 180;"
          + " mechanism silentPush, "))
    #expect(said.hasSuffix("or at other times: a server or a network may have failed then"))
    #expect(!answer.warnings.contains { $0.code == Warning.nothingStandsOut })
  }

  @Test func namesPushesThatFailWhereOthersDoNot() throws {
    let fleet = try outage(sparesOthers: true)
    let snapshot = try Snapshot(path: fleet.path)
    let answer = try Suspects.answer(
      snapshot, try fleet.chosen("2.0.0", now: try Timestamp(rfc3339: "2024-03-07T20:00:00Z")))
    #expect(answer.data.map { "\($0.by) \($0.value)" } == ["mechanism silentPush"])
    #expect(!answer.warnings.contains { $0.code == "failed_at_hours" })
  }

  /// One ledger may hold what several pages ask: a look without the first cause of one channel is none of another's.
  @Test func aLookWithoutTheFirstIsOfTheSameDevices() throws {
    let fleet = try fleet(of: 20) { $0.number == 0 }
    let snapshot = try Snapshot(path: fleet.path)
    func counting(_ channels: [String]) throws -> SuspectCounting {
      let chosen = try fleet.chosen("2.0.0", now: instant(Self.now)) { $0.channels = channels }
      return SuspectCounting(
        snapshot.vocabulary, chosen, before: nil, excluding: FleetTrait(by: .platform, number: 1))
    }
    #expect(try counting(["production"]).covers(counting(["production"])))
    #expect(try !counting(["production"]).covers(counting([])))
  }

  /// Clients make up tags; some are compared, and how many are not is said.
  @Test func comparesTheFirstTags() throws {
    let fleet = try Fleet()
    let lines = (0..<60).map { device in
      #"{"device":"t\#(device)","stage":"applied","release":"2.0.0","channel":"production","trigger":"foreground","#
        + #""at":"2024-03-07T10:00:00Z","tags":{"n\#(device % 30)":"x"}}"#
    }
    try fleet.load(lines.joined(separator: "\n"))
    let told = try ask(fleet).warnings.first { $0.code == "tags_left_out" }
    #expect(told?.message == "10 tags of 30 are not compared: the first 20 by name are")
  }

  /// A release that nobody has tried yet, and one that three devices tried.
  @Test func hasNothingToSayOfFew() throws {
    let fleet = try fleet(of: 3) { $0.number == 0 }
    let three = try ask(fleet)
    #expect(three.data.isEmpty && three.warnings.contains { $0.code == Warning.nothingStandsOut })
    let snapshot = try Snapshot(path: fleet.path)
    let early = try Suspects.answer(
      snapshot, try fleet.chosen("2.0.0", now: try Timestamp(rfc3339: "2024-03-07T09:59:00Z")))
    #expect(early.data.isEmpty && !early.warnings.contains { $0.code == Warning.nothingStandsOut })
  }
}
