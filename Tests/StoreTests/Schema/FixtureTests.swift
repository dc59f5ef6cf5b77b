import Foundation
import Lifecycle
import Testing

@testable import Store

/// Files of every released schema: what they hold is there after the upgrade, and every operation works on them.
@Suite struct FixtureTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  private func unpack(_ version: Int) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/version-\(version).db.gz").path
    let (gunzip, pipe) = (Process(), Pipe())
    gunzip.executableURL = URL(filePath: "/usr/bin/gunzip")
    gunzip.arguments = ["-c", file]
    gunzip.standardOutput = pipe
    try gunzip.run()
    try pipe.fileHandleForReading.readToEnd()?.write(to: URL(filePath: scratch.database))
    gunzip.waitUntilExit()
    try #require(gunzip.terminationStatus == 0)
  }

  @Test(arguments: [1, 2, 3, 5, 6, 7, 8, 9, 10]) func nothingIsLost(_ version: Int) throws {
    try unpack(version)
    let before = try rows(scratch.database)
    try #require(before.count > 1000)
    let log = try EventLog(path: scratch.database)
    #expect(try rows(scratch.database) == before)
    try log.shrink()
    try expectChecksums(scratch.database)
    #expect(try rows(UpgradeSnapshot.path(scratch.database, version: version)) == before)
    #expect(try count(UpgradeSnapshot.path(scratch.database, version: version), "PRAGMA user_version") == version)
    try log.foldAll()
    expectSound(scratch.database, besides: "clock")
    let answers = try told(scratch.database)
    try log.foldAll()
    try FileManager.default.createDirectory(atPath: scratch.archives, withIntermediateDirectories: true)
    #expect(try log.retain(before: Timestamp(rawValue: .max), archives: scratch.archives).events == before.count)
    #expect(try told(scratch.database) == answers)
    #expect(try scratch.putBack().reduce(0) { $0 + $1.accepted } == before.count)
    #expect(try rows(scratch.database) == before)
    #expect(try told(scratch.database) == answers)
  }

  /// Their writers did not overwrite what they removed: a file of theirs is written anew before it promises anything.
  @Test(arguments: [1, 2, 3, 5, 6, 7, 8, 9, 10]) func aDeviceIsForgottenWithAllRemnants(_ version: Int) throws {
    try unpack(version)
    let log = try EventLog(path: scratch.database)
    let device = DeviceHash(
      rawValue: UInt64(bitPattern: try count(scratch.database, "SELECT device FROM event LIMIT 1")))
    unlink(UpgradeSnapshot.path(scratch.database, version: version))
    #expect(try log.forget([device], now: Timestamp(rawValue: 1_800_000_000_000)).isComplete)
    #expect(try traces(of: device, in: scratch.path) == [])
    expectSound(scratch.database, besides: "clock")
  }

  /// Each step is one transaction: refused in its middle the file is of the old version, and opens later.
  @Test(arguments: [1, 2, 3, 5, 7, 10]) func aStepThatFailsLeavesTheOldVersion(_ version: Int) throws {
    try unpack(version)
    let before = try rows(scratch.database)
    let breaker = try Connection(path: scratch.database, mode: .write)
    // A table that the next version makes.
    let (make, drop): (StaticString, StaticString) =
      switch version {
      case 1: ("CREATE TABLE removed (x)", "DROP TABLE removed")
      case 2: ("CREATE TABLE summary (x)", "DROP TABLE summary")
      case 3: ("CREATE TABLE sorted_stretch (x)", "DROP TABLE sorted_stretch")
      case 5: ("CREATE TABLE audit (x)", "DROP TABLE audit")
      case 7: ("CREATE TABLE attested (x)", "DROP TABLE attested")
      default: ("CREATE TABLE remembered_release (x)", "DROP TABLE remembered_release")
      }
    try breaker.execute(make)
    #expect(throws: StoreError.self) { try EventLog(path: scratch.database) }
    #expect(try count(scratch.database, "PRAGMA user_version") == version)
    try breaker.execute(drop)
    _ = try EventLog(path: scratch.database)
    #expect(try count(scratch.database, "PRAGMA user_version") == Schema.known)
    #expect(try rows(scratch.database) == before)
    expectSound(scratch.database, besides: "clock")
  }
}
