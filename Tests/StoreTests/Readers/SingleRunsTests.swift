import Lifecycle
import Testing

@testable import Store

/// The runs of one device, read by itself, are those that it has among all others of its shard.
@Suite struct SingleRunsTests {
  let scratch: Scratch
  let log: EventLog
  init() throws {
    scratch = try Scratch()
    log = try EventLog(path: scratch.database)
  }

  /// Folded, with runs beside the settled ones, sorted, stored alone: a step each, and all of them are there together.
  @Test(arguments: [nil, 5] as [UInt64?]) func areThoseOfTheShard(_ shard: UInt64?) throws {
    let fleet = SmallFleet(600, seed: 11, shard: shard)
    _ = try log.append([fleet.part(0..<300)])
    try log.foldAll()
    try expectAlike()
    _ = try log.append([fleet.part(300..<400)])
    try log.sort()
    try log.merge(RecentLimit(leastSettled: 0, share: 0))
    try expectAlike()
    _ = try log.append([fleet.part(400..<500)])
    try log.sort()
    try expectAlike()
    _ = try log.append([fleet.part(500..<600), SmallFleet(100, seed: 12, name: 1, shard: shard).batch])
    try expectAlike()
  }

  private func expectAlike() throws {
    let snapshot = try Snapshot(path: scratch.database)
    let looked = try snapshot.scan(Need(app: "a", .everybody), start: { 0 }) { looked, page in
      let hashes = page.devices.devices
      let own = try hashes.map { try page.source.ownRuns($0) }
      let all = try page.runs()
      for index in hashes.indices {
        // Of a shard that nothing is stored of, and that is read whole.
        guard let runs = own[index] else { continue }
        #expect(said(RunColumns(runs, of: index, all.order), index) == said(all, index))
        #expect(!said(all, index).isEmpty)
        looked += 1
      }
    }
    #expect(looked.reduce(0, +) >= 6)
  }

  private func said(_ runs: RunColumns, _ index: Int) -> [String] {
    runs.range(index).map { "\(runs.kind($0)) \(runs.starts[$0]) \(runs.ends[$0])" }
  }

  /// Few devices are read one by one, and from then on that many are asked for, all at once: nobody can tell.
  @Test func areTheSameHoweverManyAreAskedFor() throws {
    var batch = EventBatch()
    batch.contexts = [Context(app: "a", channel: "production", platform: "ios", appVersion: "1.0")]
    batch.names += ["1.0.0"]
    for number in 0..<UInt64(200) {
      batch.events.append(
        Event(
          at: Timestamp(rawValue: SmallFleet.start + Int64(number) * 1000),
          device: DeviceHash(rawValue: 5 << 58 | number << 20), identity: number &+ 1, context: 0, stage: .check,
          trigger: .unknown, release: NameIndex(rawValue: 1)))
      batch.receivedEach.append(Timestamp(rawValue: SmallFleet.start + 1_000_000))
    }
    _ = try log.append([batch])
    try log.foldAll()
    let snapshot = try Snapshot(path: scratch.database)
    _ = try snapshot.scan(Need(app: "a", .everybody), start: { 0 }) { _, page in
      for index in page.devices.devices.indices {
        let runs = try page.runs(of: index)
        #expect(runs.offsets.count == (index < 12 ? 2 : 201), "\(index)")
        #expect(said(runs, index).count == 1 && runs.starts[runs.range(index).lowerBound] == start(index))
      }
      #expect(try page.runs(of: 0).starts[0] == start(0), "also what was read by itself before")
    }
  }

  private func start(_ index: Int) -> Int64 { SmallFleet.start + Int64(index) * 1000 }
}
