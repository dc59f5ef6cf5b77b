import Lifecycle
import Testing

@testable import Store

/// When each device was heard of last, as a column of its own.
@Suite struct LastContactTests {
  let scratch: Scratch
  let log: EventLog
  private let fleet = SmallFleet(400, seed: 9, shard: 5)

  init() throws {
    scratch = try Scratch()
    log = try EventLog(path: scratch.database)
  }

  private func expectAsSpansSay() throws {
    let connection = try Connection(path: scratch.database, mode: .read)
    let stored = try StoredParts(connection)
    let shards = try connection.prepare("SELECT DISTINCT app, shard FROM device").rows {
      ($0.integer(0), $0.integer(1))
    }
    try #require(!shards.isEmpty)
    for (app, shard) in shards {
      var parts = PackedParts()
      try stored.read(DevicePlace(shard: Int(shard), app: app), nil, into: &parts)
      let outlines = try DeviceShard(parts).completeOutlines
      var lookup = DeviceLookup()
      let isTaken = lookup.take(parts)
      #expect(isTaken)
      #expect(outlines.devices.indices.map(lookup.lastContact) == outlines.devices.indices.map(outlines.lastContact))
    }
  }

  @Test func itIsWhatSpansSay() throws {
    _ = try log.append([fleet.part(0..<200)])
    try log.foldAll()
    try expectAsSpansSay()
    _ = try log.append([fleet.part(200..<300)])
    try log.foldAll()
    try expectAsSpansSay()
    _ = try log.append([fleet.part(300..<400)])
    try log.sort()
    try log.merge(RecentLimit(leastSettled: 0, share: 0))
    try expectAsSpansSay()
  }

  /// A file of before: the next events of a shard bring the column along, whether its runs are settled or not.
  @Test(arguments: [true, false]) func theNextMergeBringsItAlong(_ isWhole: Bool) throws {
    _ = try log.append([fleet.part(0..<300)])
    try log.foldAll()
    try Connection(path: scratch.database, mode: .write).execute("DELETE FROM device WHERE part = 18")
    expectSound(scratch.database)
    _ = try log.append([fleet.part(300..<400)])
    try log.sort()
    try log.merge(isWhole ? RecentLimit() : RecentLimit(leastSettled: 0, share: 0))
    try expectAsSpansSay()
  }
}
