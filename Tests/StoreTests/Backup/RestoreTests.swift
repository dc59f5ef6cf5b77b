import Foundation
import Lifecycle
import Testing

@testable import Store

/// A backup is one moment, whole; what is restored is that, or nothing is touched.
@Suite struct RestoreTests {
  let scratch: Scratch
  let fleet = SmallFleet(300, seed: 51)
  init() throws {
    scratch = try Scratch()
    try store([fleet.part(0..<200)], in: scratch.database)
    try scratch.backup("b")
    try store([fleet.part(200..<300)], in: scratch.database)
  }

  @Test func itIsTheMomentItWasMadeOf() throws {
    let restored = try scratch.restore("b")
    #expect(restored.events == 200 && restored.forgotten == 0 && restored.revoked == 0)
    try expectHolds(scratch.database, [fleet.part(0..<200)])
    expectSound(scratch.database)
    try expectHolds(try #require(restored.movedAside), [fleet.batch])
  }

  /// Neither what another connection has not committed, nor half of it.
  @Test func whatIsNotCommittedIsNotInIt() throws {
    let other = try Connection(path: scratch.database, mode: .write)
    try other.execute("BEGIN IMMEDIATE; DELETE FROM event WHERE seq % 2 = 0")
    try scratch.backup("c")
    try other.execute("ROLLBACK")
    try scratch.restore("c")
    try expectHolds(scratch.database, [fleet.batch])
  }

  /// Any byte that is another, and any length: refused, and nothing is touched.
  @Test(arguments: 1...12 as ClosedRange<UInt64>) func damagedItIsRefused(_ seed: UInt64) throws {
    var (dice, file) = (Dice(state: seed), try bytes(scratch.path + "/b"))
    let before = try bytes(scratch.database)
    if seed % 3 == 0 {
      file.removeLast(Int.random(in: 1...file.count, using: &dice))
    } else {
      file[Int.random(in: file.indices, using: &dice)] ^= UInt8.random(in: 1...255, using: &dice)
    }
    try write(file, to: scratch.path + "/b")
    #expect {
      try scratch.restore("b")
    } throws: { error in
      guard case .refused(.checksumDiffers) = (error as? StoreError)?.kind else { return false }
      return true
    }
    #expect(try bytes(scratch.database) == before)
    #expect(try files(scratch.path).allSatisfy { !$0.contains("before-restore") && !$0.contains(".part") })
  }

  /// Its checksum agrees, its pages do not: a copy of a file that was damaged already.
  @Test func aDamagedFileWithItsChecksumIsRefused() throws {
    var file = try bytes(scratch.path + "/b")
    for place in stride(from: 20_000, to: file.count, by: 16384) { file[place] ^= 0xff }
    for place in stride(from: 16384, to: file.count, by: 16384 * 3) { file[place] = 0x77 }
    try write(file, to: scratch.path + "/b")
    try Checksum.write([Checksum.of(scratch.path + "/b")], of: scratch.path + "/b")
    #expect(throws: StoreError.self) { try scratch.restore("b") }
    try expectHolds(scratch.database, [fleet.batch])
  }

  @Test func whatIsNotThereIsNoBackup() throws {
    let missing = scratch.path + "/none"
    #expect(throws: StoreError(.refused(.backupMissing), path: missing)) { try scratch.restore("none") }
    try expectHolds(scratch.database, [fleet.batch])
  }

  @Test func withoutAChecksumItIsRefused() throws {
    try FileManager.default.removeItem(atPath: scratch.path + "/b.sha256")
    #expect(throws: StoreError(.refused(.noChecksum), path: scratch.path + "/b")) { try scratch.restore("b") }
    try expectHolds(scratch.database, [fleet.batch])
  }

  /// Restoring twice keeps both of what was there before: the first may be the only copy of the newest events.
  @Test func whatWasMovedAsideStays() throws {
    let first = try #require(try scratch.restore("b").movedAside)
    try store([SmallFleet(20, seed: 51, name: 1).batch], in: scratch.database)
    let second = try #require(try scratch.restore("b").movedAside)
    #expect(first != second)
    try expectHolds(first, [fleet.batch])
    try expectHolds(second, [fleet.part(0..<200), SmallFleet(20, seed: 51, name: 1).batch])
  }

