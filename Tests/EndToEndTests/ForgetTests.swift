import Foundation
import Testing

@Suite struct ForgetTests {
  private static let uuid = "7d444840-9dc0-11d1-b245-5ffdce74fad2"

  let folder: String
  let fleet: WorkedFleet
  let gone: [String]
  init() throws {
    folder = try scratchFolder()
    fleet = try WorkedFleet.shared.get()
    gone = [fleet.devices[3], fleet.devices[11], fleet.devices[20]]
  }

  private func keys(_ database: String) throws -> String {
    try sqlite(database, "SELECT hex(value) FROM meta WHERE key = 'identity_keys'")
  }

  /// The answers of a database that never heard of the devices.
  private func expected(_ database: String, _ questions: [String] = WorkedFleet.questions) throws -> [String: String] {
    let never = try fleet.database(in: folder, "never.db", without: Set(gone), keys: keys(database))
    defer { _ = try? FileManager.default.removeItem(atPath: never) }
    return try fleet.answers(never, questions)
  }

  /// Hashes of the devices, as the table has them.
  private func hashes(_ database: String) throws -> [Int64] {
    let never = try fleet.database(in: folder, "never.db", without: Set(gone), keys: keys(database))
    defer { _ = try? FileManager.default.removeItem(atPath: never) }
    let sql = "ATTACH '\(never)' AS never; SELECT device FROM main.event EXCEPT SELECT device FROM never.event"
    let found = try sqlite(database, sql).split(separator: "\n").compactMap { Int64($0) }
    try #require(found.count == gone.count)
    return found
  }

