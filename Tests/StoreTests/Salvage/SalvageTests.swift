import Foundation
import Lifecycle
import Testing

@testable import Store

/// What can be read of a damaged file comes into a new one, and the damaged one stays as it is.
@Suite struct SalvageStoreTests {
  let scratch: Scratch
  let fleet = SmallFleet(600, seed: 41)
  var saved: String { scratch.path + "/saved.db" }
  init() throws {
    scratch = try Scratch()
    try store([fleet.batch], in: scratch.database)
  }

  private func settle() throws {
    try Connection(path: scratch.database, mode: .write).execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  @Test func aWholeFileComesThroughWhole() throws {
    try Registry(path: scratch.database).publish(
      Publication(
        app: "a", release: ReleaseLabel(rawValue: "2.0.0"), channel: "beta",
        publishedAt: Timestamp(rawValue: SmallFleet.start),
        rollout: [
          RolloutStep(at: Timestamp(rawValue: SmallFleet.start), percent: 10)
        ]))
    let key = try Registry(path: scratch.database).createKey(
      app: "a", scope: .read, now: Timestamp(rawValue: SmallFleet.start))
    try remember("2.0.0")
    let salvage = try Salvage.run(scratch.database, into: saved)
    #expect(salvage.notes == [])
    #expect(try rows(saved) == rows(scratch.database))
    try expectHolds(saved, [fleet.batch])
    expectSound(saved)
    #expect(try Registry(path: saved).keyRing().find(key.secret)?.id == key.key.id)
    #expect(try count(saved, "SELECT count(*) FROM rollout_step") == 1)
    #expect(try count(saved, "SELECT count(*) FROM remembered_release WHERE device = 7 AND release = '2.0.0'") == 1)
    #expect(try count(saved, "SELECT count(*) FROM remembered_channel WHERE device = 7") == 1)
    #expect(try EventLog(path: saved).append([fleet.batch]) == [Admitted(accepted: 0, duplicate: 600)])
  }

  /// What waits on a device no event says again.
  private func remember(_ word: String) throws {
    for table in RememberedWords.Table.allCases {
      let memory = try RememberedWords(Registry(path: scratch.database), table)
      memory.remember(word, of: DeviceHash(rawValue: 7), app: "a")
      try memory.save()
    }
  }

  /// With what only the write-ahead log holds.
  @Test func theLogIsReadToo() throws {
    let reader = try Snapshot(path: scratch.database)
    let later = SmallFleet(50, seed: 41, name: 1)
    try store([later.batch], in: scratch.database)
    try #require(DiskSpace.size(scratch.database + "-wal") > 0)
    _ = try Salvage.run(scratch.database, into: saved)
    try expectHolds(saved, [fleet.batch, later.batch])
    _ = reader
  }

  /// Rows that were written before their table got another column are shorter than it is.
  @Test func rowsOfEarlierVersionsComeThrough() throws {
    let old = scratch.path + "/old.db"
    let connection = try Connection(path: old, mode: .create)
    for statement in Schema.migrations[0] { try connection.execute(statement) }
    _ = try IdentityKeys.loadOrCreate(connection)
    try connection.execute(
      """
      INSERT INTO profile VALUES (1, 'ios', '17.4', '1.0', NULL, NULL, NULL);
      INSERT INTO name (id, text) VALUES (1, 'a'), (2, 'production'), (3, 'ios');
      INSERT INTO context VALUES (1, 'a', 'production', NULL, 1);
      INSERT INTO key (app, scope, hash, note, created_at) VALUES ('a', 'read', x'0102', NULL, 5);
      INSERT INTO event (at, device, context, stage, trigger, id_hash) VALUES (1709539200000, 7, 1, 2, 3, 9)
      """)
    try Schema.migrate(connection, .none)
    _ = try Salvage.run(old, into: saved)
    #expect(try count(saved, "SELECT count(*) FROM profile WHERE os_version = '17.4'") == 1)
    #expect(try count(saved, "SELECT count(*) FROM key") == 1)
    #expect(try count(saved, "SELECT count(*) FROM event") == 1)
  }

  /// Page by page: what is not on the others is counted as lost, and nothing else is.
  @Test func howManyEventsAreLostIsSaid() throws {
    try EventLog(path: scratch.database).foldAll()
    try settle()
    let file = try bytes(scratch.database)
    var lost = 0
    for page in 1..<file.count / 16384 {
      var damaged = file
      damaged.replaceSubrange(page * 16384..<(page + 1) * 16384, with: repeatElement(0, count: 16384))
      let (source, target) = (scratch.path + "/damaged\(page).db", scratch.path + "/saved\(page).db")
      try Data(damaged).write(to: URL(filePath: source))
      let notes = try Salvage.run(source, into: target).notes
      let here = try count(target, "SELECT count(*) FROM event")
      let said = "of events 1 to 600, and perhaps later ones, \(here) are here: at least \(600 - here) are lost"
      #expect(notes.contains(said) == (here < 600), "page \(page): \(notes)")
      lost += here < 600 ? 1 : 0
    }
    #expect(lost > 0)
  }

  /// What somebody meant to go is not called lost.
  @Test func whatWasForgottenIsNotCalledLost() throws {
    _ = try EventLog(path: scratch.database).forget([fleet.batch.events[100].device], now: Timestamp(rawValue: 1))
    let salvage = try Salvage.run(scratch.database, into: saved)
    #expect(salvage.notes.count == 1 && salvage.notes[0].contains("some had been forgotten"), "\(salvage.notes)")
    #expect(!salvage.notes[0].contains("at least"))
  }

  enum Damage: CaseIterable { case flipped, zeroed, torn, cut, ones }

  /// Whatever is damaged: the file is left alone, the new one is sound, and no event is in it that a sound page held otherwise.
  @Test(arguments: Damage.allCases, 1...6 as ClosedRange<UInt64>)
  func anyDamageLeavesASoundFile(_ damage: Damage, _ seed: UInt64) throws {
    try settle()
    let whole = Set(try rows(scratch.database))
    var (dice, file) = (Dice(state: seed &+ 977), try bytes(scratch.database))
    let pages = file.count / 16384
    for _ in 0..<4 {
      let start = Int.random(in: 1..<pages, using: &dice) * 16384
      switch damage {
      case .flipped: for _ in 0..<20 { file[start + Int.random(in: 0..<16384, using: &dice)] ^= 1 << UInt8(seed % 8) }
      case .zeroed: file.replaceSubrange(start..<start + 16384, with: repeatElement(0, count: 16384))
      case .ones: file.replaceSubrange(start + 512..<start + 4096, with: repeatElement(0xff, count: 3584))
      case .torn: file.replaceSubrange(start + 8192..<start + 16384, with: file[8192..<16384])
      case .cut: file.removeLast(min(file.count / 8, 16384 * Int(seed) + 100))
      }
    }
    try write(file, to: scratch.database)
    do throws(StoreError) { _ = try Salvage.run(scratch.database, into: saved) } catch {
      Issue.record("\(damage) \(seed): \(error)")
      return
    }
    #expect(try bytes(scratch.database) == file)
    expectSound(saved, besides: "clock", "\(damage) \(seed)")
    let found = Set(try rows(saved))
    #expect(found.count <= whole.count)
    if damage == .zeroed || damage == .cut { #expect(found.isSubset(of: whole)) }
    #expect(try files(scratch.path).allSatisfy { !$0.contains(".source") && !$0.contains(".part") })
  }

  /// Numbers that were never given would ask for all memory there is.
  @Test(arguments: ["context", "profile", "name", "release"]) func damagedNumbersAreDropped(_ table: String) throws {
    let connection = try Connection(path: scratch.database, mode: .write)
    switch table {
    case "context": try connection.execute("UPDATE context SET id = 4000000000000000 WHERE id = 2")
    case "profile": try connection.execute("UPDATE profile SET id = -7 WHERE id = 1")
    case "name": try connection.execute("UPDATE name SET id = 9000000000000000000 WHERE id = 1")
    default: try connection.execute("UPDATE release SET id = 8000000000 WHERE id = 1")
    }
    let salvage = try Salvage.run(scratch.database, into: saved)
    expectSound(saved)
    #expect(!salvage.notes.isEmpty || table == "name")
    let left = try count(saved, "SELECT count(*) FROM event")
    #expect(left < 600 && left >= 0 || table == "name")
  }

  /// A row on a page of events that is none in its shape is damage, not an event.
  @Test func rowsOfAnotherShapeAreLeftOut() throws {
    let connection = try Connection(path: scratch.database, mode: .write)
    try connection.execute(
      "UPDATE event SET device = 'text' WHERE seq = 5; UPDATE event SET at = x'0102' WHERE seq = 9")
    let salvage = try Salvage.run(scratch.database, into: saved)
    try expectHolds(saved, [fleet.part(0..<4), fleet.part(5..<8), fleet.part(9..<600)])
    expectSound(saved)
    #expect(salvage.tables.first { $0.name == "event" }?.rows == 598)
  }

  /// Where the same damage is met otherwise, it is an error that says what and what to do.
  @Test func damagedNumbersAreToldEverywhere() throws {
    try Connection(path: scratch.database, mode: .write).execute("UPDATE context SET id = 4000000000 WHERE id = 2")
    #expect {
      _ = try Snapshot(path: scratch.database)
    } throws: { error in
      let error = error as? StoreError
      return error?.kind == .corrupt && error?.reason.contains("context 4000000000") ?? false
        && "\(error?.hint as Any)".contains("salvage")
    }
  }

  @Test func nothingIsReplaced() throws {
    try write([1, 2, 3], to: saved)
    #expect(throws: StoreError(.refused(.exists), path: saved)) { try Salvage.run(scratch.database, into: saved) }
    #expect(try bytes(saved) == [1, 2, 3])
    #expect(try files(scratch.path).allSatisfy { !$0.contains(".source") })
  }

  @Test func aFileThatIsNoneLeavesNothingBehind() throws {
    #expect(throws: StoreError.self) { try Salvage.run(scratch.path + "/none.db", into: saved) }
    try write(Array(repeating: 7, count: 40_000), to: scratch.path + "/noise.db")
    let salvage = try Salvage.run(scratch.path + "/noise.db", into: saved)
    #expect(salvage.tables.allSatisfy { $0.rows == 0 } && salvage.notes.count == 1)
  }
}

/// Archives come back into a salvaged file as far as they can be read.
@Suite struct SalvageArchiveTests {
  let scratch: Scratch
  let fleet = SmallFleet(300, seed: 42)
  var saved: String { scratch.path + "/saved.db" }
  init() throws {
    scratch = try Scratch()
    try store([fleet.batch], in: scratch.database)
    for share in [100, 200] { try scratch.retain(before: SmallFleet.start + Int64(share) * SmallFleet.hour) }
  }

