import Lifecycle
import Testing

@testable import Store

/// Contacts that a merge puts down beside a large shard's runs: everything reads them with these, and few bytes are written.
@Suite struct RecentRunsTests {
  let scratch: Scratch
  let log: EventLog
  init() throws {
    scratch = try Scratch()
    log = try EventLog(path: scratch.database)
  }

  private static let always = RecentLimit(leastSettled: 0, share: 0)

  private func bytes(_ parts: ClosedRange<Int64>) throws -> [String] {
    try Connection(path: scratch.database, mode: .read).prepare(
      "SELECT app, shard, part, hex(packed) FROM device WHERE part BETWEEN ?1 AND ?2 ORDER BY 1, 2, 3"
    ).rows(.integer(parts.lowerBound), .integer(parts.upperBound)) { row in
      (0..<4).map { row.text($0) }.joined(separator: " ")
    }
  }

  /// A fleet's runs, then a merge of its later half.
  private func merge(_ fleet: SmallFleet, _ limit: RecentLimit, known: Int, of count: Int) throws {
    _ = try log.append([fleet.part(0..<known)])
    try log.foldAll()
    _ = try log.append([fleet.part(known..<count)])
    try log.sort()
    try log.merge(limit)
  }

  @Test func settledRunsAreNotWrittenAnew() throws {
    let fleet = SmallFleet(400, seed: 3, shard: 5)
    _ = try log.append([fleet.part(0..<390)])
    try log.foldAll()
    let settled = try bytes(2...5)
    #expect(settled.count == 4)
    _ = try log.append([fleet.part(390..<400)])
    try log.sort()
    try log.merge(Self.always)
    #expect(try bytes(2...5) == settled)
    // What is expected of the next one leaves out the settled runs.
    let all = try Connection(path: scratch.database, mode: .read).integer("SELECT sum(length(packed)) FROM device")
    #expect(try 0 < log.expectedMergeBytes() && Int64(log.expectedMergeBytes()) < all)
    #expect(try bytes(20...24).count == 5)
    try expectHolds(scratch.database, [fleet.batch])
    expectSound(scratch.database)
  }

  @Test func aSmallShardHasNone() throws {
    try merge(SmallFleet(400, seed: 3), RecentLimit(), known: 300, of: 400)
    #expect(try bytes(20...24) == [])
  }

  /// Once they are many beside the settled ones, these are written with them, and they are gone.
  @Test func manyAreSettled() throws {
    let fleet = SmallFleet(400, seed: 4, shard: 5)
    try merge(fleet, Self.always, known: 200, of: 300)
    #expect(try bytes(20...24) != [])
    _ = try log.append([fleet.part(300..<400)])
    try log.sort()
    try log.merge(RecentLimit(leastSettled: 0, share: 1_000))
    #expect(try bytes(20...24) == [])
    try expectHolds(scratch.database, [fleet.batch])
    expectSound(scratch.database)
  }

  /// An import, a forgotten device, events taken out: each finds the recent runs, and leaves what a fresh fold makes.
  @Test func othersFindThem() throws {
    let fleet = SmallFleet(400, seed: 9)
    try merge(fleet, Self.always, known: 200, of: 300)
    let gone = fleet.devices[2]
    _ = try log.forget([gone], now: Timestamp(rawValue: fleet.end))
    try expectHolds(scratch.database, [fleet.part(0..<300) { $0.device != gone }])
    _ = try log.append([fleet.part(300..<400) { $0.device != gone }])
    try log.foldAll()
    try expectHolds(scratch.database, [fleet.part(0..<400) { $0.device != gone }])
    expectSound(scratch.database)
  }

  /// A merge waits for whoever reads, so that the write-ahead log begins anew; and tells what it wrote.
  @Test func theLogBeginsAnew() throws {
    let folder = try Folder(path: scratch.database)
    #expect(try log.merge())
    _ = try log.append([SmallFleet(400, seed: 3).batch])
    try log.sort()
    #expect(try !log.merge { false })
    var bytes = 0
    #expect(try log.merge(while: { true }, { bytes += $0 }))
    #expect(bytes > 1000)
    let reader = try Connection(path: scratch.database, mode: .read)
    try reader.snapshot { () throws(StoreError) in
      _ = try reader.integer("SELECT count(*) FROM device")
      #expect(try folder.connection.moveLog().pages > 0)
      #expect(try !folder.connection.beginLogAnew())
    }
    #expect(try folder.connection.beginLogAnew())
  }
}
