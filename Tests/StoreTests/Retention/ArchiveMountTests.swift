import Foundation
import Lifecycle
import Testing

@testable import Store

/// A disk of archives that is not mounted: nothing goes below its mount point, and no event leaves the database.
@Suite struct ArchiveMountTests {
  let scratch: Scratch
  let fleet = SmallFleet(300, seed: 31)
  private var away: String { scratch.path + "/away" }

  init() throws {
    scratch = try Scratch()
    try store([fleet.part(0..<100)], in: scratch.database)
    try scratch.retain(before: fleet.end)
    try store([fleet.part(100..<200)], in: scratch.database)
  }

  /// As if the archives lay on a disk of which only the folder below its mount point is there.
  private func unmount() throws {
    try Connection(path: scratch.database, mode: .write).execute(
      "UPDATE meta SET value = '/nothing/is/mounted/here' || char(10) || '/' WHERE key LIKE 'archive_mount %'")
    try FileManager.default.moveItem(atPath: scratch.archives, toPath: away)
  }

  @Test func nothingIsWrittenBelowItsMountPoint() throws {
    try unmount()
    let error = try #require(throws: StoreError.self) { try scratch.retain(before: fleet.end) }
    #expect(error.description.contains("mounted at /nothing/is/mounted/here"))
    #expect("\(error.hint)".contains("mount it"))
    #expect(try files(scratch.archives) == [])
    #expect(try count(scratch.database, "SELECT count(*) FROM event") == 100)
    try FileManager.default.removeItem(atPath: scratch.archives)
    try FileManager.default.moveItem(atPath: away, toPath: scratch.archives)
    #expect(try scratch.retain(before: fleet.end) == 100, "seen from where other things are mounted, it is there")
    try FileManager.default.moveItem(atPath: scratch.archives, toPath: away)
    try store([fleet.part(200..<300)], in: scratch.database)
    #expect(try scratch.retain(before: fleet.end) == 100, "it is where it was last; the archives went elsewhere")
  }

  /// Another folder is a place of its own, and dropping needs none.
  @Test func goesOnElsewhere() throws {
    try unmount()
    let other = scratch.path + "/other"
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    #expect(
      try EventLog(path: scratch.database).retain(before: .init(rawValue: fleet.end), archives: other).events == 100)
    #expect(try files(other).count == 1)
    try store([fleet.part(200..<300)], in: scratch.database)
    #expect(try scratch.retain(before: fleet.end, dropping: true) == 100)
  }
}
