import Foundation
import Testing

/// A slip in a label ends the turn of the release that was meant: whoever publishes it is told.
@Suite struct PublishingSlipsTests {
  @Test(arguments: [
    (["2.O.0"], "no device has named 2.O.0 yet, and it reads like 2.0.0"),
    (["v2.0.0"], "no device has named v2.0.0 yet, and it reads like 2.0.0"),
    (["2.0.1", "--channel", "prodution"], "no device was ever on channel prodution; did you mean production?"),
    (["2.0.1", "--channel", "production,production"], "is taken as the name of one channel"),
    (["2.0.1", "--channel", "beta"], "no device was ever on channel beta; devices are on production: to take it back"),
    (["2.0.1", "--platform", "IOS"], "no device was ever on platform IOS; did you mean ios?"),
    (["2.0.1", "--platform", "iphone"], "no device was ever on platform iphone; devices are on ios"),
    (["2.0.1", "--rollout", "0.1%@0h"], "a step to 0.1% lets 1 of 1,000 devices have it"),
    (["2.0.1"], ""), (["2.0.0"], ""),
  ]) func saysWhatLooksLikeOne(_ words: [String], _ note: String) throws {
    let event =
      #"{"app":"com.example.demo","device":"a","stage":"check","ts":1740787200000,"release":"2.0.0","platform":"ios"}"#
    let fleet = try QuestionsFleet(event, publications: [], now: "2025-03-03T00:00:00Z")
    let result = try fleet.ask(["release", "publish"] + words + ["--app", "com.example.demo"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(note.isEmpty ? !result.errors.contains("note") : result.errors.contains(note), "\(result.errors)")
  }

  /// Also before any device was heard of. It is halted and widened by the name that it has.
  @Test func severalChannelsAreNoneThatDevicesAreOn() throws {
    let database = try scratchFolder() + "/a.db"
    func release(_ words: String...) throws -> Binary.Result {
      try Binary.start(Binary.path, ["release"] + words + ["--app", "a", "--db", database])
    }
    let published = try release("publish", "2.0", "--channel", "production,beta", "--at", "2025-03-01T00:00:00Z")
    #expect(
      published.errors.contains("production,beta is taken as the name of one channel: publish to each of them apart"))
    let halted = try release("halt", "2.0", "--channel", "production,beta")
    #expect(halted.status == 0 && halted.output.contains("\tproduction,beta\t"), "\(halted.errors)")
    #expect(try release("widen", "2.0", "50", "--channel", "production,beta").status == 0)
    let unknown = try release("halt", "2.0", "--channel", "production,alpha")
    #expect(unknown.status == 2 && unknown.errors.contains("2.0 is not registered on production"), "\(unknown.errors)")
    for channel in ["production", "beta"] { _ = try release("publish", "2.0", "--channel", channel) }
    let both = try release("halt", "2.0", "--channel", "production,beta")
    #expect(both.output.contains("\tproduction\t") && both.output.contains("\tbeta\t"), "\(both.output)")
  }

  /// Among several channels that are named a part would stay open, and nothing would say so.
  @Test func aChannelWithACommaStandsForNoPartThatIsRegistered() throws {
    let fleet = try QuestionsFleet("", publications: [], now: "2025-03-03T00:00:00Z")
    func release(_ words: String...) throws -> Binary.Result { try fleet.ask(["release"] + words + ["--app", "a"]) }
    let (both, at) = (["--channel", "production,beta"], ["--at", "2025-03-01T00:00:00Z"])
    for place in [both, ["--channel", "production", "--platform", "ios"]] {
      #expect(try fleet.ask(["release", "publish", "2.0", "--app", "a"] + place + at).status == 0)
    }
    let registered = try listed(fleet)
    for (words, missing) in [(["halt", "2.0"], "beta"), (["widen", "2.0", "50"], "production")] {
      let refused = try fleet.ask(["release"] + words + ["--app", "a"] + both)
      #expect(
        refused.status == 2 && refused.errors.contains("2.0 is not registered on \(missing)"), "\(refused.errors)")
      #expect(refused.errors.contains("it is registered on production,beta, production/ios"), "\(refused.errors)")
      #expect(
        refused.errors.contains("production,beta is the name of one channel; to take it back: uptake release withdraw"),
        "\(refused.errors)")
      #expect(try listed(fleet) == registered)
    }
    for channel in ["production", "beta"] {
      #expect(try fleet.ask(["release", "publish", "2.0", "--app", "a", "--channel", channel] + at).status == 0)
    }
    let parts = try release("halt", "2.0", "--channel", "production,beta")
    #expect(parts.status == 0 && !parts.output.contains("\tproduction,beta\t"), "\(parts.output)")
    let odd =
      "2.0 stays open on production,beta at 100%: uptake release withdraw 2.0 --app a --channel production,beta"
    #expect(parts.errors.contains(odd), "\(parts.errors)")
  }

  /// As a publication it would end the turn of the release before it, and answers would be about a build of the store.
  @Test func whatAStoreShippedIsNotPublished() throws {
    let event = #"{"app":"a","device":"d","stage":"check","ts":1740787200000,"release":"store:2.0","platform":"ios"}"#
    let fleet = try QuestionsFleet(event, publications: [], now: "2025-03-03T00:00:00Z")
    let result = try fleet.ask("release", "publish", "store:2.0", "--app", "a")
    #expect(result.status == 2 && result.errors.contains("is what a store shipped"), "\(result.errors)")
    let steps = try fleet.ask("release", "publish", "2.0", "--app", "a", "--rollout", "10%@0h,100%@0h")
    #expect(steps.status == 2 && steps.errors.contains("two steps are at"), "\(steps.errors)")
    #expect(try !listed(fleet).contains("publishedAt"))
  }

  /// A database without events, or none at all, is where every first release is published.
  @Test func theFirstOneNeedsItsApp() throws {
    let folder = try scratchFolder()
    let key = try Binary.run("key", "create", "--db", folder + "/keys.db", "--app", "a", "--scope", "read")
    try #require(key.status == 0, "\(key.errors)")
    for name in ["keys.db", "none.db"] {
      let result = try Binary.run("release", "publish", "1.0", "--db", folder + "/" + name)
      #expect(result.status == 2 && result.errors.contains("no app is named"), "\(name): \(result.errors)")
      #expect(result.errors.contains("name it with --app") && !result.errors.contains("no events"), "\(result.errors)")
    }
  }

  /// In a bad night somebody halts what nobody registered: what registers it can be pasted.
  @Test func whatIsHaltedHasToBeRegisteredBefore() throws {
    let event =
      #"{"app":"a","device":"d","stage":"ready","ts":1740787200000,"release":"2.0.0","platform":"ios","channel":"beta"}"#
    let fleet = try QuestionsFleet(event, publications: [], now: "2025-03-03T00:00:00Z")
    let own = ["--app", "a", "--channel", "beta"]
    for words in [["halt", "2.0.0"], ["widen", "2.0.0", "50"]] {
      let refused = try fleet.ask(["release"] + words + own)
      let said =
        "devices name it since 2025-03-01 00:00 UTC: register it first, as of when it came: uptake release publish 2.0.0"
        + " --app a --channel beta --at 2025-03-01T00:00:00Z --db "
      #expect(refused.status == 2 && refused.errors.contains(said), "\(refused.errors)")
    }
    for words in [["halt", "3.0.0"], ["withdraw", "2.0.0"]] {
      let refused = try fleet.ask(["release"] + words + own)
      #expect(refused.status == 2 && refused.errors.contains("hint: list what is registered"), "\(refused.errors)")
    }
  }

  /// Nothing is found of it, and nobody is to take that for an answer. Of an empty database it is no slip.
  @Test func anAppThatIsNotThereIsTold() throws {
    let event = #"{"app":"com.example.shop","device":"d","stage":"check","ts":1740787200000,"release":"1.0"}"#
    let fleet = try QuestionsFleet(
      event, publications: [["1.0", "--app", "com.example.shop"]], now: "2025-03-03T00:00:00Z")
    let asked = [
      ["release", "list"], ["release", "halt", "1.0"], ["release", "widen", "1.0", "50"],
      ["release", "withdraw", "1.0"],
    ]
    for words in asked {
      let refused = try Binary.start(Binary.path, words + ["--app", "com.example.shpo", "--db", fleet.database])
      #expect(refused.status == 2 && refused.errors.contains("app \"com.example.shpo\" is not in"), "\(refused.errors)")
      #expect(refused.errors.contains("known apps: com.example.shop"), "\(refused.errors)")
    }
    let key = try Binary.run("key", "create", "--db", fleet.database, "--app", "com.example.shop", "--scope", "read")
    try #require(key.status == 0, "\(key.errors)")
    let keys = try Binary.run("key", "list", "--db", fleet.database, "--app", "com.example.shpo")
    #expect(keys.errors.contains("no key is for that app: keys here are for com.example.shop"), "\(keys.errors)")
    let empty = try QuestionsFleet("", publications: [], now: fleet.now)
    #expect(try Binary.run("release", "list", "--db", empty.database, "--app", "com.example.shop").status == 0)
  }

  private func listed(_ fleet: QuestionsFleet) throws -> String {
    let listed = try Binary.run("release", "list", "--db", fleet.database, "--json")
    try #require(listed.status == 0, "\(listed.errors)")
    return listed.output
  }

  /// Registered on a channel where it never was, a release would wait there for ever.
  @Test func isTakenBack() throws {
    let event = #"{"app":"a","device":"d","stage":"check","ts":1740787200000,"release":"1.0","platform":"ios"}"#
    let own = ["--app", "a", "--at", "2025-03-02T00:00:00Z"]
    let fleet = try QuestionsFleet(event, publications: [["2.0"] + own], now: "2025-03-03T00:00:00Z")
    let wrong = ["2.0"] + own + ["--channel", "beta", "--rollout", "12.5%@1h,100%@36h", "--mandatory"]
    #expect(try fleet.ask(["release", "publish"] + wrong).status == 0)
    let both = try listed(fleet)
    #expect(try fleet.ask("status").output.contains("\tbeta\t"))
    let taken = try fleet.ask("release", "withdraw", "2.0", "--app", "a", "--channel", "beta")
    #expect(taken.status == 0 && taken.output.contains("\tbeta\t"), "\(taken.errors)")
    #expect(try !fleet.ask("status").output.contains("\tbeta\t"))
    let again = try fleet.ask("release", "withdraw", "2.0", "--app", "a", "--channel", "beta")
    #expect(again.status == 2 && again.errors.contains("it is registered on production"), "\(again.errors)")
    let unquoted = taken.errors.replacing("'", with: "")
    let back = try #require(unquoted.split(separator: "\n").last?.split(separator: "uptake ").last)
    let words = back.split(separator: " ").map(String.init)
    #expect(try words.last == fleet.database && Binary.start(Binary.path, words).status == 0, "\(back)")
    #expect(try listed(fleet) == both)
  }

  /// A label that was mistyped, taken back, and named by no device is no release; one that a device names is.
  @Test func aReleaseThatWasMistypedIsGone() throws {
    func event(_ release: String) -> String {
      #"{"app":"a","device":"d","stage":"applied","ts":1740787200000,"release":"\#(release)","platform":"ios"}"#
    }
    let own = ["--app", "a", "--at", "2025-03-01T00:00:00Z"]
    let fleet = try QuestionsFleet(event("1.3.5 (199)"), publications: [["1.3.5"] + own], now: "2025-03-03T00:00:00Z")
    #expect(try fleet.ask("reach", "1.3.5").status != 2)
    #expect(try fleet.ask("release", "withdraw", "1.3.5").status == 0)
    #expect(
      try fleet.ask("release", "publish", "1.3.5 (199)", "--app", "a", "--at", "2025-03-01T00:00:00Z").status == 0)
    let gone = try fleet.ask("reach", "1.3.5")
    #expect(gone.status == 2 && gone.errors.contains("release \"1.3.5\" of a is not in the database"), "\(gone.errors)")
    #expect(gone.errors.contains("did you mean '1.3.5 (199)'?"), "\(gone.errors)")
    let other = try fleet.ask("reach", "1.3.6")
    #expect(other.status == 2 && !other.errors.contains("did you mean"), "\(other.errors)")
    #expect(try !fleet.ask("doctor").output.contains("never registered"))
    #expect(try fleet.ask("report", "--out", fleet.database + ".site").status == 0)
    try FileManager.default.removeItem(atPath: fleet.database + ".site")
    let named = try Binary.start(Binary.path, ["import", "-", "--db", fleet.database], input: event("1.3.5"))
    #expect(try named.status == 0 && fleet.ask("reach", "1.3.5").status != 2)
    #expect(try fleet.ask("doctor").output.contains("1 was withdrawn though devices have it, such as 1.3.5 at"))
  }

  /// An app that was mistyped once made every question ask which app was meant.
  @Test func anAppThatWasMistypedIsGone() throws {
    let event = #"{"app":"com.a","device":"d","stage":"check","ts":1740787200000,"release":"1.0","platform":"ios"}"#
    let at = ["--at", "2025-03-02T00:00:00Z"]
    let fleet = try QuestionsFleet(event, publications: [["2.0", "--app", "com.a"] + at], now: "2025-03-03T00:00:00Z")
    #expect(try fleet.ask(["release", "publish", "2.0", "--app", "com.ab"] + at).status == 0)
    #expect(try fleet.ask("verdict").errors.contains("several apps"))
    #expect(try fleet.ask("release", "withdraw", "2.0", "--app", "com.ab").status == 0)
    let asked = try fleet.ask("verdict")
    #expect(!asked.errors.contains("several apps") && !asked.output.isEmpty, "\(asked.errors)")
    #expect(try !fleet.ask("status").errors.contains("com.ab"))
  }

  /// Neither its publication nor the steps that it took move; the command that is named registers the same.
  @Test func isHalted() throws {
    let event = #"{"app":"a","device":"d","stage":"check","ts":1740787200000,"release":"1.0","platform":"ios"}"#
    let steps = ["2.0", "--app", "a", "--at", "2025-03-02T00:00:00Z", "--rollout", "10%@0h,100%@48h"]
    let fleet = try QuestionsFleet(event, publications: [steps], now: "2025-03-02T21:13:05Z")
    let halt = ["release", "halt", "2.0", "--app", "a"]
    let halted = try fleet.ask(halt)
    #expect(halted.status == 0 && halted.errors.contains("planned steps are dropped: 100% at 2025-03-04 00:00 UTC"))
    let document = try JSONSerialization.jsonObject(with: Data(listed(fleet).utf8))
    #expect(at(document, "data", 0, "publishedAt") as? String == "2025-03-02T00:00:00Z")
    #expect((at(document, "data", 0, "rollout") as? [[String: Any]])?.count == 2)
    #expect(at(document, "data", 0, "rollout", 1, "at") as? String == "2025-03-02T21:13:05Z")
    #expect(try fleet.ask("status").output.contains("the rollout stands at 0%"))
    let printed = try listed(fleet)
    let again = try fleet.ask(halt)
    #expect(try again.status == 0 && listed(fleet) == printed)
    try expectOpens(fleet, again.errors)
    let other = try fleet.ask("release", "halt", "3.0", "--app", "a")
    #expect(other.status == 2 && other.errors.contains("3.0 is not registered on production"), "\(other.errors)")
    #expect(try fleet.ask(halt + ["--at", "2025-03-01T00:00:00Z"]).status == 2)
  }

  /// The command that they end with gives the release, an hour later, to as many as had it before the halt.
  private func expectOpens(_ fleet: QuestionsFleet, _ notes: String) throws {
    let command = try #require(notes.replacing("'", with: "").split(separator: "uptake ").last)
    let words = command.split(whereSeparator: \.isWhitespace).map(String.init)
    let later = "2025-03-02T22:13:05Z"
    let opened = try Binary.start(Binary.path, words + ["--now", later])
    #expect(opened.status == 0 && !opened.errors.contains("note"), "\(notes): \(opened.errors)")
    let document = try JSONSerialization.jsonObject(with: Data(listed(fleet).utf8))
    let steps = try #require(at(document, "data", 0, "rollout") as? [[String: Any]])
    #expect(steps.map { $0["percent"] as? Double } == [10, 0, 10], "\(steps)")
    #expect(steps.last?["at"] as? String == later)
    let status = try Binary.run("status", "--db", fleet.database, "--now", "2025-03-02T23:00:00Z")
    #expect(!status.output.contains("the rollout stands at 0%"), "\(status.output)")
  }

  /// As a runner registers it whose clock is ahead.
  @Test func aFirstStepToComeIsWaitedFor() throws {
    let event = #"{"app":"a","device":"d","stage":"check","ts":1740787200000,"release":"1.0","platform":"ios"}"#
    let steps = ["2.0", "--app", "a", "--at", "2025-03-02T00:00:00Z", "--rollout", "10%@30h"]
    let fleet = try QuestionsFleet(event, publications: [steps], now: "2025-03-02T21:13:05Z")
    let asked = try fleet.ask("verdict", "2.0", "--format", "json")
    let row = try at(JSONSerialization.jsonObject(with: Data(asked.output.utf8)), "data", 0)
    #expect(asked.status == 4 && at(row, "condition") as? String == "halted", "\(asked)")
    #expect(at(row, "lookAgainAt") as? String == "2025-03-03T06:00:00Z")
    #expect(at(row, "wouldChange") as? String == "its step to 10.0% at 2025-03-03 06:00 UTC")
    let why = at(row, "reasons", 0, "sentence") as? String
    #expect(why?.hasPrefix("the rollout stands at 0% until its step to 10.0% at 2025-03-03 06:00 UTC") == true)
  }

  /// A release that is registered for later is known.
  @Test func whatIsScheduledIsSaid() throws {
    let event = #"{"app":"a","device":"d","stage":"check","ts":1740787200000}"#
    let fleet = try QuestionsFleet(
      event,
      publications: [
        ["2.0", "--app", "a", "--at", "2025-03-08T09:00:00Z"],
        ["2.0", "--app", "a", "--channel", "beta", "--platform", "ios", "--at", "2025-03-07T09:00:00Z"],
      ], now: "2025-03-03T00:00:00Z")
    let words = "2.0 comes to beta for ios at 2025-03-07 09:00 UTC, 2.0 comes to production at 2025-03-08 09:00 UTC"
    for format in ["table", "tsv"] {
      for question in ["status", "verdict"] {
        let said = try fleet.ask(question, "--format", format)
        #expect((said.output + said.errors).contains("no release is out yet: \(words)"), "\(said)")
        #expect(!(said.output + said.errors).contains("no release is known"), "\(said)")
      }
    }
    let beta = try fleet.ask("verdict", "--channel", "beta", "--format", "table")
    #expect(!(beta.output + beta.errors).contains("production at"), "\(beta)")
    let site = try scratchFolder() + "/site"
    try #require(try fleet.ask("report", "--out", site).status == 0)
    let page = try String(contentsOfFile: site + "/index.html", encoding: .utf8)
    #expect(page.contains("No release is out yet: ") && !page.contains("register one with"))
  }

  /// Names of platforms are compared as they are.
  @Test func saysWhichSpellingIsLeftOut() throws {
    let events = ["ios", "IOS"].map {
      #"{"app":"a","device":"\#($0)","stage":"check","ts":1740787200000,"release":"1.0","platform":"\#($0)"}"#
    }
    let fleet = try QuestionsFleet(events.joined(separator: "\n"), publications: [], now: "2025-03-03T00:00:00Z")
    let said = try fleet.ask("release", "publish", "2.0", "--app", "a", "--platform", "ios")
    #expect(said.errors.contains("some devices are on platform IOS, and this is not for them"), "\(said.errors)")
  }

  /// Who halts or goes back by publishing once more moves a publication.
  @Test func saysWhenItMoves() throws {
    let event = #"{"app":"a","device":"d","stage":"check","ts":1740787200000,"release":"1.0","platform":"ios"}"#
    let own = ["2.0", "--app", "a", "--at", "2025-03-02T00:00:00Z"]
    let fleet = try QuestionsFleet(event, publications: [own], now: "2025-03-03T00:00:00Z")
    let moved = try fleet.ask("release", "publish", "2.0", "--app", "a", "--at", "0h", "--rollout", "0%@0h")
    #expect(moved.errors.contains("2.0 was registered there at 2025-03-02 00:00 UTC"), "\(moved.errors)")
    #expect(moved.errors.contains("to halt it: uptake release halt 2.0 --app a --channel production"))
    let ahead = try fleet.ask("release", "publish", "3.0", "--app", "a", "--at", "2026-03-03T00:00:00Z")
    #expect(ahead.errors.contains("3.0 comes only in 365.0d, at 2026-03-03 00:00 UTC"), "\(ahead.errors)")
  }

  /// Who goes back to an old release by publishing it once more makes the bad one older than it.
  @Test func saysWhatIsLostByGoingBack() throws {
    let event = #"{"app":"a","device":"d","stage":"check","ts":1740787200000,"release":"1.0","platform":"ios"}"#
    let own = [
      ["1.0", "--app", "a", "--at", "2025-03-01T00:00:00Z"], ["2.0", "--app", "a", "--at", "2025-03-02T00:00:00Z"],
    ]
    let fleet = try QuestionsFleet(event, publications: own, now: "2025-03-03T00:00:00Z")
    let said = try fleet.ask("release", "publish", "1.0", "--app", "a", "--at", "0h").errors
    #expect(said.contains("2.0 counts as older than it from then on"), "\(said)")
    #expect(said.contains("once 2.0 is halted all get 1.0 again"), "\(said)")
    #expect(said.contains("to halt 2.0: uptake release halt 2.0 --app a --channel production"), "\(said)")
  }

  @Test func saysWhenAnAppOrStepsAreNotWhatTheyWere() throws {
    let event = #"{"app":"com.example.demo","device":"a","stage":"check","ts":1740787200000,"release":"2.0.0"}"#
    let fleet = try QuestionsFleet(event, publications: [], now: "2025-03-03T00:00:00Z")
    let publish = ["release", "publish", "2.0.1", "--at", "2025-03-02T00:00:00Z"]
    let other = try fleet.ask(publish + ["--app", "com.example.dmeo"])
    #expect(other.errors.contains("no device has named the app com.example.dmeo yet; did you mean com.example.demo?"))
    let own = publish + ["--app", "com.example.demo"]
    #expect(try fleet.ask(own + ["--rollout", "10%@0h,100%@24h"]).errors == "")
    let again = try fleet.ask(own)
    #expect(again.status == 0)
    #expect(
      again.errors.contains(
        "its rollout steps (10% at 2025-03-02 00:00 UTC, 100% at 2025-03-03 00:00 UTC): it came to everybody at once"),
      "\(again.errors)")
    #expect(try fleet.ask(own).errors == "")
  }
}
