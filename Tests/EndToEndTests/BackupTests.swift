import Foundation
import Testing

@Suite struct BackupTests {
  let folder: String
  let fleet: WorkedFleet
  init() throws {
    folder = try scratchFolder()
    fleet = try WorkedFleet.shared.get()
  }

  private func rewriteChecksum(_ backup: String) throws {
    let sum = try Binary.start("/bin/sh", ["-c", "cd '\(folder)' && sha256sum \(backup) > \(backup).sha256"])
    try #require(sum.status == 0)
  }

  @Test func ofAServiceThatGoesOnStoring() throws {
    let service = try RunningService()
    let (stop, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let port = service.port
    Thread.detachNewThread {
      let connection = Connection(port: port)
      var number = 0
      while stop.wait(timeout: .now()) == .timedOut {
        let lines = (0..<20).map { index in
          number += 1
          return
            #"{"id":"e\#(number)","device":"d\#(number % 97)","app":"a","stage":"ready","release":"2.0","at":1709540000000}"#
            + (index < 19 ? "\n" : "")
        }
        guard connection?.ask("POST", "/v1/events", Array(lines.joined().utf8))?.status == 200 else { break }
      }
      done.signal()
    }
    // On a busy machine the first events take their time, and nothing is a prefix of everything.
    let end = ContinuousClock.now + .seconds(60)
    while try sqlite(service.database, "SELECT count(*) FROM event") == "0", ContinuousClock.now < end {
      Thread.sleep(forTimeInterval: 0.02)
    }
    var last = 0
    for round in 0..<3 {
      let before = try #require(Int(try sqlite(service.database, "SELECT count(*) FROM event")))
      let made = try run("backup", folder + "/b\(round)", "--db", service.database, "--format", "json")
      let events = try number(made, "events")
      #expect(events >= before && events >= last, "what was acknowledged before is in it")
      last = events
      let sum = try Binary.start("/bin/sh", ["-c", "cd '\(folder)' && sha256sum --check b\(round).sha256"])
      #expect(sum.status == 0, "\(sum.errors)")
      // One moment: a prefix of what was stored.
      let sql = "SELECT count(*) = max(seq) FROM event; PRAGMA integrity_check"
      let said = try sqlite(folder + "/b\(round)", sql)
      #expect(said == "1\nok")
      let restored = try run(
        "restore", folder + "/b\(round)", "--db", folder + "/r\(round)", "--verify", "--format", "json")
      #expect(try number(restored, "events") == events)
    }
    stop.signal()
    done.wait()
    #expect(last > 0)
    #expect(service.stop().status == 0)
    service.removeFiles()
  }

  @Test func restoredItAnswersTheSameAndKnowsItsKeys() throws {
    let database = try fleet.database(in: folder, "a.db")
    let key = try run("key", "create", "--app", "a", "--db", database).output
    try run("backup", folder + "/b", "--db", database)
    try run("restore", folder + "/b", "--db", folder + "/r.db", "--verify")
    #expect(try fleet.answers(folder + "/r.db") == fleet.answers(database))
    #expect(try fleet.store(fleet.events.prefix(500), in: folder + "/r.db") == 0, "events are recognised")
    #expect(try sqlite(folder + "/r.db", "SELECT hash FROM key") == sqlite(database, "SELECT hash FROM key"))
    #expect(!key.isEmpty)
    let mode = try FileManager.default.attributesOfItem(atPath: folder + "/b")[.posixPermissions] as? Int
    #expect(mode == 0o600, "it holds secret keys")
    #expect(try files(folder, ".part") == [])
  }

  @Test func damagedItIsRefused() throws {
    let database = try fleet.database(in: folder, "a.db")
    try run("backup", folder + "/b", "--db", database)
    let file = try #require(FileHandle(forUpdatingAtPath: folder + "/b"))
    try file.seek(toOffset: 200_000)
    try file.write(contentsOf: Data([1, 2, 3, 4]))
    try file.close()
    let refused = try Binary.run("restore", folder + "/b", "--db", folder + "/r.db")
    #expect(refused.status == 5 && refused.errors.contains("SHA-256"), "\(refused.errors)")
    // With a checksum that fits, SQLite's examination still has a say where the damage is in a page's structure.
    try rewriteChecksum("b")
    let page = try #require(FileHandle(forUpdatingAtPath: folder + "/b"))
    try page.seek(toOffset: 16384)
    try page.write(contentsOf: Data(repeating: 0xff, count: 4096))
    try page.close()
    try rewriteChecksum("b")
    let corrupt = try Binary.run("restore", folder + "/b", "--db", folder + "/r.db")
    #expect(corrupt.status == 5, "\(corrupt.errors)")
    #expect(try files(folder).filter { $0.hasPrefix("r.db") } == [], "nothing was put in place")
    try FileManager.default.removeItem(atPath: folder + "/b.sha256")
    #expect(try Binary.run("restore", folder + "/b", "--db", folder + "/r.db").errors.contains("no checksum"))
  }

  /// A whole file whose shards say something else than its events.
  @Test(arguments: [
    "DELETE FROM journey WHERE rowid = (SELECT min(rowid) FROM journey)",
    "UPDATE device SET packed = x'00000000000000000000000000' WHERE part = 9",
    "UPDATE sighting SET first_at = first_at + 1", "DELETE FROM lag WHERE seconds = 0",
    "UPDATE event SET at = at - 60000 WHERE seq % 50 = 0",
  ]) func thatDisagreesWithItselfIsFound(_ damage: String) throws {
    let database = try fleet.database(in: folder, "a.db")
    try run("backup", folder + "/b", "--db", database)
    try change(folder + "/b", damage)
    try rewriteChecksum("b")
    let refused = try Binary.run("restore", folder + "/b", "--db", folder + "/r.db", "--verify")
    #expect(refused.status == 5 && refused.errors.contains("differ from a fresh fold"), "\(refused.errors)")
    #expect(try files(folder).filter { $0.hasPrefix("r.db") } == [])
  }

  @Test func nothingIsReplacedUnasked() throws {
    let service = try RunningService(directory: folder)
    #expect(try service.ask(#"{"id":"1","device":"d","app":"a","stage":"check"}"#)["accepted"] == 1)
    try run("backup", folder + "/b", "--db", service.database)
    #expect(try Binary.run("backup", folder + "/b", "--db", service.database).errors.contains("exists already"))
    #expect(try service.ask(#"{"id":"2","device":"d","app":"a","stage":"check"}"#)["accepted"] == 1)
    #expect(try Binary.run("restore", folder + "/b", "--db", service.database).errors.contains("exists already"))
    let inUse = try Binary.run("restore", folder + "/b", "--db", service.database, "--force")
    #expect(inUse.status == 1 && inUse.errors.contains("open in process \(service.process.processIdentifier)"))
    service.stop(SIGKILL)
    // The write-ahead log of the old file moves with it, and is not applied to the new one.
    #expect(try files(folder).contains("uptake.db-wal"))
    try run("restore", folder + "/b", "--db", service.database, "--force")
    #expect(try sqlite(service.database, "SELECT count(*) FROM event") == "1")
    #expect(try sqlite(service.database + ".before-restore", "SELECT count(*) FROM event") == "2")
  }

  @Test func anOlderSchemaIsUpgradedOnTheWay() throws {
    let old = try EarlierSchema.all[0].unpack(into: folder)
    try run("backup", folder + "/b", "--db", old)
    try run("restore", folder + "/b", "--db", folder + "/r.db", "--verify")
    #expect(try EarlierSchema.all[0].differences(folder + "/r.db", of: ["adoption", "funnel", "push"]) == [])
    #expect(try sqlite(old, "PRAGMA user_version") == "1")
  }
}
