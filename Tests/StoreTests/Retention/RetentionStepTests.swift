import Foundation
import Lifecycle
import Testing

@testable import Store

/// Events leave the table only once their archive is on disk, and each is in one of the two afterwards, whatever happens
/// in between.
@Suite struct RetentionStepTests {
  let scratch: Scratch
  let fleet = SmallFleet(300, seed: 31)
  init() throws {
    scratch = try Scratch()
    try store([fleet.batch], in: scratch.database)
  }

  /// Ends at the given turn to write: before it, or once it has written.
  private func runKilled(at turn: Int, afterWriting: Bool) throws -> Bool {
    try FileManager.default.createDirectory(atPath: scratch.archives, withIntermediateDirectories: true)
    var turns = 0
    let stop = StoreError(.locked, path: "killed")
    do throws(StoreError) {
      let retention = try Retention(path: scratch.database) { body throws(StoreError) in
        turns += 1
        if turns == turn, !afterWriting { throw stop }
        try body()
        if turns == turn { throw stop }
      }
      _ = try retention.run(before: Timestamp(rawValue: fleet.end), to: .archives(directory: scratch.archives))
      return false
    } catch {
      if error == stop { return true }
      throw error
    }
  }

  @Test(arguments: [false, true]) func killedBetweenAnyTwoStepsTheNextRunFinishes(_ afterWriting: Bool) throws {
    let before = try rows(scratch.database)
    var turn = 1
    while try runKilled(at: turn, afterWriting: afterWriting) {
      let comment: Comment = "killed at turn \(turn)"
      try expectHolds(scratch.database, [fleet.batch], comment)
      expectSound(scratch.database, comment)
      try scratch.retain(before: fleet.end)
      #expect(try count(scratch.database, "SELECT count(*) FROM event") == 0, comment)
      #expect(try files(scratch.archives) == ["events-1-300.uptk"], comment)
      #expect(try count(scratch.database, "SELECT count(*) FROM removed WHERE state < 2") == 0, comment)
      #expect(try scratch.putBack() == [PutBack(accepted: 300)], comment)
      #expect(try rows(scratch.database) == before, comment)
      try FileManager.default.removeItem(atPath: scratch.archives)
      turn += 1
    }
    #expect(turn == 6, "planned, allowed, two deletes, pruned")
  }

  /// The service's daily run and one by hand: the second finds its events gone, and must not write that down.
  @Test(arguments: 1...5) func twoAtOnceLoseNothing(_ turn: Int) throws {
    let before = try rows(scratch.database)
    try FileManager.default.createDirectory(atPath: scratch.archives, withIntermediateDirectories: true)
    var turns = 0
    let retention = try Retention(path: scratch.database) { body throws(StoreError) in
      turns += 1
      try body()
      guard turns == turn else { return }
      let other = try Retention(path: scratch.database) { body throws(StoreError) in try body() }
      _ = try other.run(before: Timestamp(rawValue: fleet.end), to: .archives(directory: scratch.archives))
    }
    _ = try retention.run(before: Timestamp(rawValue: fleet.end), to: .archives(directory: scratch.archives))
    #expect(try count(scratch.database, "SELECT count(*) FROM event") == 0)
    #expect(try files(scratch.archives) == ["events-1-300.uptk"])
    #expect(try scratch.putBack() == [PutBack(accepted: 300)])
    #expect(try rows(scratch.database) == before)
    expectSound(scratch.database)
  }

  /// Another program puts the archive back while its events go.
  @Test(arguments: [2, 3]) func putBackMeanwhileTheyStay(_ turn: Int) throws {
    let before = try rows(scratch.database)
    try FileManager.default.createDirectory(atPath: scratch.archives, withIntermediateDirectories: true)
    var turns = 0
    let retention = try Retention(path: scratch.database) { body throws(StoreError) in
      turns += 1
      try body()
      if turns == turn {
        _ = try EventLog(path: scratch.database).putBack(archive: scratch.archives + "/events-1-300.uptk")
      }
    }
    _ = try retention.run(before: Timestamp(rawValue: fleet.end), to: .archives(directory: scratch.archives))
    #expect(try rows(scratch.database) == before)
    expectSound(scratch.database)
  }

  /// A removal was half done when the backup was made, and its archive is not where the backup was restored.
  @Test(arguments: [false, true]) func withoutItsArchiveNothingMoreGoes(_ isDamaged: Bool) throws {
    try #require(try runKilled(at: 2, afterWriting: true))
    let connection = try Connection(path: scratch.database, mode: .write)
    try connection.execute("DELETE FROM event WHERE seq <= 100")
    let archive = scratch.archives + "/events-1-300.uptk"
    let whole = try bytes(archive)
    if isDamaged { try write(whole.dropLast(), to: archive) } else { unlink(archive) }
    #expect(try scratch.retain(before: fleet.end) == 200)
    #expect(try files(scratch.archives).contains("events-101-300.uptk"))
    #expect(try scratch.putBack(["events-101-300.uptk"]) == [PutBack(accepted: 200)])
    try write(whole, to: archive)
    #expect(try scratch.putBack(["events-1-300.uptk"]) == [PutBack(accepted: 100, duplicate: 200)])
    try expectHolds(scratch.database, [fleet.batch])
    expectSound(scratch.database)
  }

