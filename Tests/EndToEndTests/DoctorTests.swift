import Foundation
import Testing

@Suite struct DoctorTests {
  let folder: String
  let fleet: WorkedFleet
  init() throws {
    folder = try scratchFolder()
    fleet = try WorkedFleet.shared.get()
  }

  /// What each check found: verdict by name.
  private func verdicts(_ database: String, _ words: String...) throws -> (
    status: Int32, checks: [String: [String: Any]]
  ) {
    let result = try Binary.start(
      Binary.path, ["doctor", "--db", database, "--format", "json", "--now", WorkedFleet.now] + words)
    let document = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    let rows = try #require(at(document, "data") as? [[String: Any]], "\(result.errors)")
    return (result.status, Dictionary(uniqueKeysWithValues: rows.map { ($0["check"] as? String ?? "", $0) }))
  }

  private func healthy() throws -> String {
    let database = folder + "/a.db"
    try FileManager.default.copyItem(atPath: Self.healthy.get(), toPath: database)
    return database
  }

  /// With a key and a backup; made once, as every test only spoils a copy.
  private static let healthy = Result {
    let folder = try scratchFolder()
    let database = try WorkedFleet.shared.get().database(in: folder, "a.db")
    try run("key", "create", "--app", WorkedFleet.app, "--scope", "read", "--db", database)
    try run("backup", folder + "/b", "--db", database, "--now", WorkedFleet.now)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: database)
    _ = try Binary.start("/usr/bin/sqlite3", [database, "PRAGMA wal_checkpoint(TRUNCATE)"])
    return database
  }

  @Test func aHealthyDatabasePassesEveryCheck() throws {
    let database = try healthy()
    let before = try Data(contentsOf: URL(filePath: database))
    for option in ["--quiet", "--full"] {
      let found = try verdicts(database, option)
      let troubled = found.checks.values.filter {
        $0["verdict"] as? String != "ok" && $0["check"] as? String != "free disk"
      }
      #expect(found.status == 0 && troubled.isEmpty, "\(troubled)")
      #expect(found.checks.count >= 18)
    }
    #expect(try Data(contentsOf: URL(filePath: database)) == before, "it changes nothing")
  }

  /// What a later schema brought is not missed in an earlier one.
  @Test(arguments: [2, 5, 8]) func aDatabaseToBeUpgradedIsOnlyToBeUpgraded(_ version: Int) throws {
    let packed = "\(#filePath)".replacing(
      "EndToEndTests/DoctorTests.swift", with: "StoreTests/Fixtures/version-\(version).db.gz")
    _ = try Binary.start("/bin/sh", ["-c", "gunzip -c \(packed) > \(folder)/old.db && chmod 600 \(folder)/old.db"])
    let found = try verdicts(folder + "/old.db")
    #expect(found.status == 0, "\(found.checks)")
    #expect(found.checks["schema"]?["verdict"] as? String == "warn")
    #expect(found.checks["access keys"] == nil && found.checks["integrity"]?["verdict"] as? String == "ok")
  }

  /// What a service takes for little is little.
  @Test func freeSpaceIsHeldAgainstWhatAServiceNeeds() throws {
    let database = try healthy()
    for (least, isLittle) in [("1MiB", false), ("9000000GiB", true)] {
      let found = try verdicts(database, "--min-free", least).checks["free disk"]
      #expect((found?["verdict"] as? String == "fail") == isLittle, "\(found ?? [:])")
    }
  }

  private struct Illness: CustomTestStringConvertible, Sendable {
    var check: String
    var verdict: String
    var sql: String
    var testDescription: String { check + ": " + sql }
  }

  private static let illnesses = [
    Illness(check: "shards", verdict: "fail", sql: "DELETE FROM wake WHERE rowid IN (SELECT rowid FROM wake LIMIT 9)"),
    Illness(check: "shards", verdict: "fail", sql: "UPDATE event SET at = at + 86400000 WHERE seq % 7 = 0"),
    Illness(check: "references", verdict: "fail", sql: "DELETE FROM context WHERE id = 2"),
    Illness(check: "identity keys", verdict: "fail", sql: "DELETE FROM meta WHERE key = 'identity_keys'"),
    Illness(check: "access keys", verdict: "warn", sql: "DELETE FROM key"),
    Illness(check: "stages", verdict: "warn", sql: "UPDATE event SET stage = 29 WHERE seq = 5"),
    Illness(
      check: "releases", verdict: "warn",
      sql: "PRAGMA foreign_keys = ON; DELETE FROM publication WHERE release = (SELECT min(release) FROM publication)"),
    Illness(check: "clock", verdict: "fail", sql: "UPDATE event SET received = 1999999999999 WHERE seq > 13000"),
    Illness(check: "fold", verdict: "warn", sql: "UPDATE meta SET value = value - 10 WHERE key = 'folded'"),
    Illness(
      check: "exports", verdict: "warn",
      sql: "INSERT INTO export_target (target, failed_at, reason) VALUES ('grafana https://g', 1709540000000, '401 no')"
    ),
    Illness(
      check: "exports", verdict: "warn",
      sql: """
        INSERT INTO export_fact (target, id, app, release, channel, kind, at, noticed_at, fact, outcome, next_at, changed_at)
        VALUES ('grafana https://g', '1', 'a', '2', 'c', 'step', 0, 0, '{}', 'waiting', 0, 0)
        """),
    Illness(check: "backup", verdict: "warn", sql: "UPDATE meta SET value = value - 900000000 WHERE key = 'backup'"),
    Illness(
      check: "retention", verdict: "warn",
      sql: """
        INSERT INTO meta VALUES ('retention every', 86400000), ('retention succeeded', 1700000000000),
          ('retention failing', 1709540000000), ('retention reason', 'no space is left on the disk')
        """),
    Illness(
      check: "retention", verdict: "warn",
      sql: "INSERT INTO meta VALUES ('retention every', 86400000), ('retention succeeded', 1700000000000)"),
    Illness(
      check: "archives", verdict: "warn", sql: "INSERT INTO removed VALUES (1, 0, 0, 0, 2, 0, '/nowhere/x.uptk', NULL)"),
    Illness(
      check: "open", verdict: "fail",
      sql: "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 3 WHERE name = 'lag'"),
  ]

  /// The file beside the database is made as a copy begins, and filled once something of it is confirmed.
  @Test func saysThatACopyNeverWorked() throws {
    let database = try healthy()
    try "".write(toFile: database + ".copy", atomically: true, encoding: .utf8)
    let copy = try #require(verdicts(database).checks["copy"])
    #expect(copy["verdict"] as? String == "warn" && (copy["found"] as? String ?? "").contains("ever confirmed"))
    let status = try Binary.run("status", "--db", database, "--now", WorkedFleet.now)
    let said = status.output + status.errors
    #expect(said.contains("a copy is to be kept, and nothing of it was ever confirmed"), "\(said)")
  }

  @Test func tellsAClockThatIsBehindWhatAServiceNoted() throws {
    let database = try healthy()
    let noted = "INSERT OR REPLACE INTO meta (key, value) VALUES ('clock', 1999999999999)"
    try #require(try Binary.start("/usr/bin/sqlite3", [database, noted]).status == 0)
    _ = try Binary.run("doctor", "--db", database, "--renew-checksums")
    let clock = try #require(verdicts(database).checks["clock"])
    #expect(clock["verdict"] as? String == "fail" && (clock["fix"] as? String ?? "").contains("SIGHUP"))
  }

  @Test(arguments: illnesses) private func findsWhatIsWrong(_ illness: Illness) throws {
    let database = try healthy()
    let made = try Binary.start("/usr/bin/sqlite3", [database, illness.sql])
    try #require(made.status == 0, "\(made.errors)")
    // SQLite's own program wrote it; a file in which it finds a fault is not taken as it is.
    let renewed = try Binary.run("doctor", "--db", database, "--renew-checksums")
    #expect(renewed.status == (illness.check == "open" ? 5 : 0), "\(renewed.errors)")
    let found = try verdicts(database, "--full")
    #expect(found.checks[illness.check]?["verdict"] as? String == illness.verdict, "\(found.checks)")
    #expect(found.checks[illness.check]?["fix"] is String)
    #expect(found.status == (illness.verdict == "fail" ? 1 : found.status))
  }

  /// Devices of two channels take a release that is registered on one, on none, or that some only run.
  @Test(
    arguments: [
      (
        "ready", [], "1 was never registered, such as 3.0 a",
        ["--channel beta --at 2025-03-02T09:00:00Z", "--channel production --at 2025-03-02T08:00:00Z"]
      ),
      (
        "ready", ["production"], "1 is registered, but not where devices take it, such as 3.0 a on beta",
        ["--channel beta --at 2025-03-02T09:00:00Z"]
      ),
      ("ready", ["production", "beta"], "all are registered", []),
      ("check", ["production"], "all are registered", []),
      (
        "check", [], "1 was never registered, such as 3.0 a",
        ["--channel beta --at 2025-03-02T09:00:00Z", "--channel production --at 2025-03-02T08:00:00Z"]
      ),
    ] as [(String, [String], String, [String])]) func aReleaseIsRegisteredOnEachChannel(
      _ stage: String, _ registered: [String], _ found: String, _ commands: [String]
    ) throws
  {
    let events = [("production", "8"), ("beta", "9")].map { channel, hour in
      #"{"app":"a","device":"\#(channel)","stage":"\#(stage)","channel":"\#(channel)","release":"3.0 a","at":"2025-03-02T0\#(hour):00:00Z"}"#
    }
    let own = ["--app", "a", "--at", "2025-03-02T07:00:00Z", "--channel"]
    let fleet = try QuestionsFleet(
      events.joined(separator: "\n"), publications: registered.map { ["3.0 a"] + own + [$0] }, now: WorkedFleet.now)
    let releases = try #require(verdicts(fleet.database).checks["releases"])
    #expect((releases["found"] as? String ?? "").hasPrefix(found), "\(releases)")
    let fix = releases["fix"] as? String ?? ""
    #expect(fix.components(separatedBy: "uptake release publish").count - 1 == commands.count, "\(fix)")
    for command in commands {
      let said = "uptake release publish '3.0 a' --app a \(command) --db \(fleet.database)"
      #expect(fix.contains(said), "\(fix)")
    }
    #expect(commands.isEmpty || fix.contains("only run it") == (stage == "check"), "\(fix)")
  }

  /// Registered for iOS alone, and taken on Android, and by a device that names no platform.
  @Test func aReleaseIsRegisteredForEachPlatform() throws {
    let events = [#""platform":"ios","#, #""platform":"android","#, ""].enumerated().map { number, platform in
      #"{"app":"a","device":"\#(number)",\#(platform)"stage":"ready","release":"3.0","at":"2025-03-02T0\#(number):00:00Z"}"#
    }
    let own = ["3.0", "--app", "a", "--at", "2025-03-01T07:00:00Z", "--platform", "ios"]
    let fleet = try QuestionsFleet(events.joined(separator: "\n"), publications: [own], now: WorkedFleet.now)
    let releases = try #require(verdicts(fleet.database).checks["releases"])
    let found = "1 is registered, but not where devices take it, such as 3.0 on production (android): only reach"
    #expect((releases["found"] as? String ?? "").hasPrefix(found), "\(releases)")
    let command =
      "uptake release publish 3.0 --app a --channel production --platform android --at 2025-03-02T01:00:00Z --db \(fleet.database)"
    #expect(releases["fix"] as? String == "where it was published there: \(command)", "\(releases)")
    #expect(try fleet.ask("release", "withdraw", "3.0", "--app", "a", "--platform", "ios").status == 0)
    #expect(try fleet.ask(["release", "publish"] + own).status == 0)
    let again = try #require(verdicts(fleet.database).checks["releases"])
    #expect((again["found"] as? String ?? "").hasPrefix(found), "what was withdrawn was for iOS: \(again)")
  }

  /// The clock of one device is most of a year behind: its time is no publication's. Of few devices nobody knows.
  @Test(arguments: [(8, "2025-03-02T08:01:00Z"), (3, "2024-05-01T08:00:00Z")])
  func theTimeOfAPublicationIsNotThatOfAWrongClock(_ devices: Int, _ time: String) throws {
    let events = (0..<devices).map { number in
      let at = number == 0 ? "2024-05-01T08:00:00Z" : "2025-03-02T08:0\(number - 1):00Z"
      return #"{"app":"a","device":"\#(number)","stage":"ready","release":"3.0","at":"\#(at)"}"#
    }
    let fleet = try QuestionsFleet(events.joined(separator: "\n"), publications: [], now: WorkedFleet.now)
    let releases = try #require(verdicts(fleet.database).checks["releases"])
    #expect((releases["fix"] as? String ?? "").contains("--at \(time) --db"), "\(releases)")
  }

  @Test func namesReadersAndServicesAndOpenPermissions() throws {
    let service = try RunningService(directory: folder)
    _ = try service.ask(#"{"id":"1","device":"d","app":"a","stage":"check"}"#)
    let (reader, input) = (Process(), Pipe())
    reader.executableURL = URL(filePath: "/usr/bin/sqlite3")
    reader.arguments = ["-readonly", service.database]
    (reader.standardInput, reader.standardOutput) = (input, Pipe())
    try reader.run()
    input.fileHandleForWriting.write(Data("BEGIN; SELECT count(*) FROM event;\n".utf8))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: service.database)
    var number = 1
    try eventually {
      number += 1
      _ = try service.ask(#"{"id":"\#(number)","device":"d","app":"a","stage":"check"}"#)
      let readers = try verdicts(service.database).checks["readers"]
      return readers?["verdict"] as? String == "warn"
        && (readers?["found"] as? String ?? "").contains("\(reader.processIdentifier)")
    }
    let checks = try verdicts(service.database, "--listen", "127.0.0.1:\(service.port)").checks
    #expect(checks["service"]?["verdict"] as? String == "ok", "\(checks)")
    #expect(checks["permissions"]?["verdict"] as? String == "warn")
    let elsewhere = try verdicts(service.database, "--listen", "127.0.0.1:1").checks
    #expect(elsewhere["service"]?["verdict"] as? String == "warn")
    try input.fileHandleForWriting.close()
    reader.waitUntilExit()
    service.stop()
  }
}

