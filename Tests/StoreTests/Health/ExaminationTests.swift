import Foundation
import Lifecycle
import Testing

@testable import Store

/// Each check fails for what it is for, and none changes a byte.
@Suite struct ExaminationTests {
  let scratch: Scratch
  let fleet = SmallFleet(300, seed: 81)
  init() throws {
    scratch = try Scratch()
    try store([fleet.batch], in: scratch.database)
    try scratch.retain(before: SmallFleet.start + 100 * SmallFleet.hour)
  }

  private func verdict(_ check: String, isFull: Bool = true) throws -> Finding {
    let now = Timestamp(rawValue: fleet.end)
    return try #require(
      Examination(path: scratch.database, now: now, isFull: isFull).findings().first { $0.check == check })
  }

  @Test func nothingIsWrongAndNothingChanges() throws {
    let before = try bytes(scratch.database)
    expectSound(scratch.database)
    #expect(try verdict("archives").verdict == .ok)
    #expect(try bytes(scratch.database) == before)
  }

  /// An app that is asleep for months is so for days, and not for millions of seconds.
  @Test(arguments: [(-3, "0 s"), (119, "119 s"), (7199, "119 min"), (11_407, "3 h"), (34_560_000, "400 d")])
  func theNewestEventIsOld(_ seconds: Int64, _ words: String) { #expect(ContentChecks.age(seconds) == words) }

  /// One finding says so; checks of what is not there would each fail with words of their own.
  @Test(arguments: [0, 1]) func anEmptyFileIsOneFinding(_ bytes: Int) throws {
    let path = scratch.path + "/empty.db"
    try Data(repeating: 88, count: bytes).write(to: URL(fileURLWithPath: path))
    let failed = Examination(path: path, now: Timestamp(rawValue: fleet.end), isFull: true).findings()
      .filter { $0.verdict == .fail }
    #expect(failed.map(\.check) == ["open"])
    #expect(failed.first?.found.contains("holds nothing") == true)
    #expect(throws: StoreError(.emptyFile, path: path)) { _ = try Snapshot(path: path) }
  }

  static let illnesses: [(check: String, verdict: Finding.Verdict, sql: StaticString)] = [
    ("shards", .fail, "UPDATE event SET at = at - 900000000 WHERE seq = 200"),
    ("shards", .fail, "DELETE FROM device WHERE part = 5"),
    ("references", .fail, "DELETE FROM profile"),
    ("references", .fail, "DELETE FROM name WHERE text = 'disk'"),
    ("identity keys", .fail, "UPDATE meta SET value = x'00' WHERE key = 'identity_keys'"),
    ("fold", .fail, "UPDATE meta SET value = 50 WHERE key = 'folded'"),
    ("stages", .warn, "UPDATE event SET stage = 39 WHERE seq = 200"),
    ("archives", .warn, "UPDATE removed SET state = 1"),
    ("archives", .warn, "UPDATE removed SET archive = archive || '.moved'"),
    ("clock", .fail, "UPDATE event SET received = received + 90000000000 WHERE seq = 300"),
  ]

  @Test(arguments: 0..<10) func eachIsFound(_ index: Int) throws {
    let illness = Self.illnesses[index]
    try Connection(path: scratch.database, mode: .write).execute(illness.sql)
    let found = try verdict(illness.check)
    #expect(found.verdict == illness.verdict, "\(found)")
    #expect(found.fix != nil)
  }

  /// Once events come with right times again, the clock was wrong and is not: no fault for a thousand events more.
  @Test func aClockThatWasSetRightIsToldAndNoFault() throws {
    let change = try Connection(path: scratch.database, mode: .write)
    try change.execute("UPDATE event SET received = received + 90000000000 WHERE seq BETWEEN 250 AND 259")
    let found = try verdict("clock")
    let right = Timestamp(rawValue: SmallFleet.start + 259 * SmallFleet.hour)
    #expect(
      found.verdict == .ok
        && found.found.hasSuffix(
          "the clock was ahead until \(right.rfc3339): of the newest 200 events 10 were received after the present"),
      "\(found)")
    try change.execute("UPDATE event SET received = received + 90000000000 WHERE seq = 300")
    #expect(try verdict("clock").verdict == .fail)
  }

  /// Every archive is read by a full examination: one byte that is another, one that is missing, one of another database.
  @Test(arguments: 1...8 as ClosedRange<UInt64>) func aDamagedArchiveIsFound(_ seed: UInt64) throws {
    var dice = Dice(state: seed)
    let path = scratch.archives + "/events-1-100.uptk"
    var file = try bytes(path)
    if seed % 4 == 0 {
      file.removeLast()
    } else {
      file[Int.random(in: file.indices, using: &dice)] ^= 1 << UInt8(seed % 8)
    }
    try write(file, to: path)
    let found = try verdict("archives")
    #expect(found.verdict == .fail && found.found.contains(path) && found.fix != nil)
    #expect(try verdict("archives", isFull: false).verdict == .ok)
  }

  /// Whoever is forgotten later stays in an archive whose events were put back; one of another database is nobody's here.
  @Test func anArchiveThatNoRetentionNamesIsTold() throws {
    let (other, path) = (try Scratch(), scratch.archives + "/events-1-100.uptk")
    try store([fleet.part(0..<100)], in: other.database)
    try other.retain(before: fleet.end)
    try FileManager.default.copyItem(
      atPath: other.archives + "/events-1-100.uptk", toPath: scratch.archives + "/elsewhere.uptk")
    #expect(try verdict("archives").verdict == .ok)
    try scratch.putBack(["events-1-100.uptk"])
    #expect(try verdict("archives", isFull: false).verdict == .ok)
    let found = try verdict("archives")
    #expect(found.verdict == .warn && found.found.hasPrefix(path) && found.fix != nil, "\(found)")
    try FileManager.default.removeItem(atPath: path)
    #expect(try verdict("archives").verdict == .ok)
  }

  /// What is only planned has no archive yet.
  @Test func aPlannedRemovalMissesNothing() throws {
    let connection = try Connection(path: scratch.database, mode: .write)
    _ = try Removed.insert(
      Removed(
        id: 0, first: 101, last: 200, before: fleet.end, state: .planned, events: 100,
        archive: scratch.archives + "/events-101-200.uptk"), connection)
    #expect(try verdict("archives").found == "1 removal is half done")
  }

  /// A code that no stage has is no stage, however it is shortened.
  @Test(arguments: [39, 263, 7 + 1 << 32, -25]) func anUnknownStageCountsForNothing(_ code: Int64) throws {
    let other = try Scratch()
    _ = try EventLog(path: other.database).append([fleet.batch])
    let change = try Connection(path: other.database, mode: .write)
    let ready = try #require(fleet.batch.events.firstIndex { $0.stage == .ready })
    try change.prepare("UPDATE event SET stage = ? WHERE seq = ?").run(.integer(code), .integer(Int64(ready) + 1))
    let left = fleet.batch.events[ready].identity
    try expectHolds(other.database, [fleet.part(0..<300) { $0.identity != left }])
    try EventLog(path: other.database).foldAll()
    try expectHolds(other.database, [fleet.part(0..<300) { $0.identity != left }])
    let device = fleet.batch.events[ready].device
    _ = try EventLog(path: other.database).forget([device], now: Timestamp(rawValue: fleet.end))
    try expectHolds(other.database, [fleet.part(0..<300) { $0.device != device }])
  }
}
