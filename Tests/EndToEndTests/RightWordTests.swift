import Foundation
import Testing

/// Words and numbers that were true by their definition and wrong to read.
@Suite struct RightWordTests {
  private static func line(_ device: Int, _ stage: String, _ at: String, _ release: String, _ more: String = "")
    -> String
  {
    #"{"app":"a","device":"d\#(device)","stage":"\#(stage)","at":"\#(at)","release":"\#(release)"\#(more)}"#
  }

  private static func pages(_ fleet: QuestionsFleet, _ more: String...) throws -> (String) throws -> String {
    let site = try scratchFolder() + "/site"
    let made = try fleet.ask(["report", "--out", site] + more)
    try #require(made.status == 0, "\(made.errors)")
    return { try String(contentsOfFile: site + "/" + $0, encoding: .utf8) }
  }

  /// 300 devices in two arms; of all three mechanisms none brings half.
  private static let mixed = Result {
    let (push, refresh, opened) = ("silentPush", "bgRefresh", "foreground")
    return try mixed([push, push, push, refresh, refresh, opened, opened])
  }

  /// Four devices in five updated, by one after the other.
  private static func mixed(_ triggers: [String]) throws -> QuestionsFleet {
    try QuestionsFleet(
      (0..<300).flatMap { device in
        let trigger = triggers[device % triggers.count]
        let arm = #","arm":"\#(device % 2 == 0 ? "push" : "holdout")","trigger":"\#(trigger)""#
        let check = line(device, "check", "2025-03-01T08:00:00Z", "1.0.0", arm)
        let update = line(device, "applied", "2025-03-02T1\(device % 10):00:00Z", "2.0.0", arm)
        let last = line(device, "check", "2025-03-04T08:00:00Z", device % 5 == 0 ? "1.0.0" : "2.0.0", arm)
        return device % 5 == 0 ? [check, last] : [check, update, last]
      }.joined(separator: "\n"),
      publications: [["2.0.0", "--app", "a", "--at", "2025-03-02T08:00:00Z"]], now: "2025-03-04T09:00:00Z")
  }

  @Test func mostIsMoreThanHalf() throws {
    let page = try Self.pages(Self.mixed.get())("mechanisms.html")
    #expect(page.contains("had brought it to more of them than anything else: <b"))
    #expect(!page.contains("to most of them"))
  }

  @Test func asManyAreNoMore() throws {
    let page = try Self.pages(Self.mixed(["silentPush", "bgRefresh"]))("mechanisms.html")
    #expect(page.contains("had brought it to as many of them as "))
  }

  /// Each platform that a release came to at an instant of its own is told of.
  @Test func stepsAreToldByPlatform() throws {
    let fleet = try QuestionsFleet(
      (0..<20).flatMap { device in
        let platform = #","platform":"\#(device % 2 == 0 ? "ios" : "android")""#
        return ["01T08", "03T08"].map { Self.line(device, "check", "2025-03-\($0):00:00Z", "1.0.0", platform) }
      }.joined(separator: "\n"),
      publications: [("ios", "01"), ("android", "02")].map { platform, day in
        ["2.0.0", "--app", "a", "--platform", platform, "--at", "2025-03-\(day)T09:00:00Z"]
      }, now: "2025-03-04T08:00:00Z")
    let pages = try Self.pages(fleet)
    let path = try #require(try pages("index.html").firstMatch(of: /release\/2[^"]*\.html/)).output
    let page = try pages(String(path)).replacing(/<\/?bdi>/, with: "")
    #expect(page.contains("published for ios to everybody at once"))
    #expect(page.contains("published for android to everybody at once"))
    #expect(!page.contains(">published to everybody at once"))
  }

  /// Where devices were assigned to arms at random, nothing above that says the opposite.
  @Test func whatWasAssignedAtRandomIsSaidSo() throws {
    let page = try Self.pages(Self.mixed.get())("mechanisms.html")
    #expect(page.contains("Devices were assigned at random, so a difference whose interval leaves out 0 is an effect"))
    #expect(page.contains("These shares are not a cause.") && page.contains("the random hold-out tells"))
    #expect(!page.contains("Nobody assigned"))
  }