  /// A name that was free as the removal was planned is not when its archive is written.
  @Test(arguments: ["of another", "uptkarc1 of another"]) func aFileThatCameMeanwhileStays(_ text: String) throws {
    try #require(try runKilled(at: 1, afterWriting: true))
    let path = scratch.archives + "/events-1-300.uptk"
    try write(Array(text.utf8), to: path)
    try scratch.retain(before: fleet.end)
    #expect(try String(decoding: bytes(path), as: UTF8.self) == text)
    #expect(try files(scratch.archives) == ["events-1-300-2.uptk", "events-1-300.uptk"])
    #expect(try scratch.putBack(["events-1-300-2.uptk"]) == [PutBack(accepted: 300)])
    try expectHolds(scratch.database, [fleet.batch])
  }

  /// Nor a whole archive of another timeline, though it holds the same numbers.
  @Test func anArchiveThatCameMeanwhileStays() throws {
    try scratch.retain(before: fleet.end)
    let path = scratch.archives + "/events-1-300.uptk"
    let other = try bytes(path)
    try scratch.putBack()
    try FileManager.default.removeItem(atPath: path)
    try #require(try runKilled(at: 1, afterWriting: true))
    try Connection(path: scratch.database, mode: .write).execute(
      "UPDATE removed SET before = before + 1; UPDATE event SET duration = 5")
    try write(other, to: path)
    try scratch.retain(before: fleet.end)
    #expect(try bytes(path) == other)
    #expect(try files(scratch.archives).count == 2)
  }