  /// What the write-ahead log of the old file holds is in the file that is moved aside, though it were moved alone.
  @Test func theOldLogIsInTheOldFile() throws {
    let copy = scratch.path + "/copy.db"
    let holder = try Connection(path: scratch.database, mode: .read)
    #expect(try holder.integer("SELECT count(*) FROM event") == 300)
    try store([SmallFleet(20, seed: 51, name: 1).batch], in: scratch.database)
    try #require(DiskSpace.size(scratch.database + "-wal") > 0)
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: scratch.database + suffix, toPath: copy + suffix)
    }
    var options = Restore.Options()
    options.replaces = true
    let aside = try #require(
      try Restore.run(scratch.path + "/b", to: copy, options, now: Timestamp(rawValue: 1)).movedAside)
    for suffix in ["-wal", "-shm"] { unlink(aside + suffix) }
    try expectHolds(aside, [fleet.batch, SmallFleet(20, seed: 51, name: 1).batch])
    try expectHolds(copy, [fleet.part(0..<200)])
  }

  /// A restore that was killed left its journal: it belongs to no file that comes after.
  @Test func whatAKilledRunLeftIsNotApplied() throws {
    let part = scratch.database + ".part"
    try FileManager.default.copyItem(atPath: scratch.path + "/b", toPath: part)
    let killed = try Connection(path: part, mode: .write)
    try killed.execute(
      "PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; PRAGMA cache_spill = 1; UPDATE event SET bytes = 1")
    try killed.execute("BEGIN; UPDATE event SET duration = 1; UPDATE journey SET packed = zeroblob(20000)")
    let journal = try bytes(part + "-journal")
    try killed.execute("ROLLBACK")
    try write(journal, to: scratch.path + "/journal")
    try FileManager.default.moveItem(atPath: scratch.path + "/journal", toPath: part + "-journal")
    try scratch.restore("b")
    try expectHolds(scratch.database, [fleet.part(0..<200)])
    #expect(try count(scratch.database, "SELECT count(*) FROM event WHERE bytes = 1") == 0)
    expectSound(scratch.database)
  }

  @Test func aBackupThatFailsLeavesTheOldOne() throws {
    let before = try bytes(scratch.path + "/b")
    try Connection(path: scratch.database, mode: .write).execute("PRAGMA wal_checkpoint(TRUNCATE)")
    var file = try bytes(scratch.database)
    for place in stride(from: 16384, to: file.count, by: 16384) { file[place] = 0x77 }
    try write(file, to: scratch.path + "/damaged.db")
    #expect(throws: StoreError.self) {
      try Backup.make(
        of: scratch.path + "/damaged.db", at: scratch.path + "/b", replacing: true, now: Timestamp(rawValue: 1))
    }
    #expect(try bytes(scratch.path + "/b") == before)
    #expect(throws: StoreError(.refused(.exists), path: scratch.path + "/b")) {
      try Backup.make(of: scratch.database, at: scratch.path + "/b", replacing: false, now: Timestamp(rawValue: 1))
    }
    #expect(try bytes(scratch.path + "/b") == before)
    #expect(try files(scratch.path).allSatisfy { !$0.hasSuffix(".part") })
  }

  /// Keys that were revoked since stay revoked; where the old file cannot be read, nobody has access without a key.
  @Test func revokedKeysStayRevoked() throws {
    let registry = try Registry(path: scratch.database)
    let now = Timestamp(rawValue: SmallFleet.start)
    let (kept, gone) = (
      try registry.createKey(app: "a", scope: .read, now: now), try registry.createKey(app: "a", scope: .read, now: now)
    )
    try scratch.backup("keys")
    #expect(try registry.revokeKey(gone.key.id, now: now))
    #expect(try scratch.restore("keys").revoked == 1)
    let ring = try Registry(path: scratch.database).keyRing()
    #expect(ring.find(kept.secret) != nil && ring.find(gone.secret) == nil)
    try scratch.restore("b")
    let closed = try Registry(path: scratch.database).keyRing()
    #expect(closed.isEmpty && !closed.isOpen)
  }

  @Test func anUnreadableOldFileKeepsItClosed() throws {
    for suffix in ["-wal", "-shm"] { unlink(scratch.database + suffix) }
    try write(Array(repeating: 0x41, count: 5000), to: scratch.database)
    try scratch.restore("b")
    #expect(try !Registry(path: scratch.database).keyRing().isOpen)
    try expectHolds(scratch.database, [fleet.part(0..<200)])
  }
}

/// A fold from nothing finds every shard that is not what its events say.
@Suite struct FreshFoldTests {
  let scratch: Scratch
  let fleet = SmallFleet(300, seed: 61)
  init() throws {
    scratch = try Scratch()
    try store([fleet.batch], in: scratch.database)
  }

  private func differences(_ shard: Int? = nil) throws -> [String] {
    try FreshFold.differences(Connection(path: scratch.database, mode: .read), shard: shard)
  }

  static let changes: [(table: String, sql: StaticString)] = [
    ("journey", "DELETE FROM journey WHERE rowid = (SELECT max(rowid) FROM journey)"),
    ("device", "UPDATE device SET packed = (SELECT packed FROM device WHERE part = 4) WHERE part = 5"),
    ("wake", "DELETE FROM wake WHERE rowid = (SELECT max(rowid) FROM wake)"),
    ("trail", "DELETE FROM trail WHERE part = 2"),
    ("sighting", "UPDATE sighting SET first_at = first_at - 1"),
    ("lag", "UPDATE lag SET events = events + 1"),
  ]

  @Test(arguments: 0..<6) func eachTable(_ index: Int) throws {
    #expect(try differences() == [])
    try Connection(path: scratch.database, mode: .write).execute(Self.changes[index].sql)
    #expect(try differences().contains(Self.changes[index].table))
  }

  /// Also where events were taken out: those that are left may change nothing.
  @Test func afterRetention() throws {
    try scratch.retain(before: SmallFleet.start + 100 * SmallFleet.hour, dropping: true)
    #expect(try differences() == [])
    for shard in [0, 16, 17, 63] { #expect(try differences(shard) == []) }
    try Connection(path: scratch.database, mode: .write).execute(
      "UPDATE sighting SET first_at = first_at + 1000000000000")
    #expect(try differences() == ["sighting"])
  }

  @Test func nothingOfTheFileChanges() throws {
    let before = try bytes(scratch.database)
    _ = try differences()
    #expect(try bytes(scratch.database) == before)
  }
}
