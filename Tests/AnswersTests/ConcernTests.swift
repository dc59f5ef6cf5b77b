import Console
import Lifecycle
import Query
import Store
import Testing

@testable import Answers

/// What stands below the verdicts of `uptake status`, and what does not.
struct ConcernTests {
  private static let now = Timestamp(seconds: 1_750_000_000)

  @Test func silenceIsMoreThanAnHour() {
    #expect(Concern.silence("a", nil, Self.now - .minutes(60), now: Self.now) == nil)
    #expect(
      Concern.silence("a", nil, Self.now - .minutes(90), now: Self.now)?.message
        == "a: no device was heard of for 1.5h, since 2025-06-15 13:36 UTC")
    #expect(Concern.silence("a", nil, nil, now: Self.now)?.message == "a: no device was heard of yet")
  }

  /// Clocks of devices are ahead or behind; of imports nobody knows when they were received.
  @Test(arguments: [
    (90, false, -1400, true), (5, false, 180, false), (90, true, 5, false), (90, true, 90, true),
    (-90, false, 90, true), (-1, false, 90, false),
  ])
  func silenceGoesByTheTimeOfReceipt(_ received: Int, _ isBeforeImports: Bool, _ contact: Int, _ isSilent: Bool) {
    func ago(_ minutes: Int) -> Timestamp { Timestamp(seconds: Self.now.seconds - Int64(minutes) * 60) }
    let receipt = NewestReceipt(at: ago(received), isBeforeImports: isBeforeImports)
    let concern = Concern.silence("a", receipt, ago(contact), now: Self.now)
    #expect((concern != nil) == isSilent)
  }

  /// Clocks of one phone in ten are a day ahead: what they say, crashes too, does not count yet, and no verdict tells of it.
  @Test(arguments: [0, 20]) func devicesSpeakFromTheFuture(_ ahead: Int) throws {
    let phones = (0..<200).flatMap { number in
      ["2025-03-03T08:00:00Z", number < ahead ? "2025-03-04T10:00:00Z" : "2025-03-03T10:00:00Z"].map {
        #"{"device":"d\#(number)","stage":"check","platform":"ios","release":"1.0","at":"\#($0)"}"#
      }
    }.joined(separator: "\n")
    let database = try Database(phones)
    let now = try Timestamp(rfc3339: "2025-03-03T12:00:00Z")
    let status = try Status(Snapshot(path: database.path), app: nil, channels: [], Verdict.Options(), now: now)
      .text(width: 400, glyphs: .ascii, colour: false)
    #expect(status.contains("! a: clocks are wrong on ios: 10.0% ") == (ahead > 0), "\(status)")
    #expect(
      status.contains("; what they say, crashes too, does not count before its time: uptake diagnose") == (ahead > 0),
      "\(status)")
  }

  /// A client that says `prodution`.
  @Test(arguments: [("production", 1), ("prodution", 0)])
  func aChannelIsSpeltInTwoWays(_ registered: String, _ concerns: Int) throws {
    let phones = (0..<60).map { number in
      #"{"device":"d\#(number)","stage":"check","channel":"prodution","release":"1.0","at":"2025-03-03T08:00:00Z"}"#
    }.joined(separator: "\n")
    let (database, at) = (try Database(phones), try Timestamp(rfc3339: "2025-03-02T00:00:00Z"))
    try Registry(path: database.path).publish(
      Publication(app: "a", release: ReleaseLabel(rawValue: "2.0"), channel: registered, publishedAt: at), now: at)
    let snapshot = try Snapshot(path: database.path)
    let vocabulary = snapshot.vocabulary
    let found = [Concern.channel("a", StrayChannels(vocabulary, app: "a", now: at))].compactMap(\.self)
    #expect(found.map(\.message).count == concerns)
    #expect(
      found.allSatisfy {
        $0.message == "a: no device was ever heard of on production, where releases are registered; devices are on"
          + " prodution, where none is"
      }, "\(found)")
    #expect(StrayChannels(vocabulary, app: "a", now: at - .days(1)) == nil, "before the publication")
    let text = try ask(["diagnose", "--now", "2025-03-03T12:00:00Z"], snapshot)
    #expect(text.contains("channelSilent") == (concerns > 0), "\(text)")
    let adoption = try ask(["adoption", "2.0", "--now", "2025-03-03T12:00:00Z"], snapshot)
    #expect(adoption.contains("it was published on production") == (concerns > 0), "\(adoption)")
  }

  /// Testers get the build that is registered for all others; on a channel with releases of its own one may have brought it.
  @Test(arguments: [(nil, "ready", true), ("1.0", "ready", false), ("2.0", "ready", false), (nil, "check", false)])
  func aReleaseIsNotRegisteredOnAChannel(_ onBeta: String?, _ stage: String, _ isNoted: Bool) throws {
    let phones = (0..<6).map { number in
      let channel = number < 3 ? "production" : "beta"
      return
        #"{"device":"d\#(number)","stage":"\#(stage)","channel":"\#(channel)","release":"2.0","at":"2025-03-03T08:00:00Z"}"#
    }.joined(separator: "\n")
    let (database, at) = (try Database(phones), try Timestamp(rfc3339: "2025-03-02T00:00:00Z"))
    for (label, channel) in [("2.0", "production")] + (onBeta.map { [($0, "beta")] } ?? []) {
      try Registry(path: database.path).publish(
        Publication(app: "a", release: ReleaseLabel(rawValue: label), channel: channel, publishedAt: at), now: at)
    }
    let snapshot = try Snapshot(path: database.path)
    let now = ["--now", "2025-03-03T12:00:00Z"]
    let said =
      "devices on beta took 2.0 since 2025-03-03 08:00 UTC, and no release is registered there: nothing here counts them"
    for question in [["verdict"], ["releases"], ["adoption", "2.0"], ["releases", "--channel", "beta"]] {
      let text = try ask(question + now, snapshot)
      #expect(text.contains("unregistered_channel") == isNoted && text.contains(said) == isNoted, "\(text)")
      let mends = "uptake release publish 2.0 --app a --channel beta --at 2025-03-03T08:00:00Z"
      #expect(text.contains(mends) == isNoted, "\(text)")
      #expect(try !ask(["adoption", "2.0", "--channel", "production"] + now, snapshot).contains(said))
    }
    let status = try Status(snapshot, app: nil, channels: [], Verdict.Options(), now: at + .hours(36))
      .text(width: 400, glyphs: .ascii, colour: false)
    #expect(status.contains("! a: \(said)") == isNoted, "\(status)")
  }

  /// Of two builds one says `prodution`; `beta2` beside `beta1` is another channel, and `us` beside `eu`.
  @Test(arguments: [
    ("production", "prodution", true), ("production", "Production", true), ("production", "prodcution", true),
    ("beta1", "beta2", false), ("production-us", "production-eu", false), ("internal", "external", false),
  ])
  func halfTheDevicesSpellAChannelOtherwise(_ right: String, _ wrong: String, _ isNoted: Bool) throws {
    let phones = (0..<120).map { number in
      let channel = number % 2 == 0 ? right : wrong
      return
        #"{"device":"d\#(number)","stage":"check","channel":"\#(channel)","release":"1.0","at":"2025-03-03T08:00:00Z"}"#
    }.joined(separator: "\n")
    let (database, at) = (try Database(phones), try Timestamp(rfc3339: "2025-03-02T00:00:00Z"))
    try Registry(path: database.path).publish(
      Publication(app: "a", release: ReleaseLabel(rawValue: "1.0"), channel: right, publishedAt: at), now: at)
    let snapshot = try Snapshot(path: database.path)
    #expect(Concern.channel("a", StrayChannels(snapshot.vocabulary, app: "a", now: at)) == nil, "one device is enough")
    let text = try ask(["diagnose", "--now", "2025-03-03T12:00:00Z"], snapshot)
    let said =
      "devices are on \(wrong), where no release is registered; \(right), where releases are, is spelt much like"
    #expect(text.contains("channelSilent") == isNoted && text.contains(said) == isNoted, "\(text)")
  }

  /// A build that says `prod-eu` comes to devices amid a rollout.
  @Test(arguments: [(30, true), (3, false)]) func aChannelIsLeft(_ gone: Int, _ isNoted: Bool) throws {
    let phones = (0..<40).flatMap { number in
      [("production", 1), ("production", 2), (number < gone ? "prod-eu" : "production", 3)].map { channel, day in
        #"{"device":"d\#(number)","stage":"check","channel":"\#(channel)","release":"1.0","at":"2025-03-0\#(day)T08:00:00Z"}"#
      }
    }.joined(separator: "\n")
    let (database, at) = (try Database(phones), try Timestamp(rfc3339: "2025-03-02T00:00:00Z"))
    let steps = [RolloutStep(at: at, percent: 10), RolloutStep(at: at + .days(1), percent: 50)]
    try Registry(path: database.path).publish(
      Publication(
        app: "a", release: ReleaseLabel(rawValue: "2.0"), channel: "production", publishedAt: at, rollout: steps),
      now: at)
    let now = try Timestamp(rfc3339: "2025-03-03T12:00:00Z")
    let snapshot = try Snapshot(path: database.path)
    let status = try Status(snapshot, app: nil, channels: [], Verdict.Options(), now: now)
      .text(width: 600, glyphs: .ascii, colour: false)
    let said =
      "! a: 30 of 40 devices went from production to prod-eu, where no release is registered: no verdict is about what they"
      + " do there; where the channel was renamed, register the release there as well: uptake release publish 2.0 --app a"
      + " --channel prod-eu --at 2025-03-02T00:00:00Z --rollout '10%@0h,50%@24h'\n"
    #expect(status.contains(said) == isNoted && status.contains("went from") == isNoted, "\(status)")
    let diagnosis = try ask(["diagnose", "--now", now.rfc3339], snapshot)
    #expect(diagnosis.contains("40 devices heard of within a week: of fewer than 50 nothing is said"), "\(diagnosis)")
  }

  /// The release of weeks ago is published again: what it did then is no news.
  @Test(arguments: [("2025-03-02T00:00:00Z", 0), ("2025-03-03T09:00:00Z", 1)])
  func whatUpdatedBeforeThePublicationIsNoNews(_ published: String, _ concerns: Int) throws {
    let phones = (0..<60).map { number in
      let who = #"{"device":"d\#(number)","channel":"production","at":"2025-03-0"#
      return who + #"1T08:00:00Z","stage":"check","release":"1.0"}"# + "\n" + who
        + #"2T08:00:00Z","stage":"applied","release":"2.0"}"#
    }.joined(separator: "\n")
    let (database, at) = (try Database(phones), try Timestamp(rfc3339: published))
    try Registry(path: database.path).publish(
      Publication(app: "a", release: ReleaseLabel(rawValue: "2.0"), channel: "production", publishedAt: at), now: at)
    let now = try Timestamp(rfc3339: "2025-03-03T12:00:00Z")
    let status = try withExtendedLifetime(database) {
      try Status(Snapshot(path: database.path), app: nil, channels: [], Verdict.Options(), now: now)
        .text(width: 400, glyphs: .ascii, colour: false)
    }
    let said =
      "! a: 60 of 60 devices say they updated to 2.0 before it was published on production: is its publication right?"
    #expect(status.contains(said) == (concerns > 0), "\(status)")
  }

  /// One clock of b is most of a year behind: what it says is no publication, whatever other apps say.
  @Test(arguments: [("2024-05-01", true), ("2025-03-02", false)])
  func aPublicationRestsOnAWrongClock(_ day: String, _ isNoted: Bool) throws {
    let phones = [("a", 3), ("b", 200)].flatMap { app, devices in
      (0..<devices).map { number in
        let at = "\(app == "b" && number == 0 ? day : "2025-03-02")T08:00:00Z"
        return #"{"app":"\#(app)","device":"d\#(number)","stage":"ready","release":"1.0","at":"\#(at)","#
          + #""received":"2025-03-02T08:00:20Z"}"#
      }
    }.joined(separator: "\n")
    let (database, now) = (try Database(phones, app: nil), try Timestamp(rfc3339: "2025-03-02T09:00:00Z"))
    let snapshot = try Snapshot(path: database.path)
    let status = try Status(snapshot, app: nil, channels: [], Verdict.Options(), now: now)
      .text(width: 600, glyphs: .ascii, colour: false)
    let said = "! b: 2024-05-01T08:00:00Z, the first event about 1.0, is hardly when it was published"
    #expect(status.contains(said) == isNoted && status.contains("is hardly when") == isNoted, "\(status)")
    let releases = try ask(["releases", "--now", now.rfc3339], snapshot)
    #expect(releases.contains(Warning.doubtfulPublication) == isNoted, "\(releases)")
  }

  /// A build for testers says `B.Shop`; who asks about one of the two is told, who asks about another app is not.
  @Test(arguments: [(nil, true), ("b.shop", true), ("B.Shop", true), ("b.shopping", false)] as [(String?, Bool)])
  func anAppIsSpeltInTwoWays(_ asked: String?, _ isNoted: Bool) throws {
    let phones = ["b.shop", "B.Shop", "b.shopping"].map {
      #"{"app":"\#($0)","device":"d","stage":"check","release":"1.0","at":"2025-03-03T08:00:00Z"}"#
    }.joined(separator: "\n")
    let (database, now) = (try Database(phones, app: nil), try Timestamp(rfc3339: "2025-03-03T08:30:00Z"))
    let status = try withExtendedLifetime(database) {
      try Status(Snapshot(path: database.path), app: asked, channels: [], Verdict.Options(), now: now)
        .text(width: 400, glyphs: .ascii, colour: false)
    }
    let said = "! B.Shop, b.shop are spelt alike and count as 2 apps, each with its own devices and releases"
    #expect(status.contains(said) == isNoted, "\(status)")
  }

  /// Published for `ios`.
  @Test(arguments: [
    (["iOS"], "a: releases were published for ios, which no device names; devices are on iOS"),
    (
      ["ios", "iOS"],
      "a: devices name iOS, ios, which count as different platforms: a release for one is not for the other"
    ),
    (["ios", "android"], nil), ([], nil),
  ])
  func aPlatformIsSpeltInTwoWays(_ heard: [String], _ said: String?) throws {
    let events = heard.map {
      #"{"device":"\#($0)","stage":"check","platform":"\#($0)","at":"2025-03-03T08:00:00Z"}"#
    }.joined(separator: "\n")
    let (database, at) = (try Database(events), try Timestamp(rfc3339: "2025-03-02T00:00:00Z"))
    try Registry(path: database.path).publish(
      Publication(
        app: "a", release: ReleaseLabel(rawValue: "2.0"), channel: "production", platform: "ios", publishedAt: at),
      now: at)
    let snapshot = try Snapshot(path: database.path)
    let vocabulary = snapshot.vocabulary
    for question in [["verdict"], ["releases"], ["adoption", "2.0"]] where !heard.isEmpty {
      let text = try ask(question + ["--now", "2025-03-03T12:00:00Z"], snapshot)
      #expect(text.contains(Warning.strayPlatform) == (said != nil), "\(text)")
      #expect(said.map { text.contains($0.dropFirst("a: ".count)) } ?? true, "\(text)")
    }
    #expect(Concern.platform("a", StrayPlatforms(vocabulary, app: "a", now: at + .days(1)))?.message == said)
    #expect(StrayPlatforms(vocabulary, app: "a", now: at + .days(40)) == nil)
  }

  /// Registered as `2.0.0`.
  @Test(arguments: [("v2.0.0", 1), ("2.0.0+45", 1), ("2.0.0 (45)", 1), ("2.0.0", 0), ("2.0.1", 0)])
  func aReleaseIsSpeltInTwoWays(_ heard: String, _ concerns: Int) throws {
    let event =
      #"{"device":"d","stage":"applied","channel":"production","release":"\#(heard)","at":"2025-03-03T08:00:00Z"}"#
    let (database, at) = (try Database(event), try Timestamp(rfc3339: "2025-03-02T00:00:00Z"))
    try Registry(path: database.path).publish(
      Publication(app: "a", release: ReleaseLabel(rawValue: "2.0.0"), channel: "production", publishedAt: at), now: at)
    let snapshot = try Snapshot(path: database.path)
    let found = Concern.release("a", StrayReleases(snapshot.vocabulary, app: "a", now: at))
    #expect((found == nil) == (concerns == 0), "\(String(describing: found))")
    let said =
      "a: 2.0.0 is registered, and no device names it; devices name \(heard), which nobody registered: register"
    #expect(found.map { $0.message.hasPrefix(said) } ?? true, "\(String(describing: found))")
    let now = ["--now", "2025-03-03T12:00:00Z"]
    for question in [["verdict"], ["releases"], ["adoption", heard]] {
      let text = try ask(question + now, snapshot)
      #expect(text.contains(Warning.strayRelease) == (concerns > 0), "\(text)")
      #expect(text.contains(said.dropFirst("a: ".count)) == (concerns > 0), "\(text)")
    }
    // What nobody names says nothing of what is usual.
    let adoption = try ask(["adoption", heard] + now, snapshot)
    #expect(adoption.contains("no earlier release of the channel is known") == (heard != "2.0.1"), "\(adoption)")
  }

  /// Registered as clients spell it, taken back, and registered otherwise.
  @Test func ofASpellingThatWasWithdrawnItIsSaid() throws {
    let event = #"{"device":"d","stage":"applied","release":"2.0","at":"2025-03-03T08:00:00Z"}"#
    let (database, at) = (try Database(event), try Timestamp(rfc3339: "2025-03-02T00:00:00Z"))
    let registry = try Registry(path: database.path)
    for label in ["2.0", "v2.0"] {
      try registry.publish(
        Publication(app: "a", release: ReleaseLabel(rawValue: label), channel: "production", publishedAt: at), now: at)
    }
    let place = PublicationPlace(app: "a", release: ReleaseLabel(rawValue: "2.0"), channel: "production", platform: nil)
    #expect(try registry.withdraw(place, now: at + .hours(30)) != nil)
    let stray = StrayReleases(try Snapshot(path: database.path).vocabulary, app: "a", now: at + .days(2))
    #expect(stray?.words.contains("devices name 2.0, whose publication was withdrawn at 2025-03-03 06:00 UTC") == true)
  }

  /// Local times that are sent as UTC, east and west of it; and half a fleet.
  @Test(arguments: [
    (
      9, 100,
      "100.0% of 200 events received since 2025-03-02 00:00 UTC say that they happened after their receipt, by about 9.0h"
    ),
    (
      5, 40,
      "40.0% of 200 events received since 2025-03-02 00:00 UTC say that they happened after their receipt, by about 5.0h"
    ),
    (-7, 100, "all but 1% of 200 events received since 2025-03-02 00:00 UTC say that they happened about 7."),
    (9, 5, nil), (-7, 98, nil), (0, 100, nil),
  ])
  func clocksAreShifted(_ hours: Int, _ percent: Int, _ said: String?) throws {
    let (database, now) = (
      try Database(Self.visits(200, hours, percent)), try Timestamp(rfc3339: "2025-03-03T12:00:00Z")
    )
    let text = try withExtendedLifetime(database) {
      try Status(Snapshot(path: database.path), app: nil, channels: [], Verdict.Options(), now: now)
        .text(width: 400, glyphs: .ascii, colour: false)
    }
    #expect(text.contains("are local times sent as UTC") == (said != nil), "\(text)")
    #expect(said.map { text.contains("! a: \($0)") } ?? true, "\(text)")
  }

  private static func visits(_ devices: Int, _ hours: Int, _ percent: Int) throws -> String {
    let received = try Timestamp(rfc3339: "2025-03-03T08:00:00Z")
    return (0..<devices).map { number in
      let at = received - .seconds(20) + .hours(number * 100 < percent * devices ? Int64(hours) : 0)
      return #"{"device":"d\#(number)","stage":"check","channel":"production","release":"1.0","#
        + #""at":"\#(at.rfc3339)","received":"\#(received.rfc3339)"}"#
    }.joined(separator: "\n")
  }

  /// What `diagnose` finds of it, in a line each.
  @Test func whatNoLongerGetsThrough() throws {
    let phones = (0..<240).flatMap { number in
      let platform = number % 2 == 0 ? "android" : "ios"
      return (number % 2 == 0 ? [2, 3] : [2]).map { day in
        #"{"device":"d\#(number)","stage":"check","platform":"\#(platform)","channel":"production","release":"1.0","#
          + #""at":"2025-03-0\#(day)T11:00:00Z"}"#
      }
    }
    let silent = try Self.status(phones)
    #expect(
      silent.contains(
        "! a: 0 devices of ios spoke in the 4.0h until 2025-03-03 12:00 UTC, and 120 in the same hours a day before: what"
          + " they did since is not known: uptake diagnose\n"), "\(silent)")
    let all = phones.map { $0.replacing("ios", with: "android") }
    #expect(try !Self.status(all.filter { $0.contains("03T") }).contains("uptake diagnose"), "nothing is usual")
    let pushes = (0..<240).flatMap { number in
      let who = #"{"device":"d\#(number)","channel":"production","at":"2025-03-03T11:"#
      return [
        who + #"00:00Z","stage":"check","platform":"ios","release":"1.0"}"#,
        who + #"30:00Z","stage":"pushSent","push":"p","outcome":"rejected","reason":"ExpiredProviderToken"}"#,
      ]
    }
    let refused = try Self.status(pushes)
    #expect(refused.contains("! a: the gateway refuses pushes on ios: 100.0% (98.4–100.0) of 240"), "\(refused)")
    #expect(refused.contains("it says ExpiredProviderToken 240 of 240: uptake diagnose\n"), "\(refused)")
    let database = try Database(pushes.joined(separator: "\n"))
    let notes = try answer(["push", "--now", "2025-03-05T12:00:00Z"], Snapshot(path: database.path)).presentation
      .notes()
    #expect(notes.contains { $0.hasPrefix("all 240 pushes were refused by the gateway: none was taken") }, "\(notes)")
    #expect(!notes.contains { $0.contains("device hours") }, "\(notes)")
  }

  private static func status(_ lines: [String]) throws -> String {
    let (database, now) = (
      try Database(lines.joined(separator: "\n")), try Timestamp(rfc3339: "2025-03-03T12:00:00Z")
    )
    return try withExtendedLifetime(database) {
      try Status(Snapshot(path: database.path), app: nil, channels: [], Verdict.Options(), now: now)
        .text(width: 400, glyphs: .ascii, colour: false)
    }
  }

  @Test func devicesWaitToBeForgotten() {
    #expect(Concern.forgetting(0) == nil)
    #expect(Concern.forgetting(1)?.message == "1 device was to be forgotten and is not yet: uptake doctor")
    #expect(Concern.forgetting(2)?.message == "2 devices were to be forgotten and are not yet: uptake doctor")
  }

  @Test func retentionFailsOrIsNotDone() {
    #expect(Concern.retention(nil, now: Self.now) == nil)
    var standing = RetentionStanding(every: .days(1), succeeded: Self.now - .days(2))
    #expect(Concern.retention(standing, now: Self.now) == nil)
    #expect(
      Concern.retention(standing, now: Self.now + .hours(36))?.message
        == "old events were last taken out 3.5d ago, and are to be every 24.0h: does uptake serve run: uptake doctor")
    (standing.failingSince, standing.reason) = (Self.now - .hours(2), "no space is left")
    #expect(
      Concern.retention(standing, now: Self.now)?.message
        == "old events could not be taken out since 2025-06-15 13:06 UTC: no space is left: uptake doctor")
  }

  @Test func anExportFailsWhereItsNewestAttemptDid() {
    var standing = ExportStanding(target: "sentry https://sentry.example")
    #expect(Concern.export(standing) == nil)
    (standing.failedAt, standing.reason, standing.waiting) = (Self.now - .hours(2), "500 oops", 3)
    #expect(
      Concern.export(standing)?.message
        == "sentry https://sentry.example: the newest attempt failed at 2025-06-15 13:06 UTC, 3 facts waiting: 500 oops"
    )
    standing.sentAt = Self.now - .hours(1)
    #expect(Concern.export(standing) == nil)
  }

  @Test func aBackupIsOldAfterAWeek() {
    #expect(Concern.backup(Self.now - .days(7), now: Self.now) == nil)
    #expect(
      Concern.backup(Self.now - .days(8), now: Self.now)?.message == "the last backup is 8.0d old: uptake backup FILE")
    #expect(Concern.backup(nil, now: Self.now)?.message == "no backup was ever made: uptake backup FILE")
    let typed = Concern.backup(nil, now: Self.now)?.naming((name: "db", value: "other one.db"))
    #expect(typed?.message == "no backup was ever made: uptake backup FILE --db 'other one.db'")
    #expect(typed?.lines(fitting: 70) == ["! no backup was ever made: uptake backup FILE --db 'other one.db'"])
    #expect(
      typed?.lines(fitting: 30) == ["! no backup was ever made:", "  uptake backup FILE --db 'other one.db'"])
  }

  @Test func aCopyIsOldAfterAnHour() {
    #expect(Concern.copy(nil, now: Self.now) == nil)
    #expect(Concern.unconfirmedCopy.message.hasPrefix("a copy is to be kept, and nothing of it was ever confirmed"))
    #expect(Concern.copy(CopyStanding(address: "/mnt/c", through: Self.now - .minutes(60)), now: Self.now) == nil)
    #expect(
      Concern.copy(CopyStanding(address: "/mnt/c", through: Self.now - .hours(2)), now: Self.now)?.message
        == "the copy at /mnt/c is 2.0h behind: uptake replicate, or serve --replicate")
  }
}
