import Foundation
import Glibc
import Lifecycle
import Testing

@testable import Store

/// Every page has a checksum, whoever made the file and however; what is not what it says is no answer.
@Suite struct PageChecksumTests {
  let scratch: Scratch
  let fleet = SmallFleet(300, seed: 31)
  var database: String { scratch.database }
  init() throws {
    scratch = try Scratch()
    try store([fleet.part(0..<250)], in: scratch.database)
  }

  private func change(_ path: String, at place: Int, _ change: (UInt8) -> UInt8) throws {
    let file = open(path, O_RDWR)
    defer { close(file) }
    var byte: UInt8 = 0
    try #require(pread(file, &byte, 1, place) == 1)
    byte = change(byte)
    try #require(pwrite(file, &byte, 1, place) == 1)
  }

  private func refusal(_ body: () throws -> Void) -> StoreError? {
    do { try body() } catch { return error as? StoreError }
    return nil
  }

  private func look(_ path: String) throws { try Integrity.require(Connection(path: path, mode: .read)) }

  @Test func everyWayToAFileMakesThem() throws {
    try expectChecksums(database, "made by events")
    let backup = scratch.path + "/backup.db"
    _ = try Backup.make(of: database, at: backup, replacing: false, now: Timestamp(rawValue: 1))
    try expectChecksums(backup, "a backup")
    let restored = scratch.path + "/restored.db"
    _ = try Restore.run(backup, to: restored, Restore.Options(), now: Timestamp(rawValue: 1))
    try expectChecksums(restored, "a restored backup")
    let target = FolderTarget(scratch.path + "/copy")
    var now = Timestamp(rawValue: SmallFleet.start)
    let replicator = try Replicator(of: database, to: target, .init()) {
      now = now + .seconds(1)
      return now
    }
    _ = try replicator.run()
    try store([fleet.batch], in: database)
    _ = try replicator.run()
    let copied = scratch.path + "/copied.db"
    _ = try Restore.run(target, at: nil, to: copied, Restore.Options(), now: Timestamp(rawValue: 1))
    try expectChecksums(copied, "a restored copy")
    let salvaged = scratch.path + "/salvaged.db"
    _ = try Salvage.run(database, into: salvaged)
    try expectChecksums(salvaged, "a salvaged file")
    for path in [restored, copied, salvaged] { try look(path) }
  }

  /// Any byte of any page, in a word of its own, so that it is surely seen.
  @Test(arguments: 1...8 as ClosedRange<UInt64>) func aByteThatIsAnother(_ seed: UInt64) throws {
    var dice = Dice(state: seed)
    let whole = try PageFile(path: database)
    let size = whole.pageSize
    for page in 1...whole.pages where page % 8 == Int(seed) % 8 {
      for _ in 0..<4 {
        let place = (page - 1) * size + Int.random(in: 0..<size, using: &dice)
        let bits = UInt8.random(in: 1...255, using: &dice)
        try change(database, at: place) { $0 ^ bits }
        #expect(try !PageFile(path: database).isSound(page), "page \(page), byte \(place)")
        #expect(refusal { try look(database) } != nil, "page \(page), byte \(place)")
        try change(database, at: place) { $0 ^ bits }
      }
    }
    try look(database)
  }

  @Test func aPageInThePlaceOfAnother() throws {
    var bytes = Array(try Data(contentsOf: URL(filePath: database)))
    let size = 16_384
    bytes.replaceSubrange(size..<2 * size, with: Array(bytes[2 * size..<3 * size]))
    try Data(bytes).write(to: URL(filePath: database))
    #expect(try !PageFile(path: database).isSound(2))
    #expect(refusal { try look(database) }?.kind == .corrupt)
  }

  /// The error names the page, and both ways out.
  @Test func theErrorSaysWhichPage() throws {
    try change(database, at: 16_384 * 3 + 9000) { $0 ^ 1 }
    let error = try #require(refusal { try look(database) })
    #expect(error.kind == .corrupt)
    #expect(error.reason.contains("4") && "\(error.hint)".contains("salvage"), "\(error)")
  }

  /// Without it no page would be looked at.
  @Test func aHeaderThatDeniesThem() throws {
    for byte: UInt8 in [0, 9, 255] {
      let before = try Data(contentsOf: URL(filePath: database))
      try change(database, at: 20) { _ in byte }
      #expect(refusal { _ = try Snapshot(path: database) }?.kind == .corrupt, "\(byte)")
      try before.write(to: URL(filePath: database))
    }
  }

  // MARK: other programs

  /// After a kill the last one to close the file moves the log into it, and any tool may be that.
  @Test func anotherProgramMovesTheLog() throws {
    let killed = scratch.path + "/killed.db"
    do {
      let log = try EventLog(path: database)
      _ = try log.append([fleet.part(250..<300)])
      for end in ["", "-wal"] { try FileManager.default.copyItem(atPath: database + end, toPath: killed + end) }
    }
    try otherProgram(killed, "SELECT count(*) FROM event")
    #expect(!FileManager.default.fileExists(atPath: killed + "-wal"))
    let file = try PageFile(path: killed)
    #expect((1...file.pages).contains { !file.holdsChecksum($0) }, "the other program wrote pages")
    try look(killed)
    try expectHolds(killed, [fleet.batch])
    try EventLog(path: killed).vacuum()
    try expectChecksums(killed)
    try look(killed)
  }

