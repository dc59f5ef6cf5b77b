import Lifecycle
import Testing

@testable import Store

/// A summary is believed only while it knows every event, and none that was taken back.
@Suite struct StoredSummaryTests {
  let scratch: Scratch
  let fleet = SmallFleet(200, seed: 95)
  init() throws {
    scratch = try Scratch()
    try store([fleet.part(0..<100)], in: scratch.database)
  }

  private func state(_ folded: Int64) -> SummaryState {
    SummaryState(
      folded: folded, since: Timestamp(rawValue: 1), until: Timestamp(rawValue: 2),
      dataThrough: Timestamp(rawValue: 3), ground: "g")
  }

  private func save(_ folded: Int64, generation: Int64) throws {
    let parts = [
      SummaryPart(release: 0, channel: "beta", platform: "", number: 1, values: [1, .max, -3]),
      SummaryPart(release: 1, channel: "beta", platform: "ios", number: 2, values: []),
    ]
    try SummaryWriter(path: scratch.database).store(state(folded), parts, app: "a", generation: generation)
  }

  private func found() throws -> SummaryState? { try Snapshot(path: scratch.database).summaryState(app: "a") }
  private func generation() throws -> Int64 { try Snapshot(path: scratch.database).generation() }

  @Test func whatIsStoredIsRead() throws {
    try save(100, generation: generation())
    #expect(try found() == state(100))
    let snapshot = try Snapshot(path: scratch.database)
    #expect(try snapshot.summary(app: "a", release: 0, 0..<5).map(\.values) == [[1, .max, -3]])
    #expect(try snapshot.summary(app: "a", release: 1, 0..<5).map(\.values) == [[]])
    #expect(try snapshot.summary(app: "a", release: 1, 0..<2).isEmpty)
    #expect(try snapshot.summary(app: "b", release: 0, 0..<5).isEmpty)
    #expect(try snapshot.summaryState(app: "b") == nil)
  }

  @Test func withEventsThatItDoesNotKnowItIsNone() throws {
    try save(100, generation: generation())
    let log = try EventLog(path: scratch.database)
    _ = try log.append([fleet.part(100..<150)])
    #expect(try found() == nil)
    try log.foldAll()
    #expect(try found() == nil)
    try save(150, generation: generation())
    #expect(try found() == state(150))
  }

  /// Made from an older moment, it is not stored.
  @Test func whatIsLateIsNotStored() throws {
    try save(99, generation: generation())
    #expect(try found() == nil)
    #expect(try count(scratch.database, "SELECT count(*) FROM summary") == 0)
    let before = try generation()
    _ = try EventLog(path: scratch.database).forget([fleet.devices[0]], now: Timestamp(rawValue: fleet.end))
    try save(100, generation: before)
    #expect(try count(scratch.database, "SELECT count(*) FROM summary") == 0)
  }

  @Test func aForgottenDeviceIsInNone() throws {
    try save(100, generation: generation())
    _ = try EventLog(path: scratch.database).forget([fleet.devices[0]], now: Timestamp(rawValue: fleet.end))
    #expect(try found() == nil)
    #expect(try count(scratch.database, "SELECT count(*) FROM summary") == 0)
  }

  /// Whole or not at all.
  @Test func aFailureLeavesTheOldOne() throws {
    try save(100, generation: generation())
    let watcher = try Connection(path: scratch.database, mode: .write)
    try watcher.execute("UPDATE summary SET packed = x'00' WHERE part >> 32 = 2")
    let before = try count(scratch.database, "SELECT sum(length(packed)) FROM summary")
    let breaker = try Connection(path: scratch.database, mode: .write)
    try breaker.execute(
      "CREATE TRIGGER stop BEFORE INSERT ON summary WHEN NEW.part >> 32 = 2 BEGIN SELECT RAISE(ABORT, 'no'); END")
    #expect(throws: StoreError.self) { try save(100, generation: generation()) }
    try breaker.execute("DROP TRIGGER stop")
    #expect(try found() == state(100))
    #expect(try count(scratch.database, "SELECT count(*) FROM summary") == 2)
    #expect(try count(scratch.database, "SELECT sum(length(packed)) FROM summary") == before)
  }

  /// What is as it was is not written again.
  @Test func onlyWhatChangedIsWritten() throws {
    try save(100, generation: generation())
    let watcher = try Connection(path: scratch.database, mode: .write)
    try watcher.execute(
      """
      CREATE TABLE written (number INTEGER);
      CREATE TRIGGER watch AFTER INSERT ON summary BEGIN INSERT INTO written VALUES (NEW.part >> 32); END;
      UPDATE summary SET packed = x'00' WHERE part >> 32 = 2;
      """)
    try save(100, generation: generation())
    #expect(try count(scratch.database, "SELECT count(*) FROM written") == 1)
    #expect(try count(scratch.database, "SELECT number FROM written") == 2)
    #expect(try Snapshot(path: scratch.database).summary(app: "a", release: 1, 0..<5).map(\.values) == [[]])
  }
}