  /// Everybody updated: that is 100 %, and no dash.
  @Test func allIsNoDash() throws {
    let fleet = try QuestionsFleet(
      (0..<40).flatMap { device in
        [
          Self.line(device, "check", "2025-03-01T08:00:00Z", "1.0.0"),
          Self.line(device, "applied", "2025-03-02T1\(device % 10):00:00Z", "2.0.0"),
        ]
      }.joined(separator: "\n"),
      publications: [["2.0.0", "--app", "a", "--at", "2025-03-02T08:00:00Z"]], now: "2025-03-04T08:00:00Z")
    let said = try fleet.ask("adoption", "2.0.0", "--at", "24h", "--format", "tsv").output
    let row = try #require(said.split(separator: "\n").last?.split(separator: "\t", omittingEmptySubsequences: false))
    #expect(row.contains("1") && !said.contains("it has happened to all"), "\(said)")
    #expect(try fleet.ask("adoption", "2.0.0", "--at", "24h", "--format", "table").output.contains("100.0%"))
  }

  /// Ten had updated after as long as they were followed; ten came half an hour ago, and wait.
  @Test func allAtRiskAreNotAll() throws {
    let early = (0..<10).flatMap { device in
      [
        Self.line(device, "check", "2025-03-01T08:00:00Z", "1.0.0"),
        Self.line(device, "applied", "2025-03-02T18:00:00Z", "2.0.0"),
      ]
    }
    let late = (10..<20).map { Self.line($0, "check", "2025-03-04T07:30:00Z", "1.0.0") }
    let fleet = try QuestionsFleet(
      (early + late).joined(separator: "\n"),
      publications: [["2.0.0", "--app", "a", "--at", "2025-03-02T08:00:00Z"]], now: "2025-03-04T08:00:00Z")
    let page = try Self.pages(fleet)("release/2.0.0/production.html")
    #expect(page.contains("no interval: has happened to all at risk") && !page.contains("to all)"), "\(page.count)")
  }

  /// What programs read is a number.
  @Test func countsAreNumbersInTSV() throws {
    let said = try Self.mixed.get().ask("adoption", "2.0.0", "--at", "6h,24h", "--format", "tsv").output
    let lines = said.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    let devices = try #require(lines[0].firstIndex(of: "devices"))
    #expect(lines.dropFirst().map { $0[devices] } == ["300", "300"], "\(said)")
    #expect(!said.contains(" of "))
  }

  /// An interval without 0 in it is a difference.
  @Test func aDifferenceIsNoDoubt() throws {
    func updates(_ release: String, _ day: Int, _ late: Int) -> [String] {
      (0..<4000).map { device in
        let hour = device % 100 < late ? "\(day + 2)T10" : device % 100 < 60 ? "\(day)T11" : "\(day + 2)T10"
        return Self.line(device, "applied", "2025-03-\(hour):00:00Z", release)
      }
    }
    let checks = (0..<4000).map { Self.line($0, "check", "2025-03-10T08:00:00Z", "0.9.0") }
    let fleet = try QuestionsFleet(
      (checks + updates("1.0.0", 11, 0) + updates("2.0.0", 15, 1)).joined(separator: "\n"),
      publications: [
        ["1.0.0", "--app", "a", "--at", "2025-03-11T08:00:00Z"],
        ["2.0.0", "--app", "a", "--at", "2025-03-15T08:00:00Z"],
      ], now: "2025-03-17T08:00:00Z")
    let said = try fleet.ask("compare", "2.0.0", "1.0.0", "--at", "24h", "--format", "table").output
    #expect(said.contains("2.0.0 is a little behind 1.0.0 at 24h"), "\(said)")
    let verdict = try fleet.ask("verdict", "2.0.0", "--format", "table").output
    #expect(verdict.contains("a little slower than before") && !verdict.contains("no clear difference"), "\(verdict)")
  }

