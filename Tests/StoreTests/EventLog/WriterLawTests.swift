import Foundation
import Lifecycle
import Testing

@testable import Store

/// Whatever fails in between: every event that was acknowledged is stored, once, under a number of its own.
@Suite struct WriterLawTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  /// Batches of any size, resent at random, some of them refused by the database halfway.
  @Test(arguments: 1...4 as ClosedRange<UInt64>) func acknowledgedIsStoredOnce(_ seed: UInt64) throws {
    let fleet = SmallFleet(700, seed: seed)
    var dice = Dice(state: seed)
    let breaker = try Connection(path: scratch.database, mode: .create)
    var log = try EventLog(path: scratch.database)
    var acknowledged: Set<Int> = []
    for turn in 0..<40 {
      let start = Int.random(in: 0..<600, using: &dice)
      let range = start..<start + Int.random(in: 1..<150, using: &dice) % 100 + 1
      let fails = turn % 4 == 1
      if fails {
        try breaker.execute(
          "CREATE TRIGGER full AFTER INSERT ON event WHEN NEW.seq % 7 = 3 BEGIN SELECT RAISE(ABORT, 'no'); END")
      }
      do {
        let admitted = try log.append([fleet.part(range)])
        let new = range.filter { !acknowledged.contains($0) }.count
        #expect(admitted == [Admitted(accepted: new, duplicate: range.count - new)])
        acknowledged.formUnion(range)
      } catch { #expect(fails, "\(error)") }
      if fails { try breaker.execute("DROP TRIGGER full") }
      if turn % 9 == 8 { log = try EventLog(path: scratch.database) }
    }
    #expect(try count(scratch.database, "SELECT count(*) FROM event") == acknowledged.count)
    #expect(try count(scratch.database, "SELECT max(seq) FROM event") == acknowledged.count, "numbers without gaps")
    let expected = fleet.part(0..<700) { event in
      acknowledged.contains { fleet.batch.events[$0].identity == event.identity }
    }
    try expectHolds(scratch.database, [expected])
    try log.foldAll()
    expectSound(scratch.database)
  }

  /// Rows go in one, eight and sixty-four at a time: none is left behind at any length.
  @Test(arguments: [1, 2, 8, 9, 63, 64, 65, 66, 72, 73, 128, 129, 137]) func everyLengthIsStored(_ length: Int) throws {
    let fleet = SmallFleet(length, seed: 9)
    #expect(try EventLog(path: scratch.database).append([fleet.batch]) == [Admitted(accepted: length, duplicate: 0)])
    #expect(try count(scratch.database, "SELECT count(*) FROM event") == length)
    #expect(try count(scratch.database, "SELECT count(DISTINCT id_hash) FROM event") == length)
    #expect(try count(scratch.database, "SELECT max(seq) FROM event") == length)
    let ordered = try rows(scratch.database).map { $0.split(separator: " ")[11] }
    #expect(ordered.map(String.init) == fleet.batch.events.map { "\(Int64(bitPattern: $0.identity))" })
  }

  /// The file may grow no more: nothing of a fold is stored, and it is made again.
  @Test func theDiskIsFull() throws {
    let fleet = SmallFleet(9000, seed: 10)
    let log = try EventLog(path: scratch.database)
    _ = try log.append([fleet.batch])
    let full = try Connection(path: scratch.database, mode: .write)
    // SQLite takes as many as there are for the least.
    try full.execute("PRAGMA max_page_count = 1")
    let folder = Folder(full)
    #expect {
      try folder.foldAll()
    } throws: { error in
      let error = error as? StoreError
      return error?.kind == .full && "\(error?.hint as Any)".contains("free some space")
    }
    #expect(try count(scratch.database, "SELECT count(*) FROM meta WHERE key = 'folded'") == 0)
    #expect(try count(scratch.database, "SELECT count(*) FROM journey") == 0)
    try log.foldAll()
    try expectHolds(scratch.database, [fleet.batch])
    expectSound(scratch.database)
  }

  /// A fold that cannot be stored changes nothing, and is made again.
  @Test(arguments: ["journey", "device", "wake", "sighting", "lag", "meta"])
  func aFoldIsStoredWholeOrNotAtAll(_ table: String) throws {
    let fleet = SmallFleet(300, seed: 11)
    try store([fleet.part(0..<150)], in: scratch.database)
    let log = try EventLog(path: scratch.database)
    _ = try log.append([fleet.part(150..<300)])
    let breaker = try Connection(path: scratch.database, mode: .write)
    switch table {
    case "journey":
      try breaker.execute("CREATE TRIGGER stop AFTER INSERT ON journey BEGIN SELECT RAISE(ABORT, 'no'); END")
    case "device":
      try breaker.execute("CREATE TRIGGER stop AFTER UPDATE ON device BEGIN SELECT RAISE(ABORT, 'no'); END")
    case "wake": try breaker.execute("CREATE TRIGGER stop AFTER UPDATE ON wake BEGIN SELECT RAISE(ABORT, 'no'); END")
    case "sighting":
      try breaker.execute("CREATE TRIGGER stop AFTER UPDATE ON sighting BEGIN SELECT RAISE(ABORT, 'no'); END")
    case "lag": try breaker.execute("CREATE TRIGGER stop AFTER INSERT ON lag BEGIN SELECT RAISE(ABORT, 'no'); END")
    default: try breaker.execute("CREATE TRIGGER stop AFTER INSERT ON meta BEGIN SELECT RAISE(ABORT, 'no'); END")
    }
    if table == "journey" { try breaker.execute("DELETE FROM journey; UPDATE meta SET value = 0 WHERE key = 'folded'") }
    #expect(throws: StoreError.self) { try log.foldAll() }
    try breaker.execute("DROP TRIGGER stop")
    if table == "journey" {
      try breaker.execute(
        "DELETE FROM device; DELETE FROM wake; DELETE FROM trail; DELETE FROM sighting; DELETE FROM lag")
    }
    try expectHolds(scratch.database, [fleet.batch])
    try log.foldAll()
    try expectHolds(scratch.database, [fleet.batch])
    expectSound(scratch.database)
  }

  /// A device took the newest events along before they were folded: others were told their numbers.
  @Test func numbersAreNeverGivenTwice() throws {
    let fleet = SmallFleet(100, seed: 12)
    let last = try #require(fleet.batch.events.last?.device)
    do {
      let log = try EventLog(path: scratch.database)
      _ = try log.append([fleet.batch])
      _ = try log.forget([last], now: Timestamp(rawValue: fleet.end))
      #expect(try count(scratch.database, "SELECT max(seq) FROM event") < 100)
    }
    let log = try EventLog(path: scratch.database)
    _ = try log.append([SmallFleet(1, seed: 12, name: 1).batch])
    #expect(try count(scratch.database, "SELECT max(seq) FROM event") == 101)
    try log.foldAll()
    let others = fleet.part(0..<100) { $0.device != last }
    try expectHolds(scratch.database, [others, SmallFleet(1, seed: 12, name: 1).batch])
    expectSound(scratch.database)
  }

  /// The file is moved away, or another lies in its place, while it is open: nothing is acknowledged that nobody will find.
  @Test(arguments: [false, true]) func theFileVanishes(_ isReplaced: Bool) throws {
    let fleet = SmallFleet(200, seed: 13)
    let log = try EventLog(path: scratch.database)
    let registry = try Registry(path: scratch.database)
    _ = try log.append([fleet.part(0..<100)])
    let away = scratch.path + "/away.db"
    try FileManager.default.moveItem(atPath: scratch.database, toPath: away)
    if isReplaced { try write([], to: scratch.database) }
    for body in [
      { _ = try log.append([fleet.part(100..<200)]) }, { try log.probe() },
      { try registry.setImportPosition(nil, of: "x") },
    ] as [() throws -> Void] {
      #expect(throws: StoreError.self) { try body() }
    }
    #expect {
      try log.append([fleet.part(100..<200)])
    } throws: { ($0 as? StoreError)?.kind == .missingFile && "\($0)".contains("moved or deleted") }
    unlink(scratch.database)
    try FileManager.default.moveItem(atPath: away, toPath: scratch.database)
    #expect(try log.append([fleet.part(0..<200)]) == [Admitted(accepted: 100, duplicate: 100)])
    try log.foldAll()
    try expectHolds(scratch.database, [fleet.batch])
    expectSound(scratch.database)
  }

  /// The write-ahead log is deleted, or another lies in its place: what it held is saved by who has it open, and nothing more
  /// is acknowledged.
  @Test(arguments: [false, true]) func theLogVanishes(_ isReplaced: Bool) throws {
    let fleet = SmallFleet(200, seed: 13)
    do {
      let log = try EventLog(path: scratch.database)
      _ = try log.append([fleet.part(0..<100)])
      #expect(log.misplacement == nil)
      unlink(scratch.database + "-wal")
      if isReplaced { try write([], to: scratch.database + "-wal") }
      #expect(log.misplacement?.path.hasSuffix("-wal") == true)
      #expect {
        try log.append([fleet.part(100..<200)])
      } throws: { ($0 as? StoreError)?.kind == .missingFile && "\($0)".contains("-wal") }
      #expect(throws: StoreError.self) { try log.probe() }
    }
    let log = try EventLog(path: scratch.database)
    #expect(try log.append([fleet.part(0..<200)]) == [Admitted(accepted: 100, duplicate: 100)])
    expectSound(scratch.database)
  }

  /// Before anything was stored, too.
  @Test func theLogVanishesBeforeTheFirstCommit() throws {
    let fleet = SmallFleet(100, seed: 13)
    let log = try EventLog(path: scratch.database)
    unlink(scratch.database + "-wal")
    #expect(throws: StoreError.self) { try log.append([fleet.batch]) }
    #expect(throws: StoreError.self) { try log.probe() }
  }

  /// Other programs make another index then, and know nothing of each other: nothing is written by the old one, the log is not
  /// moved into the file, and it is not deleted.
  @Test(arguments: [false, true]) func theIndexVanishes(_ isReplaced: Bool) throws {
    let fleet = SmallFleet(200, seed: 13)
    do {
      let log = try EventLog(path: scratch.database)
      let registry = try Registry(path: scratch.database)
      _ = try log.append([fleet.part(0..<100)])
      unlink(scratch.database + "-shm")
      if isReplaced { try write([], to: scratch.database + "-shm") }
      #expect(log.misplacement?.path.hasSuffix("-shm") == true)
      for body in [
        { _ = try log.append([fleet.part(100..<200)]) }, { try log.probe() }, { try log.checkpoint() },
        { try registry.setImportPosition(nil, of: "x") }, { _ = try EventLog(existing: scratch.database).probe() },
      ] as [() throws -> Void] {
        #expect {
          try body()
        } throws: { ($0 as? StoreError)?.kind == .missingFile && "\($0)".contains("-shm is gone") }
      }
    }
    #expect(DiskSpace.size(scratch.database + "-wal") > 0)
    let log = try EventLog(path: scratch.database)
    #expect(try log.append([fleet.part(0..<200)]) == [Admitted(accepted: 100, duplicate: 100)])
    expectSound(scratch.database)
  }

  /// A file that is cut under a program that has it open: what the log lacks is lost, and nothing more is acknowledged.
  @Test(arguments: [0, 0.5]) func theFileIsCut(_ left: Double) throws {
    let fleet = SmallFleet(2000, seed: 13)
    do {
      let log = try EventLog(path: scratch.database)
      _ = try log.append([fleet.part(0..<1000)])
      try log.foldAll()
      try log.shrink()
      #expect(try log.append([fleet.part(1000..<1100)]) == [Admitted(accepted: 100, duplicate: 0)])
      truncate(scratch.database, off_t(Double(DiskSpace.size(scratch.database)) * left))
      #expect(log.misplacement?.kind == .corrupt)
      for body in [
        { _ = try log.append([fleet.part(1100..<1200)]) }, { try log.probe() }, { try log.checkpoint() },
      ] as [() throws -> Void] {
        #expect {
          try body()
        } throws: { ($0 as? StoreError)?.kind == .corrupt }
      }
    }
    #expect(throws: StoreError.self) { try EventLog(path: scratch.database) }
  }

  /// `VACUUM` makes a file shorter as well.
  @Test func aFileThatIsWrittenAnewIsNotCut() throws {
    let fleet = SmallFleet(2000, seed: 13)
    let log = try EventLog(path: scratch.database)
    _ = try log.append([fleet.part(0..<1000)])
    try log.shrink()
    let before = DiskSpace.size(scratch.database)
    let other = try Connection(path: scratch.database, mode: .write)
    try other.execute("DELETE FROM event WHERE seq < 900; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(DiskSpace.size(scratch.database) < before)
    #expect(log.misplacement == nil)
    #expect(try log.append([fleet.part(1000..<1100)]) == [Admitted(accepted: 100, duplicate: 0)])
  }

  /// SQLite would take it for a new one, and delete the log.
  @Test func anEmptiedFileBesideItsLogIsNoNewOne() throws {
    let fleet = SmallFleet(100, seed: 13)
    let path = scratch.database
    do {
      let log = try EventLog(path: path)
      _ = try log.append([fleet.batch])
      try FileManager.default.copyItem(atPath: path + "-wal", toPath: path + ".log")
    }
    truncate(path, 0)
    try FileManager.default.moveItem(atPath: path + ".log", toPath: path + "-wal")
    #expect {
      try EventLog(path: path)
    } throws: { ($0 as? StoreError)?.kind == .corrupt && "\($0)".contains("emptied") }
    #expect(DiskSpace.size(path + "-wal") > 0)
  }

  /// Who only asked for updates is forgotten as well, in every file, and again in a restored backup.
  @Test(arguments: RememberedWords.Table.allCases) func whoOnlyAskedIsForgotten(_ table: RememberedWords.Table) throws {
    let device = DeviceHash(rawValue: 0xfedc_ba98_7654_3210)
    let memory = try RememberedWords(Registry(path: scratch.database), table)
    memory.remember("beta", of: device, app: "a")
    try memory.save()
    let log = try EventLog(path: scratch.database)
    try #require(try !traces(of: device, in: scratch.path).isEmpty)
    #expect(try log.knows(device))
    try scratch.backup("b")
    memory.forget(device, app: "a")
    let done = try log.forget([device], now: Timestamp(rawValue: SmallFleet.start))
    #expect(done == Forgotten(devices: 1, events: 0, isComplete: true))
    #expect(try !log.knows(device))
    #expect(try traces(of: device, in: scratch.path) == ["b"])
    #expect(try scratch.restore("b").forgotten == 1)
    #expect(try count(scratch.database, "SELECT count(*) FROM remembered_channel") == 0)
    #expect(try count(scratch.database, "SELECT count(*) FROM remembered_release") == 0)
  }
}

