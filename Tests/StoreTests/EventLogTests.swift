import Foundation
import Lifecycle
import Testing

@testable import Store

@Suite struct EventLogTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  @Test func storesEveryColumn() throws {
    let log = try EventLog(path: scratch.database)
    var batch = batch([7])
    batch.names += ["1.9.0", "hash mismatch"]
    batch.events[0].from = NameIndex(rawValue: 2)
    batch.events[0].reason = NameIndex(rawValue: 3)
    batch.events[0].outcome = .newData
    batch.events[0].duration = .seconds(12)
    batch.events[0].bytes = 1 << 40
    batch.events[0].bucket = 99
    batch.events[0].push = 5
    #expect(try log.append([batch]) == [Admitted(accepted: 1, duplicate: 0)])
    let connection = try Connection(path: scratch.database, mode: .read)
    let row = try connection.prepare(
      #"SELECT at, received, app, channel, platform, appVersion, release, stage, trigger, outcome, reason, durationMs, bytes, "from", bucket FROM v1_event"#
    ).first { row in (0..<15).map { row.text(Int32($0)) } }
    #expect(
      row == [
        "2024-03-04T08:13:20.007Z", "2024-03-04T08:13:20.500Z", "com.example.demo", "production", "ios", "1.4", "2.0.0",
        "applied", "silentPush", "newData", "hash mismatch", "12000", "1099511627776", "1.9.0", "99",
      ])
  }

  @Test func aResentBatchAddsNothing() throws {
    let log = try EventLog(path: scratch.database)
    #expect(
      try log.append([batch([1, 2, 3]), batch([3, 4])]) == [
        .init(accepted: 3, duplicate: 0), .init(accepted: 1, duplicate: 1),
      ])
    #expect(try log.append([batch([1, 2, 3, 4])]) == [.init(accepted: 0, duplicate: 4)])
    #expect(try count(scratch.database, "SELECT count(*) FROM event") == 4)
  }

  /// Each device counts its events from 1.
  @Test func idsOfOtherDevicesAreToldFromResends() throws {
    let log = try EventLog(path: scratch.database)
    var batch = batch([1, 2, 1, 2, 2])
    for index in batch.events.indices { batch.events[index].device = DeviceHash(rawValue: index < 2 ? 7 : 8) }
    #expect(try log.append([batch]) == [.init(accepted: 2, duplicate: 3, clashing: 3)])
    #expect(try log.append([batch]) == [.init(accepted: 0, duplicate: 5, clashing: 3)])
    batch.events.removeLast(3)
    #expect(try log.append([batch]) == [.init(accepted: 0, duplicate: 2)])
  }

  @Test func aResendAcrossARestartAddsNothing() throws {
    do { _ = try EventLog(path: scratch.database).append([batch([1, 2, 3])]) }
    let log = try EventLog(path: scratch.database)
    #expect(try log.append([batch([2, 3, 9])]) == [.init(accepted: 1, duplicate: 2)])
    #expect(try count(scratch.database, "SELECT max(seq) FROM event") == 4)
  }

  @Test func twoProgramsShareAFile() throws {
    let (one, other) = (try EventLog(path: scratch.database), try EventLog(path: scratch.database))
    #expect(try one.append([batch([1, 2], release: "a")]) == [.init(accepted: 2, duplicate: 0)])
    #expect(try other.append([batch([2, 3], release: "b")]) == [.init(accepted: 1, duplicate: 1)])
    #expect(try one.append([batch([3, 4], release: "b")]) == [.init(accepted: 1, duplicate: 1)])
    #expect(try count(scratch.database, "SELECT count(*) FROM release") == 2)
    #expect(try count(scratch.database, "SELECT count(DISTINCT seq) FROM event") == 4)
  }

  /// A resend after an error must be stored: the window may not remember what the table does not hold.
  @Test func afterAFailureTheSameEventsAreNotDuplicates() throws {
    let log = try EventLog(path: scratch.database)
    _ = try log.append([batch([1])])
    let breaker = try Connection(path: scratch.database, mode: .write)
    try breaker.execute(
      "CREATE TRIGGER full BEFORE INSERT ON event WHEN NEW.release IS NULL BEGIN SELECT RAISE(ABORT, 'no'); END")
    #expect(throws: StoreError.self) { try log.append([batch([2, 3]), batch([4], release: nil)]) }
    #expect(try count(scratch.database, "SELECT count(*) FROM event") == 1)
    try breaker.execute("DROP TRIGGER full")
    #expect(try log.append([batch([1, 2, 3])]) == [.init(accepted: 2, duplicate: 1)])
  }

  @Test func oneLabelOfTwoAppsIsTwoReleases() throws {
    let log = try EventLog(path: scratch.database)
    _ = try log.append([batch([1], app: "a"), batch([2], app: "b")])
    #expect(try count(scratch.database, "SELECT count(*) FROM release WHERE label = '2.0.0'") == 2)
  }

  @Test func isSyncedBeforeItAnswers() throws {
    let log = try EventLog(path: scratch.database)
    _ = try log.append([batch([1])])
    #expect(try count(scratch.database, "PRAGMA page_size") == 16384)
    let mode = try Connection(path: scratch.database, mode: .read).prepare("PRAGMA journal_mode").first { $0.text(0) }
    #expect(mode == "wal")
  }
}

@Suite struct RefusedFiles {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  private func kind(_ path: String) -> StoreError.Kind? {
    do {
      _ = try EventLog(path: path)
      return nil
    } catch { return error.kind }
  }

  @Test func withoutADirectory() { #expect(kind(scratch.path + "/none/x.db") == .missingDirectory) }
  @Test func thatAreNoDatabase() throws {
    try Data(repeating: 65, count: 4096).write(to: URL(fileURLWithPath: scratch.database))
    #expect(kind(scratch.database) == .notADatabase)
  }
  @Test func ofAnotherProgram() throws {
    try Connection(path: scratch.database, mode: .create).execute("CREATE TABLE cats (name)")
    #expect(kind(scratch.database) == .notAnUptakeDatabase)
  }
  @Test func ofANewerProgram() throws {
    _ = try EventLog(path: scratch.database)
    try Connection(path: scratch.database, mode: .write).execute("PRAGMA user_version = 99")
    #expect(kind(scratch.database) == .newer(found: 99, known: Schema.known))
  }
  @Test func thatAreDirectories() throws {
    #expect(kind(scratch.path) == .notADatabase)
    #expect {
      _ = try Connection(path: scratch.path, mode: .read)
    } throws: { ($0 as? StoreError)?.description == "\(scratch.path) is a folder, not a database" }
  }
  @Test func thatAreAddressesOfAService() {
    #expect {
      _ = try Connection(path: "https://uptake.example.com", mode: .read)
    } throws: { error in
      guard let error = error as? StoreError else { return false }
      return error.kind == .noFile && error.description.hasSuffix("is the address of a service, not of a database")
        && error.hint.parts.contains { part in
          if case .command(let command) = part { command.words == ["watch"] } else { false }
        }
    }
  }
}
