import Foundation
import Lifecycle
import Testing

@testable import Store

/// At each instant of a backup what has its name can be restored: its digest is written before.
@Suite struct BackupStepTests {
  let scratch: Scratch
  let fleet = SmallFleet(50, seed: 12)
  private var backup: String { scratch.path + "/b.db" }

  init() throws {
    scratch = try Scratch()
    try store([fleet.batch], in: scratch.database)
  }

  private func make() throws -> Backup {
    try Backup.make(of: scratch.database, at: backup, replacing: true, now: Timestamp(rawValue: 1))
  }

  private func expectRestores() throws {
    let target = scratch.path + "/restored.db"
    try? FileManager.default.removeItem(atPath: target)
    #expect(try Restore.run(backup, to: target, Restore.Options(), now: Timestamp(rawValue: 1)).events == 50)
  }

  /// It cannot get its name, as something else that cannot be replaced has it.
  @Test func theDigestIsThereBeforeTheName() throws {
    try FileManager.default.createDirectory(atPath: backup + "/full", withIntermediateDirectories: true)
    #expect(throws: StoreError.self) { try make() }
    let digest = try #require(try Checksum.written(of: backup).first)
    #expect(digest.utf8.count == 64)
    try FileManager.default.removeItem(atPath: backup)
    #expect(try make().digest.utf8.count == 64)
    try expectRestores()
  }

  /// Killed before the new one had the name, and after.
  @Test func amidReplacingEitherOneCanBeRestored() throws {
    let made = try make()
    let other = String(repeating: "0", count: 64)
    for digests in [[other, made.digest], [made.digest, other]] {
      try Checksum.write(digests, of: backup)
      try expectRestores()
    }
    let anew = try make()
    #expect(try Checksum.written(of: backup) == [anew.digest])
    try expectRestores()
  }
}
