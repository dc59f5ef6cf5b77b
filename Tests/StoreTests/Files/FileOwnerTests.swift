import Foundation
import Glibc
import Lifecycle
import Testing

@testable import Store

/// What root's command leaves can be opened by the service of another user.
@Suite(.enabled(if: geteuid() == 0)) struct FileOwnerTests {
  let scratch: Scratch
  let fleet = SmallFleet(300, seed: 141)
  let now = Timestamp(rawValue: SmallFleet.start + 1000 * SmallFleet.hour)
  private let owner = uid_t(47_110)
  init() throws {
    scratch = try Scratch()
    try #require(chown(scratch.path, owner, owner) == 0)
  }

  /// Of everything below the folder that is somebody else's.
  private func strangers() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: scratch.path).filter { name in
      var status = stat()
      return lstat("\(scratch.path)/\(name)", &status) == 0 && (status.st_uid, status.st_gid) != (owner, owner)
    }
  }

  @Test func everyFileBesideADatabaseIsItsOwners() throws {
    try store([fleet.batch], in: scratch.database)
    let log = try EventLog(path: scratch.database)
    let folder = try ArchiveFolder.made(scratch.archives, for: scratch.database)
    _ = try log.retain(before: Timestamp(rawValue: fleet.end), archives: folder)
    _ = try log.forget([fleet.devices[2]], now: now)
    try Registry(path: scratch.database).sending(to: "a place") {}
    _ = try CopyClaim(database: scratch.database)
    #expect(try files(scratch.path).contains("test.db.forgotten"))
    #expect(try files(scratch.archives).count == 1)
    #expect(try strangers() == [])
  }

  @Test(arguments: [false, true]) func aRestoredDatabaseIsTheServices(_ replaces: Bool) throws {
    try store([fleet.batch], in: scratch.database)
    let elsewhere = try Scratch()
    _ = try Backup.make(of: scratch.database, at: elsewhere.path + "/b", replacing: false, now: now)
    if !replaces { for suffix in ["", "-wal", "-shm"] { unlink(scratch.database + suffix) } }
    var options = Restore.Options()
    options.replaces = replaces
    _ = try Restore.run(elsewhere.path + "/b", to: scratch.database, options, now: now)
    #expect(try strangers() == [])
  }

  /// A second name in a folder that others may write to could be of any file of root's.
  @Test func aFileWithAnotherNameStaysWhoseItIs() throws {
    let (one, other) = (scratch.path + "/one.part", scratch.path + "/other")
    try write([], to: one)
    try #require(link(one, other) == 0)
    _ = try PartFile(one, ownedLike: scratch.path)
    #expect(try strangers().sorted() == ["one.part", "other"])
  }
}