  @Test func allAreThereAgain() throws {
    let salvage = try Salvage.run(scratch.database, into: saved)
    #expect(salvage.notes.count == 2)
    try expectHolds(saved, [fleet.batch])
    expectSound(saved)
    #expect(try EventLog(path: saved).append([fleet.batch]) == [Admitted(accepted: 0, duplicate: 300)])
    #expect(try count(saved, "SELECT count(*) FROM meta WHERE key LIKE 'archive %'") == 0)
  }

  /// The same disk held them: one that is damaged, gone or another's costs its own events only, and is told.
  @Test(arguments: ["damaged", "missing", "foreign"]) func oneThatCannotBeReadCostsOnlyItsOwn(_ what: String) throws {
    let archive = scratch.archives + "/events-101-200.uptk"
    switch what {
    case "damaged": try write(bytes(archive).dropLast(50), to: archive)
    case "missing": try FileManager.default.removeItem(atPath: archive)
    default:
      let other = try Scratch()
      try store([fleet.batch], in: other.database)
      try other.retain(before: fleet.end)
      try write(bytes(other.archives + "/events-1-300.uptk"), to: archive)
    }
    let salvage = try Salvage.run(scratch.database, into: saved)
    try expectHolds(saved, [fleet.part(0..<100), fleet.part(200..<300)])
    expectSound(saved)
    #expect(
      salvage.notes.contains { $0.hasPrefix("100 events that had been taken out are lost: ") && $0.contains(archive) })
  }

  /// Where an archive was taken in as new events before, they are there once.
  @Test func whatWasStoredAnewIsNotDoubled() throws {
    try Connection(path: scratch.database, mode: .write).execute(
      "UPDATE meta SET value = x'00' WHERE key LIKE 'archive %'")
    #expect(try scratch.putBack().map(\.accepted) == [100, 100])
    _ = try Salvage.run(scratch.database, into: saved)
    try expectHolds(saved, [fleet.batch])
    #expect(try count(saved, "SELECT count(*) FROM event") == 300)
  }

  /// A copy of before lies in the archive's place, and the deletion log names who is in it.
  @Test func forgottenDevicesStayAway() throws {
    let gone = fleet.devices[2]
    let old = try bytes(scratch.archives + "/events-1-100.uptk")
    _ = try EventLog(path: scratch.database).forget([gone], now: Timestamp(rawValue: fleet.end))
    try write(old, to: scratch.archives + "/events-1-100.uptk")
    try Connection(path: scratch.database, mode: .write).execute("DELETE FROM forgotten")
    _ = try Salvage.run(scratch.database, into: saved)
    try expectHolds(saved, [fleet.part(0..<300) { $0.device != gone }])
    expectSound(saved)
  }
}