  /// What an interrupted run of the same removal left is its own.
  @Test func whatItLeftItselfIsReplaced() throws {
    try #require(try runKilled(at: 1, afterWriting: true))
    let connection = try Connection(path: scratch.database, mode: .read)
    let planned = try #require(try Removed.all(connection).first)
    let keys = try IdentityKeys.required(connection)
    let half = try ArchivedEvents.read(planned, connection).keeping { sequence, _ in sequence <= 200 }
    try Archive.save(Archive.pack(half, keys, before: planned.before), at: #require(planned.archive))
    try scratch.retain(before: fleet.end)
    #expect(try files(scratch.archives) == ["events-1-300.uptk"])
    #expect(try scratch.putBack() == [PutBack(accepted: 300)])
  }

  /// The disk is full, the directory gone, the database refuses: nothing has left, and the next run does it all.
  @Test func aFailureOnTheWayLosesNothing() throws {
    let before = try rows(scratch.database)
    let log = try EventLog(path: scratch.database)
    #expect(throws: StoreError.self) {
      try log.retain(before: Timestamp(rawValue: fleet.end), archives: scratch.path + "/none")
    }
    #expect(try rows(scratch.database) == before)
    try FileManager.default.createDirectory(atPath: scratch.path + "/none", withIntermediateDirectories: true)
    let breaker = try Connection(path: scratch.database, mode: .write)
    try breaker.execute(
      "CREATE TRIGGER full BEFORE DELETE ON event WHEN OLD.seq = 250 BEGIN SELECT RAISE(ABORT, 'no'); END")
    #expect(throws: StoreError.self) {
      try log.retain(before: Timestamp(rawValue: fleet.end), archives: scratch.path + "/none")
    }
    #expect(try rows(scratch.database) == before, "a transaction of deletes goes whole or not at all")
    try breaker.execute("DROP TRIGGER full")
    #expect(try log.retain(before: Timestamp(rawValue: fleet.end), archives: scratch.path + "/none").events == 300)
    #expect(try log.putBack(archive: scratch.path + "/none/events-1-300.uptk") == PutBack(accepted: 300))
    #expect(try rows(scratch.database) == before)
  }

  @Test func whatIsNotFoldedStays() throws {
    let later = SmallFleet(50, seed: 31, name: 1)
    let log = try EventLog(path: scratch.database)
    _ = try log.append([later.batch])
    #expect(try log.retainable(before: Timestamp(rawValue: .max)) == 300)
    #expect(try log.retain(before: Timestamp(rawValue: .max), archives: nil).events == 300)
    #expect(try count(scratch.database, "SELECT count(*) FROM event") == 50)
    try log.foldAll()
    try expectHolds(scratch.database, [fleet.batch, later.batch])
  }

  /// Resends of what left are recognised, after a restart too; of what was put back as well.
  @Test func resendsAreRecognised() throws {
    for dropping in [false, true] {
      try scratch.retain(before: fleet.end - 100 * SmallFleet.hour, dropping: dropping)
      #expect(try EventLog(path: scratch.database).append([fleet.batch]) == [Admitted(accepted: 0, duplicate: 300)])
    }
    try scratch.putBack()
    #expect(try EventLog(path: scratch.database).append([fleet.batch]) == [Admitted(accepted: 0, duplicate: 300)])
  }

  /// A run that was to drop them ended before anything went; the next one keeps archives.
  @Test func whatWasNotDroppedYetIsKept() throws {
    let before = try rows(scratch.database)
    var turns = 0
    let dropping = try Retention(path: scratch.database) { body throws(StoreError) in
      turns += 1
      try body()
      if turns == 1 { throw StoreError(.locked, path: "killed") }
    }
    #expect(throws: StoreError.self) { try dropping.run(before: Timestamp(rawValue: fleet.end), to: .nowhere) }
    #expect(try scratch.retain(before: fleet.end) == 300)
    #expect(try scratch.putBack() == [PutBack(accepted: 300)])
    #expect(try rows(scratch.database) == before)
  }

  /// Its disk is full, and the next run is told another place, or to drop: nothing more is asked of the first.
  @Test(arguments: [false, true]) func whatWasPlannedGoesWhereItIsToldNow(_ isDropped: Bool) throws {
    let before = try rows(scratch.database)
    try #require(try runKilled(at: 1, afterWriting: true))
    try write(Array("killed amid writing".utf8), to: scratch.archives + "/events-1-300.uptk.part")
    let other = scratch.path + "/other"
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    let log = try EventLog(path: scratch.database)
    let report = try log.retain(before: Timestamp(rawValue: fleet.end), archives: isDropped ? nil : other)
    #expect(report.events == 300)
    #expect(report.archives == (isDropped ? [] : [other + "/events-1-300.uptk"]))
    #expect(try files(scratch.archives) == [])
    #expect(try count(scratch.database, "SELECT count(*) FROM event") == 0)
    guard !isDropped else { return }
    _ = try log.putBack(archive: other + "/events-1-300.uptk")
    #expect(try rows(scratch.database) == before)
    expectSound(scratch.database)
  }

  /// Killed at any step with one folder, then run with another: each event is in one archive that is known.
  @Test(arguments: [false, true]) func anotherFolderAfterAnyStepLosesNothing(_ afterWriting: Bool) throws {
    let before = try rows(scratch.database)
    let other = scratch.path + "/other"
    var turn = 1
    while try runKilled(at: turn, afterWriting: afterWriting) {
      let comment: Comment = "killed at turn \(turn)"
      try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
      let log = try EventLog(path: scratch.database)
      _ = try log.retain(before: Timestamp(rawValue: fleet.end), archives: other)
      #expect(try count(scratch.database, "SELECT count(*) FROM event") == 0, comment)
      #expect(try count(scratch.database, "SELECT count(*) FROM removed WHERE state < 2") == 0, comment)
      let archives = try [scratch.archives, other].flatMap { folder in try files(folder).map { folder + "/" + $0 } }
      #expect(archives.count == 1, comment)
      for archive in archives { #expect(try log.putBack(archive: archive) == PutBack(accepted: 300), comment) }
      try log.foldAll()
      #expect(try rows(scratch.database) == before, comment)
      for folder in [scratch.archives, other] { try FileManager.default.removeItem(atPath: folder) }
      turn += 1
    }
    #expect(turn == 6)
  }

  /// The run that writes an archive does not put it in place once another run has chosen another folder.
  @Test func anotherRunThatMovesIt() throws {
    let before = try rows(scratch.database)
    let other = scratch.path + "/other"
    for folder in [scratch.archives, other] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    var turns = 0
    let retention = try Retention(path: scratch.database) { body throws(StoreError) in
      turns += 1
      if turns == 2 {
        let moving = try Connection(path: scratch.database, mode: .write)
        try moving.prepare("UPDATE removed SET archive = ?").run(.text(other + "/events-1-300.uptk"))
      }
      try body()
    }
    let report = try retention.run(
      before: Timestamp(rawValue: fleet.end), to: .archives(directory: scratch.archives))
    #expect(report.archives == [other + "/events-1-300.uptk"])
    #expect(try files(scratch.archives) == [])
    _ = try EventLog(path: scratch.database).putBack(archive: other + "/events-1-300.uptk")
    #expect(try rows(scratch.database) == before)
  }

  /// More than go in one transaction: ended after the first of them, table and archive together hold each event.
  @Test func endedBetweenTwoDeletes() throws {
    let other = try Scratch()
    let many = SmallFleet(25_000, seed: 33)
    try store([many.batch], in: other.database)
    let before = try rows(other.database)
    try FileManager.default.createDirectory(atPath: other.archives, withIntermediateDirectories: true)
    var turns = 0
    let retention = try Retention(path: other.database) { body throws(StoreError) in
      turns += 1
      try body()
      if turns == 3 { throw StoreError(.locked, path: "killed") }
    }
    #expect(throws: StoreError.self) {
      try retention.run(before: Timestamp(rawValue: .max), to: .archives(directory: other.archives))
    }
    #expect(try rows(other.database) == Array(before[10_000...]))
    #expect(try other.retain(before: .max) == 25_000)
    #expect(try other.putBack() == [PutBack(accepted: 25_000)])
    #expect(try rows(other.database) == before)
  }
}