@Suite struct SalvageTests {
  let folder: String
  let fleet: WorkedFleet
  init() throws {
    folder = try scratchFolder()
    fleet = try WorkedFleet.shared.get()
  }

  private let everyEvent = "SELECT * FROM event ORDER BY seq"

  /// An undamaged file comes through as it is, strings and keys included.
  @Test func aWholeFileIsSalvagedWhole() throws {
    let database = try fleet.database(in: folder, "a.db")
    try run("key", "create", "--app", "a", "--db", database)
    let answers = try fleet.answers(database)
    try run("doctor", "--db", database, "--salvage", folder + "/s.db")
    #expect(try sqlite(folder + "/s.db", everyEvent) == sqlite(database, everyEvent))
    #expect(try fleet.answers(folder + "/s.db") == answers)
    #expect(try sqlite(folder + "/s.db", "SELECT count(*) FROM key") == "1")
    #expect(try fleet.store(fleet.events.prefix(300), in: folder + "/s.db") == 0, "resends are recognised")
    #expect(try Binary.run("doctor", "--db", database, "--salvage", folder + "/s.db").errors.contains("exists already"))
  }

  /// Random pages overwritten: whatever event lay on a sound page is in the new file, and nothing else is.
  @Test(arguments: 1...6 as ClosedRange<UInt64>) func soundPagesAreSaved(_ seed: UInt64) throws {
    let database = try fleet.database(in: folder, "a.db")
    _ = try Binary.start("/usr/bin/sqlite3", [database, "PRAGMA wal_checkpoint(TRUNCATE)"])
    let events = Set(try sqlite(database, everyEvent).split(separator: "\n"))
    var bytes = try Data(contentsOf: URL(filePath: database))
    let pages = bytes.count / 16384
    // Where the events and the strings lie, so that the damage hits them and the rest alike.
    let eventPages = try Set(
      sqlite(database, "SELECT pageno FROM dbstat WHERE name = 'event' AND pagetype = 'leaf'").split(separator: "\n")
        .compactMap { Int($0) })
    let stringPages = try Set(
      sqlite(database, "SELECT pageno FROM dbstat WHERE name IN ('name', 'context', 'profile', 'release', 'meta')")
        .split(separator: "\n").compactMap { Int($0) })
    var (state, hit) = (seed &* 0x9e37_79b9_7f4a_7c15, Set<Int>())
    while hit.count < 5 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let page = 1 + Int(state >> 33) % pages
      if !stringPages.contains(page) { hit.insert(page) }
    }
    // One leaf of events for certain; page 1 is the schema itself.
    hit.insert(try #require(eventPages.sorted().dropFirst(Int(seed)).first))
    if seed % 2 == 0 { hit.insert(1) }
    for page in hit {
      let start = (page - 1) * 16384
      bytes.replaceSubrange(
        start..<(start + 16384), with: Data(repeating: UInt8(truncatingIfNeeded: seed &* 37), count: 16384))
    }
    let damaged = folder + "/damaged.db"
    try bytes.write(to: URL(filePath: damaged))

    let refused = try Binary.run("adoption", "4.5.0", "--db", damaged, "--app", WorkedFleet.app)
    #expect(seed % 2 == 1 || refused.status == 5, "\(refused.errors)")
    #expect(try Binary.run("doctor", "--db", damaged).status == 1)
    let result = try run("doctor", "--db", damaged, "--salvage", folder + "/s.db")
    let saved = Set(try sqlite(folder + "/s.db", everyEvent).split(separator: "\n"))
    #expect(saved.isSubset(of: events), "nothing is made up")
    let lost = hit.intersection(eventPages).count
    #expect(events.count - saved.count <= lost * 400 && saved.count < events.count, "\(result.output) \(result.errors)")
    #expect(try sqlite(folder + "/s.db", "PRAGMA integrity_check") == "ok")
    #expect(try Data(contentsOf: URL(filePath: damaged)) == bytes, "the damaged file stays as it is")
    #expect(try Binary.run("adoption", "4.5.0", "--db", folder + "/s.db", "--app", WorkedFleet.app).status == 0)
  }

