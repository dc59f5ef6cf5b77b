import Foundation
import Lifecycle
import Testing

@testable import Store

/// What comes out of an archive counts once, whatever became of the database meanwhile.
@Suite struct PutBackTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  @Test(arguments: 1...4 as ClosedRange<UInt64>) func ofItsOwnEveryRowComesBackAsItWas(_ seed: UInt64) throws {
    let fleet = SmallFleet(400, seed: seed)
    try store([fleet.batch], in: scratch.database)
    let before = try rows(scratch.database)
    var taken: Int64 = 0
    for share in [100, 101, 260] {
      taken += try scratch.retain(before: SmallFleet.start + Int64(share) * SmallFleet.hour)
    }
    #expect(taken == 260)
    #expect(try rows(scratch.database) == Array(before[260...]))
    try expectHolds(scratch.database, [fleet.batch])
    #expect(try scratch.putBack().map(\.accepted).sorted() == [1, 100, 159])
    #expect(try rows(scratch.database) == before)
    #expect(try count(scratch.database, "SELECT count(*) FROM removed") == 0)
    #expect(try count(scratch.database, "SELECT count(*) FROM meta WHERE key LIKE 'archive %'") == 0)
    try expectHolds(scratch.database, [fleet.batch])
    expectSound(scratch.database)
    #expect(try scratch.putBack().allSatisfy { $0.accepted == 0 && $0.forgotten == 0 })
    #expect(try rows(scratch.database) == before)
  }

  /// What this database did with the events that it shares with the archive of another timeline.
  enum Shared: CaseIterable { case kept, archived, dropped, archivedAndLost, archivedAndDamaged }

  /// Numbers are given again after an older backup was restored.
  @Test(arguments: Shared.allCases, [1, 2] as [UInt64])
  func ofAnotherTimelineWhatIsNewIsStoredAnew(_ shared: Shared, _ seed: UInt64) throws {
    let (fleet, other) = (SmallFleet(300, seed: seed), SmallFleet(200, seed: seed, name: 1))
    try store([fleet.part(0..<100)], in: scratch.database)
    try scratch.backup("b")
    try store([fleet.part(100..<300)], in: scratch.database)
    try scratch.retain(before: fleet.end)
    try #require(files(scratch.archives) == ["events-1-300.uptk"])
    try scratch.restore("b")
    try treat(shared)
    try store([other.batch], in: scratch.database)
    try scratch.retain(before: fleet.end)

    let back = try scratch.putBack(["events-1-300.uptk"])
    let isReadable = shared == .kept || shared == .archived
    #expect(back == [PutBack(accepted: isReadable ? 200 : 300, duplicate: isReadable ? 100 : 0)])
    try expectHolds(scratch.database, [fleet.batch, other.batch])
    expectSound(scratch.database, besides: shared == .archivedAndDamaged ? "archives" : nil)
    #expect(try scratch.putBack(["events-1-300.uptk"]) == [PutBack(accepted: 0, duplicate: 300)])
    // Taken out again, they are as well known.
    try scratch.retain(before: fleet.end + 10 * SmallFleet.hour, dropping: true)
    #expect(try scratch.putBack(["events-1-300.uptk"]) == [PutBack(accepted: 0, duplicate: 300)])
    try expectHolds(scratch.database, [fleet.batch, other.batch])
  }

  private func treat(_ shared: Shared) throws {
    let before = SmallFleet.start + 100 * SmallFleet.hour
    switch shared {
    case .kept: break
    case .archived: try scratch.retain(before: before)
    case .dropped: try scratch.retain(before: before, dropping: true)
    case .archivedAndLost:
      try scratch.retain(before: before)
      try FileManager.default.removeItem(atPath: scratch.archives + "/events-1-100.uptk")
    case .archivedAndDamaged:
      try scratch.retain(before: before)
      try write(
        bytes(scratch.archives + "/events-1-100.uptk").dropLast(40), to: scratch.archives + "/events-1-100.uptk")
    }
  }

  /// Put back, dropped, and put back once more: late arrivals are counted once.
  @Test func droppedAfterwardsItComesBackOnce() throws {
    let fleet = SmallFleet(200, seed: 5)
    try store([fleet.batch], in: scratch.database)
    try scratch.retain(before: fleet.end)
    try scratch.putBack()
    try scratch.retain(before: fleet.end, dropping: true)
    #expect(try scratch.putBack() == [PutBack(accepted: 200)])
    try expectHolds(scratch.database, [fleet.batch])
    #expect(try count(scratch.database, "SELECT count(*) FROM event") == 200)
    expectSound(scratch.database)
  }

  /// Into a backup from before its events came.
  @Test func intoABackupFromBeforeItGoesAsNewEvents() throws {
    let fleet = SmallFleet(200, seed: 6)
    try store([fleet.part(0..<50)], in: scratch.database)
    try scratch.backup("b")
    try store([fleet.part(50..<200)], in: scratch.database)
    try scratch.retain(before: fleet.end)
    try scratch.restore("b")
    #expect(try scratch.putBack() == [PutBack(accepted: 150, duplicate: 50)])
    try expectHolds(scratch.database, [fleet.batch])
    expectSound(scratch.database)
  }

  /// Removals that an earlier version wrote down have no digest beside them.
  @Test func ofAnEarlierVersionItIsKnownByItsFile() throws {
    let (fleet, other) = (SmallFleet(100, seed: 7), SmallFleet(100, seed: 7, name: 1))
    _ = try EventLog(path: scratch.database)
    try scratch.backup("b")
    try store([other.batch], in: scratch.database)
    try scratch.retain(before: fleet.end)
    try FileManager.default.moveItem(
      atPath: scratch.archives + "/events-1-100.uptk", toPath: scratch.archives + "/other.uptk")
    try scratch.restore("b")
    try store([fleet.batch], in: scratch.database)
    let before = try rows(scratch.database)
    try scratch.retain(before: fleet.end)
    let connection = try Connection(path: scratch.database, mode: .write)
    try connection.execute("DELETE FROM meta WHERE key LIKE 'archive %'")
    // Same numbers, same count, taken out at the same instant: only the file tells them apart.
    #expect(try scratch.putBack(["other.uptk"]) == [PutBack(accepted: 100)])
    try expectHolds(scratch.database, [fleet.batch, other.batch])
    #expect(try scratch.putBack(["events-1-100.uptk"]) == [PutBack(accepted: 100)])
    #expect(try Array(rows(scratch.database).prefix(100)) == before)
    try expectHolds(scratch.database, [fleet.batch, other.batch])
    expectSound(scratch.database)
  }

  @Test func ofAnotherDatabaseItIsRefused() throws {
    try store([SmallFleet(50, seed: 8).batch], in: scratch.database)
    try scratch.retain(before: .max)
    let stranger = scratch.path + "/stranger.db"
    try store([SmallFleet(50, seed: 8).batch], in: stranger)
    #expect(throws: StoreError(.refused(.foreignArchive), path: scratch.archives + "/events-1-50.uptk")) {
      try scratch.putBack(in: stranger)
    }
    #expect(try count(stranger, "SELECT count(*) FROM event") == 50)
  }
}