  /// A copy of its making has no checksums until something is written into it, and then all of them.
  @Test func anotherProgramWritesItAnew() throws {
    let copy = scratch.path + "/anew.db"
    try otherProgram(database, "VACUUM INTO '\(copy)'")
    try look(copy)
    do {
      let log = try EventLog(path: copy)
      _ = try log.append([fleet.part(250..<300)])
    }
    try expectChecksums(copy)
    try look(copy)
    try expectHolds(copy, [fleet.batch])
  }

  /// It cannot be told from damage: somebody has to say so.
  @Test func anotherProgramWrites() throws {
    try otherProgram(database, "UPDATE key SET note = 'x'; INSERT INTO meta VALUES ('x', 1)")
    let error = try #require(refusal { try look(database) })
    #expect(error.kind == .corrupt)
    try ChecksumRenewal.run(database)
    try expectChecksums(database)
    try look(database)
    #expect(try count(database, "SELECT value FROM meta WHERE key = 'x'") == 1)
  }

  @Test func aFileWithAFaultIsNotTakenAsItIs() throws {
    for place in 0..<4 { try change(database, at: 16_384 + place) { $0 ^ 0xff } }
    let before = try Data(contentsOf: URL(filePath: database))
    #expect(refusal { try ChecksumRenewal.run(database) }?.kind == .corrupt)
    #expect(try Data(contentsOf: URL(filePath: database)) == before)
  }

  @Test func notWhileSomebodyHasItOpen() throws {
    try otherProgram(database, "INSERT INTO meta VALUES ('x', 1)")
    let holder = Process()
    holder.executableURL = URL(filePath: "/usr/bin/sqlite3")
    holder.arguments = ["-interactive", database]
    let (input, output) = (Pipe(), Pipe())
    (holder.standardInput, holder.standardOutput) = (input, output)
    try holder.run()
    defer { holder.terminate() }
    input.fileHandleForWriting.write(Data("BEGIN; SELECT count(*) > 0, 'is open' FROM event;\n".utf8))
    // It greets before it opens the file.
    var said = Data()
    while !String(decoding: said, as: UTF8.self).contains("1|is open") {
      let more = output.fileHandleForReading.availableData
      try #require(!more.isEmpty, "sqlite3 ended")
      said += more
    }
    #expect(
      refusal { try ChecksumRenewal.run(database) }?.kind
        == .refused(.inUse(processes: [Int(holder.processIdentifier)])))
  }

  // MARK: the log

  /// A page of the log that changed after it was written: no other process has looked at it since.
  @Test(arguments: 1...12 as ClosedRange<UInt64>) func aFrameThatIsAnother(_ seed: UInt64) throws {
    var dice = Dice(state: seed)
    let log = try EventLog(path: database)
    _ = try log.append([fleet.part(250..<300)])
    let right = try told(database)
    let frame = 24 + 16_384
    let frames = (DiskSpace.size(database + "-wal") - 32) / frame
    try #require(frames > 0)
    let place = 32 + Int.random(in: 0..<frames, using: &dice) * frame + 24 + Int.random(in: 0..<16_384, using: &dice)
    try change(database + "-wal", at: place) { $0 ^ 4 }
    do { #expect(try told(database) == right) } catch {
      #expect((error as? StoreError)?.kind == .corrupt, "\(error)")
      #expect((error as? StoreError)?.reason.contains("write-ahead log") == true, "\(error)")
    }
    try change(database + "-wal", at: place) { $0 ^ 4 }
    #expect(try told(database) == right)
    _ = log
  }

  enum End: CaseIterable { case commit, rollback, savepoint }

  /// A transaction larger than its memory writes pages to the log, reads them back and writes over them.
  @Test(arguments: End.allCases) func aTransactionThatReadsItsOwnPages(_ end: End) throws {
    let connection = try Connection(path: database, mode: .write)
    try connection.execute("PRAGMA cache_size = 6; CREATE TABLE much (id INTEGER PRIMARY KEY, value BLOB)")
    try connection.execute("BEGIN; INSERT INTO much VALUES (0, zeroblob(9000))")
    let insert = try connection.prepare("INSERT INTO much VALUES (?, randomblob(9000))")
    for id in 1..<80 { try insert.run(.integer(Int64(id))) }
    try connection.execute("SAVEPOINT before")
    for _ in 0..<3 {
      try connection.execute("UPDATE much SET value = randomblob(9000)")
      #expect(try connection.integer("SELECT sum(length(value)) FROM much") == 720_000)
    }
    switch end {
    case .commit: try connection.execute("COMMIT")
    case .rollback: try connection.execute("ROLLBACK")
    case .savepoint: try connection.execute("ROLLBACK TO before; UPDATE much SET value = randomblob(9001); COMMIT")
    }
    let expected: Int64 = [.commit: 720_000, .rollback: 0, .savepoint: 720_080][end] ?? 0
    #expect(try connection.integer("SELECT coalesce(sum(length(value)), 0) FROM much") == expected)
    #expect(try count(database, "SELECT coalesce(sum(length(value)), 0) FROM much") == expected)
    try connection.execute("UPDATE much SET value = randomblob(100)")
    try look(database)
    try connection.execute("DROP TABLE much; PRAGMA wal_checkpoint(TRUNCATE)")
    try expectChecksums(database)
    try look(database)
  }
}