/// The keys that ids are hashed with: lost or changed, every device would be another.
@Suite struct IdentityKeysTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  @Test func theyAreMadeOnceAndStay() throws {
    let first = try EventLog(path: scratch.database).identityKeys
    #expect(try EventLog(path: scratch.database).identityKeys == first)
    #expect(try EventLog(existing: scratch.database).identityKeys == first)
    #expect(first.device != first.event && Set(first.device).count > 4)
    let other = try Scratch()
    #expect(try EventLog(path: other.database).identityKeys != first)
  }

  /// Damaged they are never made anew: events would go on under other hashes, unseen.
  @Test(arguments: [0, 16, 31, 33]) func damagedTheyAreRefused(_ length: Int) throws {
    _ = try EventLog(path: scratch.database)
    let connection = try Connection(path: scratch.database, mode: .write)
    let set = try connection.prepare("UPDATE meta SET value = ? WHERE key = 'identity_keys'")
    try set.run(.blob(Array(repeating: 7, count: length)))
    #expect {
      try EventLog(path: scratch.database)
    } throws: { ($0 as? StoreError)?.kind == .corrupt }
    #expect(throws: StoreError.self) { _ = try Forgetting(path: scratch.database) }
    #expect(throws: StoreError.self) { try Snapshot(path: scratch.database).identityKeys() }
    #expect(try count(scratch.database, "SELECT length(value) FROM meta WHERE key = 'identity_keys'") == length)
  }
}