  /// A corrupt file is refused everywhere with exit status 5, and the way out is named.
  @Test func aCorruptFileIsRefusedEverywhere() throws {
    let database = try fleet.database(in: folder, "a.db")
    _ = try Binary.start("/usr/bin/sqlite3", [database, "PRAGMA wal_checkpoint(TRUNCATE)"])
    let file = try #require(FileHandle(forUpdatingAtPath: database))
    try file.seek(toOffset: 100)
    try file.write(contentsOf: Data(repeating: 0xee, count: 16000))
    try file.close()
    let bytes = try Data(contentsOf: URL(filePath: database))
    for words in [
      ["serve", "--listen", "127.0.0.1:0"], ["import", "/dev/null"], ["releases"], ["release", "list"],
      ["key", "list"],
      ["backup", folder + "/b"], ["retain", "--raw", "1d", "--drop"], ["forget", "x", "--app", "a"], ["upgrade"],
      ["breadcrumbs", "x"],
    ] {
      let refused = try Binary.start(Binary.path, words + ["--db", database])
      #expect(
        refused.status == 5 && refused.errors.contains("--salvage"), "\(words): \(refused.status) \(refused.errors)")
    }
    #expect(try Data(contentsOf: URL(filePath: database)) == bytes)
  }

  /// Half as much memory as the file is long is enough.
  @Test func aFileMayBeLargerThanTheMemory() throws {
    let database = try fleet.database(in: folder, "a.db")
    let whole = try sqlite(database, everyEvent)
    let megabytes = 300
    #expect(truncate(database, megabytes << 20) == 0)
    let salvage = "ulimit -d \(megabytes << 9) && exec \"$0\" doctor --db \"$1\" --salvage \"$2\""
    let result = try Binary.start("/bin/sh", ["-c", salvage, Binary.path, database, folder + "/s.db"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(try sqlite(folder + "/s.db", everyEvent) == whole)
  }

  @Test func whatRetentionTookOutComesBack() throws {
    let database = try fleet.database(in: folder, "a.db")
    let answers = try fleet.answers(database)
    try run("retain", "--db", database, "--raw", "10d", "--archive", folder + "/archive", "--now", WorkedFleet.now)
    try run("doctor", "--db", database, "--salvage", folder + "/s.db")
    #expect(try fleet.answers(folder + "/s.db") == answers)
  }
}