  /// What people read in one word, programs read as in JSON: a state, and how far it has come.
  @Test func programsReadTheWordsOfJSON() throws {
    func tsv(_ fleet: QuestionsFleet, _ words: String...) throws -> [String] {
      let words = words + ["--format", "tsv", "--no-header"]
      return try fleet.ask(words).output.split(separator: "\n").map(String.init)
    }
    let events = ["1.0", "2.0"].map {
      #"{"app":"a","device":"d","stage":"check","ts":1740787200000,"release":"\#($0)"}"#
    }
    let fleet = try QuestionsFleet(
      events.joined(separator: "\n"),
      publications: [
        ["1.0", "--app", "a", "--at", "2025-03-01T00:00:00Z"],
        ["2.0", "--app", "a", "--at", "2025-03-02T00:00:00Z", "--rollout", "25%@0h,100%@9d", "--mandatory"],
      ], now: "2025-03-03T00:00:00Z")
    #expect(
      try tsv(fleet, "releases", "--fields", "release,state,rollout") == [
        "2.0\trollingOut\t0.25", "1.0\tsuperseded\t1",
      ])
    let people = try fleet.ask("releases", "--format", "table").output
    #expect(people.contains("rolling 25") && !people.contains("ROLLOUT"), "\(people)")
    let list = ["release", "list", "--db", fleet.database, "--format"]
    let listed = try Binary.start(Binary.path, list + ["tsv", "--fields", "release,platform,rollout,mandatory"]).output
    #expect(listed.contains("\n1.0\t\t\tfalse\n") && listed.contains("\n2.0\t\t25%@0h, 100%@216h\ttrue\n"), "\(listed)")
    let read = try Binary.start(Binary.path, list + ["md"]).output
    #expect(read.contains("| all |") && read.contains("| everybody at once |") && read.contains("| yes |"), "\(read)")
    let waiting = try tsv(QuestionsFleet.simulated.get(), "mechanisms", "4.4.0", "--fields", "mechanism")
    #expect(waiting.last == "waiting", "\(waiting)")
  }

  /// A cutoff of hours ago, called the newest contact, reads as if the fleet had fallen silent.
  @Test func releasesSaysUpToWhenItCounts() throws {
    let fleet = try QuestionsFleet.simulated.get()
    let (releases, adoption) = (try fleet.json("releases"), try fleet.json("adoption", "4.4.0"))
    for name in ["cutOff", "reportingLagSeconds"] {
      let (own, usual) = ("\(at(releases, "query", name) ?? "none")", "\(at(adoption, "query", name) ?? "")")
      #expect(own == usual, "\(name)")
    }
    let said = try fleet.ask("releases", "--format", "table").output
    #expect(said.contains("counted up to ") && !said.contains("newest contact"), "\(said)")
  }

  /// The page's newest contact is the newest one, not the newest before the cutoff.
  @Test func theNewestContactIsTheNewest() throws {
    let fleet = try QuestionsFleet.simulated.get()
    let newest = try #require(fleet.json("verdict")["dataThrough"] as? String)
    let usual = try #require(fleet.json("time-to-update", "4.4.0")["dataThrough"] as? String)
    #expect(newest > usual && newest > "2025-06-29T2", "\(newest) \(usual)")
    let page = try Self.pages(fleet)("index.html")
    #expect(page.contains("<dt>Newest contact</dt><dd><time datetime=\"\(newest)\">"), "\(newest)")
  }

  /// All of the first half have it within some hours; the second was let in an hour ago, and is not what is left of the first.
  @Test func whoWaitedForLessLongIsNoneOfTheRest() throws {
    func line(_ device: Int, _ stage: String, _ at: String, _ release: String) -> String {
      Self.line(device, stage, at, release, #","bucket":\#(device < 40 ? 10 : 70)"#)
    }
    let checks = (0..<60).flatMap { device in
      ["01T08", "02T0\(device % 8)", "03T04"].map {
        line(device, "check", "2025-03-\($0):30:00Z", $0 == "03T04" && device < 40 ? "2.0.0" : "1.0.0")
      }
    }
    let updates = (0..<40).map { line($0, "applied", "2025-03-02T1\($0 % 8):00:00Z", "2.0.0") }
    let fleet = try QuestionsFleet(
      (checks + updates).joined(separator: "\n"),
      publications: [["2.0.0", "--app", "a", "--at", "2025-03-02T08:00:00Z", "--rollout", "50%@0h,100%@20h"]],
      now: "2025-03-03T05:00:00Z")
    let page = try Self.pages(fleet)("release/2.0.0/production.html")
    #expect(page.contains("as estimated: 20 of 60 have waited for less long."))
    #expect(!page.contains("the rest were still waiting"))
  }

  /// None after an hour, all after six: table, picture and command say what it is at most, and at least.
  @Test func nobodyAndAllHaveLimits() throws {
    let checks = (0..<40).map { Self.line($0, "check", "2025-03-01T08:00:00Z", "1.0.0") }
    let updates = (0..<40).map { Self.line($0, "applied", "2025-03-02T11:0\($0 % 10):00Z", "2.0.0") }
    let later = (0..<40).map { Self.line($0, "check", "2025-03-03T0\($0 % 9):00:00Z", "2.0.0") }
    let fleet = try QuestionsFleet(
      (checks + updates + later).joined(separator: "\n"),
      publications: [["2.0.0", "--app", "a", "--at", "2025-03-02T08:00:00Z"]], now: "2025-03-03T09:00:00Z")
    let said = try fleet.ask("adoption", "2.0.0", "--clock", "release-age", "--format", "table").output
    let page = try Self.pages(fleet)("release/2.0.0/production.html")
    for (value, limit) in [("0.0%", "(≤ 8.8)"), ("100.0%", "(≥ 87.1)")] {
      #expect(said.contains("\(value) \(limit)"), "\(said)")
      #expect(page.contains("\(value) <i>\(limit)</i>") && page.contains("estimated \(value) \(limit), "))
    }
  }

  @Test func pagesWithholdAsManyAsTheyAreTold() throws {
    let all = try Self.pages(Self.mixed.get(), "--min-cell", "0")
    #expect(try all("index.html").contains("300"))
    let few = try Self.pages(Self.mixed.get(), "--min-cell", "1000")
    let why = "Fewer than 1000 devices are known to have waited for it, so nothing is shown of them."
    #expect(try few("index.html").contains(why))
    #expect(try few("data.json").contains("--min-cell 1000"))
  }

  /// An app whose SDK sends only `applied`: that three devices could have the release is not what its owner has to know.
  @Test(arguments: [0, 3]) func whoIsFirstHeardOfWithTheReleaseIsSaidSo(_ known: Int) throws {
    let checks = (0..<known).map { Self.line($0, "check", "2025-03-01T08:00:00Z", "1.0.0") }
    let updates = (0..<300).map { Self.line($0, "applied", "2025-03-02T1\($0 % 10):00:00Z", "2.0.0") }
    let fleet = try QuestionsFleet(
      (checks + updates).joined(separator: "\n"),
      publications: [["2.0.0", "--app", "a", "--at", "2025-03-02T08:00:00Z"]], now: "2025-03-04T09:00:00Z")
    let site = try Self.pages(fleet)
    let index = try site("index.html")
    // Where nobody waited the table has nobody to withhold.
    let waited = index.contains("waited for <a href=\"release/2.0.0/production.html\"><bdi>2.0.0</bdi></a> on ")
    #expect(waited == (known > 0) && index.contains("nobody was eligible") == (known == 0))
    let page = try site("release/2.0.0/production.html")
    #expect(page.contains("Fewer than 5 devices are known to have waited for it"))
    let why =
      "\(300 - known) of 300 devices said nothing between the publication of 2.0.0 and running it, so nobody knows how long"
    #expect(page.split(separator: why).count > 5, "\(page.split(separator: why).count)")
  }

  /// Clients that report no ends: all runs were said to have overrun.
  @Test func overrunsThatNobodyReportsAreNotKnown() throws {
    let refresh = #","trigger":"bgRefresh""#
    let fleet = try QuestionsFleet(
      (0..<60).flatMap { device in
        [
          Self.line(device, "wakeStarted", "2025-03-01T08:00:00Z", "1.0.0", refresh),
          Self.line(device, "wakeStarted", "2025-03-02T12:00:00Z", "1.0.0", refresh),
          Self.line(device, "ready", "2025-03-02T12:00:30Z", "2.0.0", refresh),
          Self.line(device, "applied", "2025-03-02T1\(3 + device % 5):00:00Z", "2.0.0", #","trigger":"foreground""#),
        ]
      }.joined(separator: "\n"),
      publications: [["2.0.0", "--app", "a", "--at", "2025-03-02T08:00:00Z"]], now: "2025-03-03T08:00:00Z")
    let said = try fleet.ask("mechanisms", "2.0.0", "--format", "table").output
    #expect(said.contains("whether runs overrun is not known: none reports its end"), "\(said)")
    #expect(!said.contains("overran or were killed"))
    #expect(said.contains("half of all runs came within "), "\(said)")
    #expect(said.contains("background refresh: half of 60 devices ready after "), "\(said)")
    let aged = try fleet.ask("mechanisms", "2.0.0", "--clock", "release-age", "--format", "table").output
      .replacing("\n", with: " ")
    #expect(aged.contains("60 devices ready, its curve at half of what it reaches by now after "), "\(aged)")
    #expect(!aged.contains("half of 60 devices"))
    let page = try Self.pages(fleet)("mechanisms.html")
    #expect(page.contains("no run reports its end;</i> half of all runs came within "))
    #expect(!page.contains("runs over budget: "))
  }

  /// Why there are no limits is said above the table: in each cell it made a phone scroll sideways.
  @Test func armsWithoutLimitsSayWhyOnce() throws {
    let fleet = try QuestionsFleet(
      (0..<120).flatMap { device in
        let arm = #","trigger":"foreground","arm":"\#(device % 2 == 0 ? "push" : "holdout")""#
        return [
          Self.line(device, "check", "2025-03-01T08:00:00Z", "1.0.0", arm),
          Self.line(device, "check", "2025-03-02T09:00:00Z", "1.0.0", arm),
          Self.line(device, "check", "2025-03-02T1\(device % 7):00:00Z", "2.0.0", arm),
        ]
      }.joined(separator: "\n"),
      publications: [["2.0.0", "--app", "a", "--at", "2025-03-02T08:00:00Z"]], now: "2025-03-03T08:00:00Z")
    let page = try Self.pages(fleet)("mechanisms.html")
    #expect(page.contains("Adoption by age in each arm, without intervals: checks only"))
    #expect(!page.contains("no interval: checks only"))
  }

  /// All that are looked at may have been seen after the cutoff: of those that are left out there were fewer.
  @Test func remarksAreOfAllDevices() throws {
    let fleet = try QuestionsFleet(
      (0..<40).flatMap { device in
        let more = device < 5 ? #","emulator":true"# : ""
        return [
          Self.line(device, "check", "2025-03-01T08:00:00Z", "1.0.0", more),
          Self.line(device, "applied", "2025-03-02T1\(device % 10):00:00Z", "2.0.0", more),
          Self.line(device, "check", "2025-03-09T08:00:00Z", "2.0.0", more),
        ]
      }.joined(separator: "\n"),
      publications: [["2.0.0", "--app", "a", "--at", "2025-03-02T08:00:00Z"]], now: "2025-03-09T09:00:00Z")
    let said = try Binary.run(
      "adoption", "2.0.0", "--format", "table", "--db", fleet.database, "--now", "2025-03-05T08:00:00Z"
    ).output
    let remark = "of all 40 devices: 40 with contacts after the cutoff (those are ignored)"
    #expect(said.contains("left out: 5 emulators\n" + remark), "\(said)")
  }
}
