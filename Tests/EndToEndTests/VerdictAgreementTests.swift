import Foundation
import Testing

/// One verdict, wherever somebody looks: command line, status, pages, exports and gate.
@Suite struct VerdictAgreementTests {
  static let fleets: [(name: String, fleet: @Sendable () throws -> QuestionsFleet, expected: Int32)] = [
    ("half of it rolls back", { try BadReleaseTests.fleet.get() }, 3),
    ("few devices of a staged rollout", { try StagedHeadlineTests.fleet.get() }, 4),
    ("nothing is the matter", { try healthy.get() }, 0),
    ("a month of an app", { try QuestionsFleet.simulated.get() }, 4),
    ("what nobody registered crashes", { try unregistered.get() }, 3),
  ]

  /// 1,200 devices: all had 1.0.0, and all have 2.0.0 for two days.
  private static let healthy = Result {
    try QuestionsFleet(
      (0..<1200).flatMap { device in
        [
          line(device, "check", "2025-03-01T08:00:00Z", "0.9.0"),
          line(device, "applied", "2025-03-02T12:00:00Z", "1.0.0"),
          line(device, "check", "2025-03-09T12:00:00Z", "1.0.0"),
          line(device, "applied", "2025-03-10T12:00:00Z", "2.0.0"),
          line(device, "check", "2025-03-12T07:30:00Z", "2.0.0"),
        ]
      }.joined(separator: "\n"),
      publications: [
        ["1.0.0", "--app", "a", "--at", "2025-03-02T08:00:00Z"],
        ["2.0.0", "--app", "a", "--at", "2025-03-10T08:00:00Z"],
      ],
      now: "2025-03-12T08:00:00Z")
  }

  /// 40 devices took 2.0.0, which nobody registered, and every second crashed.
  private static let unregistered = Result {
    try QuestionsFleet(
      (0..<40).flatMap { device in
        [
          line(device, "applied", "2025-03-02T08:00:00Z", "1.0.0"),
          line(device, "downloadStarted", "2025-03-04T08:00:00Z", "2.0.0"),
          line(device, "applied", "2025-03-04T09:00:00Z", "2.0.0"),
        ] + (device % 2 == 0 ? [line(device, "crashed", "2025-03-04T09:30:00Z", "2.0.0")] : [])
      }.joined(separator: "\n"),
      publications: [["1.0.0", "--app", "a", "--at", "2025-03-02T07:00:00Z"]], now: "2025-03-04T12:00:00Z")
  }

  private static func line(_ device: Int, _ stage: String, _ at: String, _ release: String) -> String {
    #"{"app":"a","device":"d\#(device)","stage":"\#(stage)","at":"\#(at)","release":"\#(release)","platform":"ios"}"#
  }

  private struct Row: Equatable {
    var release, channel, decision, condition, sentence: String
    init(_ row: [String: Any]) throws {
      func text(_ name: String) throws -> String { try #require(row[name] as? String) }
      (release, channel) = (try text("release"), try text("channel"))
      (decision, condition) = (try text("decision"), try text("condition"))
      sentence = try #require((row["reasons"] as? [[String: Any]])?.first?["sentence"] as? String)
    }
  }

  private static func rows(_ document: [String: Any]) throws -> [Row] {
    try #require(document["data"] as? [[String: Any]]).map(Row.init)
  }

  @Test(arguments: fleets.indices) func everybodySaysTheSame(_ index: Int) throws {
    let (name, make, expected) = Self.fleets[index]
    let fleet = try make()
    let said = try fleet.ask("verdict", "--json")
    #expect(said.status == expected, "\(name): \(said.output) \(said.errors)")
    let rows = try Self.rows(fleet.json("verdict"))
    #expect(!rows.isEmpty)
    #expect(try Self.rows(fleet.json("status")) == rows, "status of \(name)")
    let required = try fleet.ask("status", "--require", "go-on")
    #expect(required.status == expected)
    #expect(try fleet.ask("status").status == 0)
    try pages(fleet, rows, name)
    try gate(fleet, said.output, expected == 0 ? 200 : 412, name)
  }

  private func pages(_ fleet: QuestionsFleet, _ rows: [Row], _ name: String) throws {
    let site = try scratchFolder() + "/site"
    try #require(try fleet.ask("report", "--out", site).status == 0)
    let index = try String(contentsOfFile: site + "/index.html", encoding: .utf8)
    for row in rows where !row.sentence.contains("&") {
      let sentence = row.sentence.prefix(1).uppercased() + row.sentence.dropFirst()
      #expect(index.contains(".</strong> \(sentence).</p>"), "the card of \(row.release) on \(row.channel), \(name)")
    }
  }

