import Foundation
import Testing

@Suite struct RetentionTests {
  let folder: String
  let fleet: WorkedFleet
  init() throws {
    folder = try scratchFolder()
    fleet = try WorkedFleet.shared.get()
  }

  private let everyEvent = "SELECT * FROM event ORDER BY seq"

  private func retain(_ database: String, _ words: String...) throws -> Binary.Result {
    try Binary.start(
      Binary.path, ["retain", "--db", database, "--now", WorkedFleet.now, "--format", "json"] + words)
  }

  @Test func answersStayTheSameAndEveryEventComesBack() throws {
    let database = try fleet.database(in: folder, "a.db")
    let (before, events) = (try fleet.answers(database), try sqlite(database, everyEvent))
    let size = try Data(contentsOf: URL(filePath: database)).count
    let expected = try number(retain(database, "--raw", "10d", "--dry-run"), "events")
    #expect(try sqlite(database, everyEvent) == events)

    let removed = try retain(database, "--raw", "10d", "--archive", folder + "/archive", "--vacuum")
    #expect(try number(removed, "events") == expected && expected > 5000, "\(removed.errors)")
    #expect(try fleet.answers(database) == before)
    let left = try #require(Int(try sqlite(database, "SELECT count(*) FROM event")))
    #expect(left == events.split(separator: "\n").count - expected && left > 1000)
    #expect(try Data(contentsOf: URL(filePath: database)).count < size)
    let perEvent = Double(try number(removed, "archiveBytes")) / Double(expected)
    #expect(perEvent <= 15, "\(perEvent) bytes an event")

    // Resends are recognised, also of events that are gone.
    #expect(try fleet.store(fleet.events, in: database) == 0)
    #expect(try number(retain(database, "--raw", "10d", "--archive", folder + "/archive"), "events") == 0)

    // What is left still is what was folded, to a backup's examination and to the daily one.
    try run("backup", folder + "/b", "--db", database)
    let restored = try Binary.run("restore", folder + "/b", "--db", folder + "/r.db", "--verify")
    #expect(restored.status == 0, "\(restored.errors)")
    #expect(try fleet.answers(folder + "/r.db", WorkedFleet.few) == fleet.answers(database, WorkedFleet.few))
    let examined = try Binary.run("doctor", "--db", database, "--full")
    #expect(examined.status == 0, "\(examined.output)")

    for archive in try files(folder + "/archive") {
      try run("import", folder + "/archive/" + archive, "--db", database)
    }
    #expect(try sqlite(database, everyEvent) == events)
    #expect(try fleet.answers(database) == before)
  }

  @Test func droppedTheyAreGoneAndResendsAreStillKnown() throws {
    let database = try fleet.database(in: folder, "a.db")
    let before = try fleet.answers(database)
    #expect(try number(retain(database, "--raw", "1d", "--drop"), "events") > 5000)
    #expect(try fleet.answers(database) == before)
    #expect(try fleet.store(fleet.events, in: database) == 0)
    #expect(try fleet.answers(database) == before)
    // The trail says what is left, and that it is told from that.
    let device = try #require(fleet.devices.first)
    let trail = try run(
      "breadcrumbs", device, "--app", WorkedFleet.app, "--db", database, "--now", WorkedFleet.now, "--format", "json")
    #expect(trail.output.contains("\"isCondensed\":true"))
    // What is gone cannot be folded again.
    try change(database, "UPDATE meta SET value = 0 WHERE key = 'folded'")
    let refused = try retain(database, "--raw", "1d", "--drop")
    #expect(refused.status == 5 && refused.errors.contains("were removed"), "\(refused.errors)")
  }

