import Lifecycle
import Testing

@testable import Store

/// Outlines of files that were written while a release that was rolled back could count as what runs.
@Suite struct FormerOutlineTests {
  let scratch: Scratch
  let log: EventLog
  private let fleet = SmallFleet(400, seed: 3, shard: 5)

  init() throws {
    scratch = try Scratch()
    log = try EventLog(path: scratch.database)
  }

  /// As such a file has them: in another part, with what is not true.
  private func makeFormer() throws {
    _ = try log.append([fleet.part(0..<300)])
    try log.foldAll()
    try Connection(path: scratch.database, mode: .write).execute(
      """
      UPDATE device SET part = 16, packed = (SELECT packed FROM device births WHERE births.app = device.app
        AND births.shard = device.shard AND births.part = 14) WHERE part = 17
      """)
  }

  @Test func theyAreMadeOfRuns() throws {
    _ = try log.append([fleet.part(0..<300)])
    try log.foldAll()
    let expected = try outlines(scratch.database)
    try makeFormer()
    #expect(try count(scratch.database, "SELECT count(*) FROM device WHERE part = 17") == 0)
    #expect(try outlines(scratch.database) == expected)
    expectSound(scratch.database)
  }

  @Test func theNextFoldBringsThemAlong() throws {
    try makeFormer()
    _ = try log.append([fleet.part(300..<400)])
    try log.foldAll()
    #expect(try count(scratch.database, "SELECT count(*) FROM device WHERE part = 16") == 0)
    #expect(try count(scratch.database, "SELECT count(*) FROM device WHERE part = 17") > 0)
    try expectHolds(scratch.database, [fleet.batch])
    expectSound(scratch.database)
  }

  /// A merge that would only add recent runs writes such a shard whole.
  @Test func soDoesOneThatWritesLittle() throws {
    try makeFormer()
    _ = try log.append([fleet.part(300..<400)])
    try log.sort()
    try log.merge(RecentLimit(leastSettled: 0, share: 0))
    #expect(try count(scratch.database, "SELECT count(*) FROM device WHERE part = 16") == 0)
    try expectHolds(scratch.database, [fleet.batch])
  }
}
