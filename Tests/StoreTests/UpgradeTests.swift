import Foundation
import Lifecycle
import Testing

@testable import Store

@Suite struct UpgradeSnapshotTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  private func old() throws -> Connection {
    let connection = try Connection(path: scratch.database, mode: .create)
    try connection.execute("PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; BEGIN")
    try connection.execute(Schema.version1)
    try connection.execute("COMMIT")
    return connection
  }

  @Test func withoutRoomNothingIsTouched() throws {
    let connection = try old()
    #expect {
      try Schema.migrate(connection, .within(1 << 20))
    } throws: { error in
      guard let error = error as? StoreError, case .noRoomForSnapshot(let needed, let free) = error.kind else {
        return false
      }
      return free == 1 << 20 && needed > free && "\(error.hint)".contains("no-snapshot")
    }
    #expect(try connection.integer("PRAGMA user_version") == 1)
    #expect(!DurableFile.exists(UpgradeSnapshot.path(scratch.database, version: 1)))
  }

  @Test func withoutOneItIsNotTaken() throws {
    try Schema.migrate(old(), .none)
    #expect(!DurableFile.exists(UpgradeSnapshot.path(scratch.database, version: 1)))
    #expect(try count(scratch.database, "PRAGMA user_version") == Schema.known)
  }

  @Test func twoAtOnceDoNotMixTheirCopies() throws {
    let connection = try old()
    let busy = try PartFile(UpgradeSnapshot.path(scratch.database, version: 1) + ".part")
    #expect(throws: StoreError.self) { try Schema.migrate(connection, .whereThereIsRoom) }
    #expect(try connection.integer("PRAGMA user_version") == 1)
    _ = busy
  }

  /// A service that runs on must not write into a file that a newer program upgraded under it.
  @Test func aWriterNoticesAnUpgradeUnderIt() throws {
    let log = try EventLog(path: scratch.database)
    _ = try log.append([batch([1])])
    try Connection(path: scratch.database, mode: .write).execute("PRAGMA user_version = 99")
    #expect(throws: StoreError(.newer(found: 99, known: Schema.known), path: scratch.database)) {
      try log.append([batch([2])])
    }
    #expect(throws: StoreError.self) { try log.foldAll() }
    #expect(throws: StoreError.self, "or a service would call itself ready again") { try log.probe() }
    #expect(try count(scratch.database, "SELECT count(*) FROM event") == 1)
  }
}