  /// Restored from a backup, a database gives numbers again that are in archives already: those stay as they are.
  @Test func anArchiveIsNeverReplaced() throws {
    let (database, archive) = (try fleet.database(in: folder, "a.db"), folder + "/archive")
    try run("backup", folder + "/b", "--db", database)
    _ = try retain(database, "--raw", "10d", "--archive", archive)
    let first = try files(archive)
    let bytes = try Data(contentsOf: URL(filePath: archive + "/" + #require(first.first)))
    try run("restore", folder + "/b", "--db", folder + "/r.db")
    try change(folder + "/r.db", "UPDATE event SET duration = 77")
    let again = try retain(folder + "/r.db", "--raw", "10d", "--archive", archive)
    #expect(try number(again, "events") > 5000, "\(again.errors)")
    #expect(try files(archive).count == 2 * first.count)
    #expect(try Data(contentsOf: URL(filePath: archive + "/" + #require(first.first))) == bytes)
  }

  /// Numbers are given again after an older backup: an archive from before it shares numbers with another removal.
  @Test func anArchiveOfAnotherTimelineComesBackAsNewEvents() throws {
    let (database, archive) = (folder + "/a.db", folder + "/archive")
    func store(_ name: String, _ numbers: ClosedRange<Int>) throws {
      let lines = numbers.map {
        #"{"id":"\#(name)\#($0)","device":"\#(name)\#($0)","app":"a","stage":"ready","release":"2.0","at":\#(1_709_540_000_000 + $0)}"#
      }
      try (lines.joined(separator: "\n") + "\n").write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
      try run("import", folder + "/" + name, "--db", database)
    }
    func putBack(_ files: String..., dry: String? = nil) throws -> [Int] {
      let words = ["import"] + files.map { archive + "/" + $0 } + ["--db", database, "--format", "json"]
      let done = try Binary.start(Binary.path, words + [dry].compactMap(\.self))
      try #require(done.status == 0, "\(done.errors)")
      return [try number(done, "accepted"), try number(done, "duplicate")]
    }
    try store("x", 1...100)
    try run("backup", folder + "/b1", "--db", database)
    try store("old", 101...200)
    _ = try retain(database, "--raw", "0s", "--archive", archive)
    try run("restore", folder + "/b1", "--db", database, "--force")
    try store("new", 101...200)
    _ = try retain(database, "--raw", "0s", "--archive", archive)
    try #require(try files(archive) == ["events-1-200-2.uptk", "events-1-200.uptk"])

    #expect(try putBack("events-1-200.uptk", dry: "--dry-run") == [100, 100])
    #expect(try putBack("events-1-200.uptk", "events-1-200.uptk", dry: "--dry-run") == [100, 300], "one twice")
    #expect(try putBack("events-1-200-2.uptk", dry: "--dry-run") == [200, 0])
    #expect(try putBack("events-1-200.uptk") == [100, 100])
    #expect(try putBack("events-1-200.uptk", dry: "--dry-run") == [0, 200])
    #expect(try putBack("events-1-200.uptk") == [0, 200])
    #expect(try sqlite(database, "SELECT count(*), min(seq), max(seq) FROM event") == "100|201|300")
    #expect(try putBack("events-1-200-2.uptk") == [200, 0])
    #expect(try sqlite(database, "SELECT count(*), count(DISTINCT device) FROM event") == "300|300")
    for device in ["x50", "old150", "new150"] {
      let trail = try run("breadcrumbs", device, "--app", "a", "--db", database, "--format", "json")
      #expect(trail.output.contains("\"ready\""), "\(device): \(trail.output)")
    }
    let examined = try Binary.run("doctor", "--db", database, "--full")
    #expect(examined.status == 0, "\(examined.output)")
    try run("backup", folder + "/b2", "--db", database)
    let restored = try Binary.run("restore", folder + "/b2", "--db", folder + "/r.db", "--verify")
    #expect(restored.status == 0, "\(restored.errors)")
  }

  /// A name that was free when the removal was planned, and is not when its archive is written.
  @Test func aFileThatCameBetweenIsNotReplaced() throws {
    let (database, archive) = (try fleet.database(in: folder, "a.db"), folder + "/archive")
    try FileManager.default.createDirectory(atPath: archive, withIntermediateDirectories: true)
    try "of another".write(toFile: archive + "/events-1-50.uptk", atomically: true, encoding: .utf8)
    let planned = "VALUES (1, 50, 9999999999999, 0, 50, '\(archive)/events-1-50.uptk')"
    try change(database, "INSERT INTO removed (first, last, before, state, events, archive) \(planned)")
    let done = try retain(database, "--raw", "9999d", "--archive", archive)
    #expect(try number(done, "events") == 50, "\(done.errors)")
    #expect(try files(archive, ".part") == [])
    #expect(try String(contentsOfFile: archive + "/events-1-50.uptk", encoding: .utf8) == "of another")
    #expect(try sqlite(database, "SELECT archive, state FROM removed") == "\(archive)/events-1-50-2.uptk|2")
    #expect(
      try number(run("import", archive + "/events-1-50-2.uptk", "--db", database, "--format", "json"), "accepted") == 50
    )
  }

  @Test func whereToMustBeSaid() throws {
    let database = try fleet.database(in: folder, "a.db")
    for words in [["--raw", "1d"], ["--raw", "1d", "--drop", "--archive", folder + "/x"], ["--drop"]] {
      #expect(try Binary.start(Binary.path, ["retain", "--db", database] + words).status == 2)
    }
    #expect(try Binary.run("retain", "--db", folder + "/none.db", "--raw", "1d", "--drop").status == 5)
  }

  /// Killed at every sync and a spread of writes: table and archives together always hold every event, none twice.
  @Test func killedAnywhereNothingIsLostOrTwice() throws {
    let original = try fleet.database(in: folder, "original.db")
    let (events, folded) = (try sqlite(original, everyEvent), try shards(original))
    try #require(sqlite(original, "SELECT (SELECT max(seq) FROM event) = value FROM meta WHERE key = 'folded'") == "1")
    _ = try Binary.start("/usr/bin/sqlite3", [original, "PRAGMA wal_checkpoint(TRUNCATE)"])
    let moments =
      (1...30).map { ("fdatasync,fsync", $0) } + stride(from: 1, to: 600, by: 149).map { ("pwrite64", $0) }
      + [("rename", 1), ("write", 2)]
    var (kills, isOver) = (0, false)
    for (call, moment) in moments where !isOver || call != "fdatasync,fsync" {
      let (database, archive) = (folder + "/a.db", folder + "/archive")
      for name in try files(folder) where name != "original.db" {
        try FileManager.default.removeItem(atPath: folder + "/" + name)
      }
      try FileManager.default.copyItem(atPath: original, toPath: database)
      let words = [
        "retain", "--db", database, "--raw", "10d", "--archive", archive, "--now", WorkedFleet.now, "--format", "json",
      ]
      guard try runKilled(at: moment, of: call, words) else {
        isOver = true
        continue
      }
      kills += 1
      let next = try Binary.start(Binary.path, words)
      #expect(next.status == 0, "after \(call) \(moment): \(next.errors)")
      #expect(
        try sqlite(database, "PRAGMA integrity_check; SELECT count(*) FROM removed WHERE state < 2") == "ok\n0")
      #expect(try shards(database) == folded, "after \(call) \(moment)")
      for name in try files(archive, ".uptk") { try run("import", archive + "/" + name, "--db", database) }
      #expect(try sqlite(database, everyEvent) == events, "after \(call) \(moment)")
      #expect(try files(archive, ".part") == [])
    }
    #expect(kills >= 10)
  }