  private func gate(_ fleet: QuestionsFleet, _ verdict: String, _ status: Int, _ name: String) throws {
    let folder = try scratchFolder()
    try FileManager.default.copyItem(atPath: fleet.database, toPath: folder + "/uptake.db")
    let service = try RunningService(directory: folder)
    let reply = try service.ask("GET", "/v1/gate?now=\(fleet.now)")
    #expect(reply.status == status && reply.body == verdict, "the gate of \(name): \(reply.body)")
    #expect(try service.ask("GET", "/v1/answers/verdict?now=\(fleet.now)").body == verdict)
    service.stop()
  }

  /// That nothing is to be stopped is not said of a fleet that is silent for longer than ever; of what is gone for weeks nobody expects a word.
  @Test(arguments: [
    ([3, 4, 5, 6, 7, 10, 11, 12, 13, 14], "2025-03-15T12:00:00Z", 0),
    ([3, 4, 5, 6, 7, 10, 11, 12, 13, 14], "2025-03-17T20:00:00Z", 4),
    ([10, 11, 12, 13, 14], "2025-03-15T07:00:00Z", 0), ([10, 11, 12, 13, 14], "2025-03-15T12:00:00Z", 4),
    ([10, 11, 12, 13, 14], "2025-04-20T12:00:00Z", 0),
  ])
  func aSilentFleetSaysNoStopEither(_ days: [Int], _ now: String, _ status: Int) throws {
    let lines = days.map { day in
      let at = "2025-03-\(day < 10 ? "0" : "")\(day)T08:00:00Z"
      return #"{"app":"a","device":"d","stage":"check","release":"1.0","at":"\#(at)","received":"\#(at)"}"#
    }
    let fleet = try QuestionsFleet(
      lines.joined(separator: "\n"), publications: [["1.0", "--app", "a", "--at", "2025-03-10T00:00:00Z"]], now: now)
    let said = try fleet.ask("status", "--require", "no-stop")
    #expect(Int(said.status) == status, "\(said)")
    #expect(
      said.errors.contains("nobody knows whether a release harms: a: no device was heard of for") == (status == 4))
  }

  /// What `[objective]` says holds for the command line, the pages and the service alike.
  @Test func theObjectiveOfTheSettingsHoldsEverywhere() throws {
    let fleet = try StagedHeadlineTests.fleet.get()
    let folder = try scratchFolder()
    let settings = folder + "/uptake.toml"
    try "[objective]\nshare = 0.9\nwithin = \"24h\"\n".write(toFile: settings, atomically: true, encoding: .utf8)
    let goal = "objective of 90.0% within 24h is missed"
    let said = try fleet.ask("verdict", "--config", settings, "--json").output
    #expect(said.contains(goal), "\(said)")
    #expect(try !fleet.ask("verdict", "--json").output.contains("objective of"))
    try #require(try fleet.ask("report", "--out", folder + "/site", "--config", settings).status == 0)
    let page = try String(contentsOfFile: folder + "/site/index.html", encoding: .utf8)
    #expect(page.contains(goal) && page.contains("uptake verdict --channel production --objective 0.9 --within 86400s"))
    try FileManager.default.copyItem(atPath: fleet.database, toPath: folder + "/uptake.db")
    let service = try RunningService(["--config", settings], directory: folder)
    #expect(try service.ask("GET", "/v1/gate?now=\(fleet.now)").body == said)
    #expect(try service.ask("GET", "/v1/gate?now=\(fleet.now)&objective=10%25").body.contains("reached"))
    service.stop()
  }