  /// In which files below the folder the bytes of a hash are, in either order.
  private func traces(of hashes: [Int64]) throws -> [String] {
    var found: [String] = []
    for name in try #require(FileManager.default.enumerator(atPath: folder)?.allObjects as? [String]) {
      guard let bytes = FileManager.default.contents(atPath: folder + "/" + name) else { continue }
      for hash in hashes {
        let little = withUnsafeBytes(of: hash.littleEndian) { Data($0) }
        for pattern in [little, Data(little.reversed())] where bytes.range(of: pattern) != nil { found.append(name) }
      }
    }
    return found
  }

  private func forget(_ database: String) throws -> Binary.Result {
    try Binary.start(
      Binary.path, ["forget", "-", "--app", WorkedFleet.app, "--db", database, "--format", "json"],
      input: gone.joined(separator: "\n") + "\n")
  }

  @Test func countsAreThoseOfADatabaseThatNeverKnewThem() throws {
    let database = try fleet.database(in: folder, "a.db")
    let (hashes, expected) = (try hashes(database), try expected(database))
    #expect(try !traces(of: hashes).isEmpty, "the search finds what is there")
    let list = hashes.map(String.init).joined(separator: ",")
    let own = Int(try sqlite(database, "SELECT count(*) FROM event WHERE device IN (\(list))"))
    let result = try forget(database)
    #expect(try number(result, "devices") == 3)
    #expect(try number(result, "events") == own)
    #expect(try fleet.answers(database) == expected)
    #expect(try traces(of: hashes) == [])
    #expect(try sqlite(database, "PRAGMA integrity_check") == "ok")
    let trail = try Binary.run("breadcrumbs", gone[0], "--app", WorkedFleet.app, "--db", database)
    #expect(trail.status == 4)
    // Again, it finds nothing; the shards are what the events fold to.
    #expect(try number(forget(database), "devices") == 0)
    try run("backup", folder + "/b", "--db", database)
    try run("restore", folder + "/b", "--db", folder + "/r.db", "--verify")
  }

  /// What would be forgotten is all still there.
  @Test func aDryRunDeletesNothing() throws {
    let database = try fleet.database(in: folder, "a.db")
    let before = try sqlite(database, "SELECT count(*) FROM event")
    func ask(_ devices: [String]) throws -> Binary.Result {
      try Binary.start(
        Binary.path,
        ["forget", "--dry-run", "--app", WorkedFleet.app, "--db", database, "--format", "json"] + devices)
    }
    let result = try ask(gone + ["nobody"])
    #expect(try result.status == 0 && number(result, "named") == 4 && number(result, "devices") == 3, "\(result)")
    #expect(try ask(["nobody"]).status == 4)
    #expect(try sqlite(database, "SELECT count(*) FROM event") == before)
    #expect(!FileManager.default.fileExists(atPath: database + ".forgotten"))
  }

  /// Readers for Capgo and Expo keep ids in lower case: who asks to be forgotten names it as the client sends it.
  @Test func anIDIsFoundInLowerCase() throws {
    let database = folder + "/capgo.db"
    let event = #"{"app":"a","device":"\#(Self.uuid)","stage":"check","release":"2.0","at":"2024-03-04T08:00:00Z"}"#
    let stored = try Binary.start(Binary.path, ["import", "-", "--db", database], input: event + "\n")
    try #require(stored.status == 0, "\(stored.errors)")
    let place = ["--app", "a", "--db", database]
    let trail = try Binary.start(Binary.path, ["breadcrumbs", Self.uuid.uppercased()] + place)
    #expect(trail.status == 0 && (trail.output + trail.errors).contains(#"this is "\#(Self.uuid)""#), "\(trail)")
    #expect(try Binary.start(Binary.path, ["breadcrumbs", "BBBB-1"] + place).status == 4)
    let would = try Binary.start(
      Binary.path, ["forget", Self.uuid.uppercased(), "--dry-run", "--format", "json"] + place)
    #expect(try number(would, "named") == 1 && number(would, "devices") == 1, "\(would)")
    let gone = try Binary.start(Binary.path, ["forget", Self.uuid.uppercased(), "--format", "json"] + place)
    #expect(try number(gone, "named") == 1 && number(gone, "devices") == 1, "\(gone)")
    #expect(
      gone.errors.contains(#"known in lower case alone, as readers for Capgo and Expo keep ids: "\#(Self.uuid)""#))
    #expect(try sqlite(database, "SELECT count(*) FROM event") == "0")
  }

  @Test func archivesForgetThemToo() throws {
    let database = try fleet.database(in: folder, "a.db")
    let (hashes, expected) = (try hashes(database), try expected(database))
    let list = hashes.map(String.init).joined(separator: ",")
    let others = try sqlite(database, "SELECT count(*) FROM event WHERE device NOT IN (\(list))")
    try run(
      "retain", "--db", database, "--raw", "10d", "--archive", folder + "/archive", "--now", WorkedFleet.now)
    #expect(try number(forget(database), "devices") == 3)
    #expect(try fleet.answers(database) == expected)
    for name in try files(folder + "/archive") {
      #expect(name.hasSuffix(".uptk"))
      try run("import", folder + "/archive/" + name, "--db", database)
    }
    #expect(try traces(of: hashes) == [])
    let kept = fleet.events.filter { !gone.contains(WorkedFleet.device(of: $0)) }
    #expect(try sqlite(database, "SELECT count(*) FROM event") == others)
    #expect(try fleet.answers(database) == expected)
    // Those that are kept are recognised.
    #expect(try fleet.store(kept, in: database) == 0)
  }

  /// A copy of an archive from before: the import says how many events stay out, and stores none of theirs.
  @Test func aCopyOfAnArchiveBringsNobodyBack() throws {
    let database = try fleet.database(in: folder, "a.db")
    let list = try hashes(database).map(String.init).joined(separator: ",")
    try run("retain", "--db", database, "--raw", "10d", "--archive", folder + "/archive", "--now", WorkedFleet.now)
    try FileManager.default.copyItem(atPath: folder + "/archive", toPath: folder + "/copy")
    _ = try forget(database)
    for name in try files(folder + "/copy") {
      let done = try run("import", folder + "/copy/" + name, "--db", database, "--format", "json")
      #expect(try number(done, "accepted") == 0)
      #expect(done.errors.contains("events of forgotten devices stay out"), "\(done.errors)")
    }
    #expect(try sqlite(database, "SELECT count(*) FROM event WHERE device IN (\(list))") == "0")
  }

  /// What `retain --drop` took away can no longer be told apart: its share in counts that name no device stays.
  @Test func afterEventsWereDroppedOnlyCountsWithoutDevicesKeepTheirShare() throws {
    let database = try fleet.database(in: folder, "a.db")
    let (hashes, expected) = (try hashes(database), try expected(database))
    try run("retain", "--db", database, "--raw", "10d", "--drop", "--now", WorkedFleet.now)
    let arrivals = "SELECT sum(events) FROM lag"
    let before = try #require(Int(sqlite(database, arrivals)))
    let taken = try number(forget(database), "events")
    #expect(try sqlite(database, arrivals) == "\(before - taken)", "single events that were left are counted no more")
    #expect(try traces(of: hashes) == [], "no file names the devices")
    #expect(
      try fleet.answers(database) == expected, "answers about devices are those of a database that never knew them")
    let trail = try Binary.run("breadcrumbs", gone[0], "--app", WorkedFleet.app, "--db", database)
    #expect(trail.status == 4)
  }

  @Test func aRestoredBackupForgetsThemAgain() throws {
    let database = try fleet.database(in: folder, "a.db")
    let (hashes, expected) = (try hashes(database), try expected(database))
    try run("backup", folder + "/b", "--db", database)
    _ = try forget(database)
    let restored = try run("restore", folder + "/b", "--db", database, "--force", "--format", "json")
    #expect(try number(restored, "forgottenDevices") == 3)
    #expect(try fleet.answers(database) == expected)
    for name in try files(folder) where name.hasPrefix("b") || name.contains("before-restore") {
      try FileManager.default.removeItem(atPath: folder + "/" + name)
    }
    #expect(try traces(of: hashes) == [])
  }

  /// Killed at every sync: noted is noted, and the next start of a service makes it good.
  @Test func killedAnywhereTheNextStartFinishes() throws {
    let original = try fleet.database(in: folder, "original.db")
    try run(
      "retain", "--db", original, "--raw", "20d", "--archive", folder + "/kept", "--now", WorkedFleet.now)
    let expected = try expected(original, WorkedFleet.few)
    _ = try Binary.start("/usr/bin/sqlite3", [original, "PRAGMA wal_checkpoint(TRUNCATE)"])
    var kills = 0
    for (call, moments) in [("fdatasync,fsync", Array(2...30)), ("rename", [1]), ("pwrite64", [40, 200])] {
      for moment in moments {
        let work = folder + "/work"
        try? FileManager.default.removeItem(atPath: work)
        try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: original, toPath: work + "/uptake.db")
        try FileManager.default.copyItem(atPath: folder + "/kept", toPath: work + "/archive")
        try change(
          work + "/uptake.db", "UPDATE removed SET archive = replace(archive, '\(folder)/kept', '\(work)/archive')")
        let words = ["forget", "--app", WorkedFleet.app, "--db", work + "/uptake.db"] + gone
        guard try runKilled(at: moment, of: call, words) else { break }
        kills += 1
        let service = try RunningService(directory: work)
        #expect(service.stop().status == 0)
        #expect(try fleet.answers(work + "/uptake.db", WorkedFleet.few) == expected, "after \(call) \(moment)")
        #expect(try files(work + "/archive").allSatisfy { $0.hasSuffix(".uptk") }, "after \(call) \(moment)")
        #expect(try number(forget(work + "/uptake.db"), "events") == 0, "after \(call) \(moment)")
      }
    }
    #expect(kills >= 5)
  }

  /// As docs/operations.md tells whoever is asked for it.
  @Test func whatIsKeptOfADeviceCanBeShown() throws {
    let database = folder + "/a.db"
    let event = """
      {"device":"d1","app":"a","stage":"failed","release":"2.0","from":"1.9","trigger":"bgRefresh","at":1709540000000,\
      "channel":"beta","platform":"ios","osVersion":"17.4","appVersion":"8.1","sdkVersion":"0.3","network":"cellular",\
      "durationMs":1500,"bytes":77000,"outcome":"failed","reason":"disk_full","bucket":41,"arm":"hold","emulator":true}
      """
    let stored = try Binary.start(Binary.path, ["import", "-", "--db", database], input: event + "\n")
    try #require(stored.status == 0, "\(stored.errors)")
    let trail = try run("breadcrumbs", "d1", "--app", "a", "--db", database, "--limit", "100000", "--format", "json")
    let document = try JSONSerialization.jsonObject(with: Data(trail.output.utf8))
    let hash = try #require(at(document, "data", 0, "device") as? String)
    let row = try sqlite(database, "SELECT * FROM v1_event WHERE device = '\(hash)'").split(separator: "|")
    for kept in [
      "2024-03-04T08:13:20.000Z", "a", "failed", "2.0", "1.9", "bgRefresh", "beta", "ios", "17.4", "8.1", "0.3",
      "cellular", "1500", "77000", "disk_full", "41", "hold", "1",
    ] {
      #expect(row.contains(Substring(kept)), "\(kept) is missing in \(row)")
    }
  }

  @Test func aServiceForgetsForAnAdminOfTheApp() throws {
    let service = try RunningService(directory: folder)
    let database = service.database
    func key(_ app: String, _ scope: String) throws -> [String: String] {
      let made = try run("key", "create", "--app", app, "--scope", scope, "--db", database)
      return ["X-Uptake-Key": made.output.trimmingCharacters(in: .whitespacesAndNewlines)]
    }
    let event = #"{"device":"d1","stage":"ready","release":"2.0","at":1709540000000}"#
    let (one, other) = (try key("a", "admin"), try key("b", "admin"))
    let read = try key("a", "read")
    // The service looks for keys now and then: it knows all once it knows the last.
    try eventually { try service.ask("DELETE", "/v1/devices/none", headers: read).status == 403 }
    for app in [one, other] { #expect(try service.ask(event, headers: app)["accepted"] == 1) }
    #expect(try service.ask("DELETE", "/v1/devices/d1", headers: read).status == 403)
    #expect(try service.ask("DELETE", "/v1/devices/d1").status == 401)
    let gone = try service.ask("DELETE", "/v1/devices/d1", headers: one)
    #expect(gone.status == 200 && gone.body.contains("\"devices\":1"), "\(gone.body)")
    // Whether another app knows the same id is not to be learned.
    let again = try service.ask("DELETE", "/v1/devices/d1", headers: one)
    let never = try service.ask("DELETE", "/v1/devices/d9", headers: one)
    #expect(again.status == 404 && again.body == never.body)
    let lower = event.replacingOccurrences(of: "d1", with: Self.uuid)
    #expect(try service.ask(lower, headers: one)["accepted"] == 1)
    #expect(try service.ask("DELETE", "/v1/devices/\(Self.uuid.uppercased())", headers: one).status == 200)
    #expect(try service.ask("DELETE", "/v1/devices/\(Self.uuid.uppercased())", headers: one).status == 404)
    #expect(try sqlite(database, "SELECT count(*) FROM event") == "1")
    // The device may come again, as a new one; the service has read its strings anew.
    let back = try service.ask(event.replacingOccurrences(of: "1709540000000", with: "1709540009999"), headers: one)
    #expect(back["accepted"] == 1)
    #expect(try sqlite(database, "SELECT app || release FROM v1_event ORDER BY 1") == "a2.0\nb2.0")
    // Another program forgets beside the service.
    #expect(
      try run("forget", "d1", "--app", "a", "--db", database, "--format", "json").output.contains("\"devices\":1"))
    #expect(try service.ask(event, headers: other)["duplicate"] == 1)
    #expect(service.stop().status == 0)
    #expect(try sqlite(database, "SELECT app FROM v1_event") == "b")
  }
}