  @Test func aServiceDoesItDailyWhileItStores() throws {
    let old = #"{"id":"old\#(0)","device":"d","app":"a","stage":"ready","release":"2.0","at":1709540000000}"#
    let first = try RunningService(directory: folder)
    let lines = (0..<3000).map { old.replacingOccurrences(of: "old0", with: "old\($0)") }
    #expect(try first.ask(lines.joined(separator: "\n"))["accepted"] == 3000)
    first.stop()
    // Received long ago, as far as the file says.
    try change(first.database, "UPDATE event SET received = 1709540000000")
    let second = try RunningService(
      ["--retain-raw", "30d", "--retain-archive", folder + "/archive"], directory: folder)
    var accepted = 0
    try eventually {
      let reply = try second.ask(lines[0].replacingOccurrences(of: "old0", with: "new\(accepted)"))
      accepted += reply["accepted"] ?? 0
      return try sqlite(second.database, "SELECT count(*) FROM removed WHERE state = 2") == "1"
    }
    #expect(try second.ask(lines[7])["duplicate"] == 1)
    let end = second.stop()
    #expect(end.status == 0 && end.log.contains("\"event\":\"retained\""), "\(end.log)")
    #expect(try sqlite(second.database, "SELECT count(*) FROM event") == "\(accepted)")
    #expect(try files(folder + "/archive") == ["events-1-3000.uptk"])
    let refused = try Binary.run(
      "serve", "--db", second.database, "--listen", "127.0.0.1:0", "--retain-raw", "30d")
    #expect(refused.status == 2 && refused.errors.contains("--retain-archive"))
  }
}