  /// Nothing would be held against it. The settings may hold a time alone, or the share that is to be reached in a time that is typed.
  @Test func aTimeWithoutAShareIsRefused() throws {
    let fleet = try StagedHeadlineTests.fleet.get()
    let folder = try scratchFolder()
    let settings = folder + "/uptake.toml"
    for question in ["verdict", "status"] {
      let refused = try fleet.ask(question, "--within", "24h")
      #expect(refused.status == 2 && refused.errors.contains("--within: nothing says what share"), "\(refused.errors)")
      #expect(refused.errors.contains("hint: say it with --objective 90%"), "\(refused.errors)")
      try "[objective]\nshare = 0.9\n".write(toFile: settings, atomically: true, encoding: .utf8)
      #expect(try fleet.ask(question, "--within", "24h", "--config", settings).status != 2)
      try "[objective]\nwithin = \"24h\"\n".write(toFile: settings, atomically: true, encoding: .utf8)
      #expect(try fleet.ask(question, "--config", settings).status != 2)
    }
    let check = try Binary.run("config", "check", "--config", settings)
    #expect(check.status == 0 && check.errors.hasPrefix("objective.within is ignored"), "\(check)")
    try FileManager.default.copyItem(atPath: fleet.database, toPath: folder + "/uptake.db")
    let service = try RunningService(["--config", settings], directory: folder)
    let gate = try service.ask("GET", "/v1/gate?now=\(fleet.now)&within=24h")
    #expect(gate.status == 400 && gate.body.contains("within: nothing says what share"), "\(gate.body)")
    #expect(try service.ask("GET", "/v1/gate?now=\(fleet.now)&within=24h&objective=10%25").status != 400)
    #expect(try service.ask("GET", "/v1/gate?now=\(fleet.now)").status != 400)
    service.stop()
  }

  @Test func aHalfObjectiveIsRefusedWhereItStands() throws {
    let fleet = try StagedHeadlineTests.fleet.get()
    let settings = try scratchFolder() + "/uptake.toml"
    try "[objective]\nshare = 1.5\n".write(toFile: settings, atomically: true, encoding: .utf8)
    let refused = try fleet.ask("verdict", "--config", settings)
    #expect(refused.status == 2 && refused.errors.contains("uptake.toml:2"), "\(refused.errors)")
  }

  /// What only the database can tell stands below the verdicts.
  @Test func statusNamesWhatElseNeedsEyes() throws {
    let fleet = try BadReleaseTests.fleet.get()
    let said = try fleet.ask("status", "--format", "table").output
    #expect(said.contains("! a: no device was heard of for 36.0h, since 2025-03-10 20:00 UTC"), "\(said)")
    #expect(said.contains("! no backup was ever made: uptake backup FILE"))
    #expect(said.contains("ROLLING BACK") && said.contains("halt"), "\(said)")
  }

  /// What is heard of and copied is no concern.
  @Test func statusIsQuietWhereNothingIsTheMatter() throws {
    let fleet = try StagedHeadlineTests.fleet.get()
    let folder = try scratchFolder()
    try FileManager.default.copyItem(atPath: fleet.database, toPath: folder + "/uptake.db")
    func status(_ now: String) throws -> String {
      try Binary.run("status", "--db", folder + "/uptake.db", "--now", now, "--format", "table").output
    }
    #expect(try status(fleet.now).contains("no backup"))
    try #require(
      try Binary.run("backup", folder + "/copy.db", "--db", folder + "/uptake.db", "--now", fleet.now).status == 0)
    #expect(try !status(fleet.now).contains("!"))
    #expect(try status("2025-03-20T08:00:00Z").contains("! the last backup is 9.0d old"))
  }

  /// Three devices had the release before: with `--min-cell 5` nothing is told of what became of them on it.
  @Test func fewDevicesOfTheReleaseBeforeAreWithheld() throws {
    let before = (0..<3).flatMap { device in
      [
        Self.line(device, "check", "2025-03-01T08:00:00Z", "0.9.0"),
        Self.line(device, device == 0 ? "crashed" : "applied", "2025-03-02T12:00:00Z", "1.0.0"),
      ]
    }
    let now = (10..<300).flatMap { device in
      [
        Self.line(device, "check", "2025-03-01T08:00:00Z", "0.9.0"),
        Self.line(device, "applied", "2025-03-10T12:00:00Z", "2.0.0"),
      ]
    }
    let fleet = try QuestionsFleet(
      (before + now).joined(separator: "\n"),
      publications: [
        ["1.0.0", "--app", "a", "--at", "2025-03-02T08:00:00Z"],
        ["2.0.0", "--app", "a", "--at", "2025-03-10T08:00:00Z"],
      ], now: "2025-03-12T08:00:00Z")
    func told(_ minCell: String) throws -> Int {
      let rows = try #require(fleet.json("verdict", "2.0.0", "--min-cell", minCell)["data"] as? [[String: Any]])
      let reasons = try #require(rows.first?["reasons"] as? [[String: Any]])
      let harm = ["crashes", "rollbacks", "firstAttempts"]
      return reasons.count { harm.contains($0["subject"] as? String ?? "") && $0["before"] is [String: Any] }
    }
    #expect(try told("0") > 0)
    #expect(try told("5") == 0)
  }
}
