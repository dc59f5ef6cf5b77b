import Lifecycle
import Store
import Testing

@testable import Query

/// How many of the 64 shards are looked at to see who fell silent.
@Suite struct SilenceSampleTests {
  /// Devices of the app, of the channel, of those that took the release; shards.
  static let rows: [(app: Int, fleet: Int, taken: Int, shards: Int)] = [
    (900, 900, 60, 64), (1_000_000, 1_000_000, 400_000, 1),
    // 20,000 of the devices, or 2,000 of those that took it.
    (100_000, 100_000, 60_000, 13), (100_000, 100_000, 4_000, 32),
    // A small channel, a first step: 100,000 devices of the app, one shard at least.
    (1_000_000, 1_000, 200, 6), (1_000_000, 1_000_000, 1_000, 6), (10_000_000, 10_000_000, 20_000, 1),
  ]

  @Test(arguments: rows.indices) func shards(_ index: Int) {
    let row = Self.rows[index]
    #expect(SilenceCase.shards(app: row.app, fleet: row.fleet, taken: row.taken) == row.shards)
  }

  /// The devices of one shard, times 64.
  @Test func theAppIsAsLargeAsItsShards() throws {
    let fleet = try Fleet()
    try fleet.load(
      (0..<2000).map { line("d\($0)", "check", at: 0, "\"release\":\"1.0.0\"") }.joined(separator: "\n"))
    let snapshot = try Snapshot(path: fleet.path)
    let extent = try FleetScope(snapshot.vocabulary, app: nil, now: instant("2024-03-18T08:00:00Z"))
    var selection = Selection(app: extent.app, release: ReleaseLabel(rawValue: ""), now: extent.now)
    selection.population = extent.population
    let (size, ledger) = (AppSize(selection), Ledger())
    try snapshot.count([Counts(size)], into: ledger)
    let found = try #require(ledger.known(size))
    #expect(found > 1000 && found < 3500 && found % 64 == 0, "\(found)")
    #expect(ledger.known(AppSize(selection)) == found && ledger.scans == 0)
  }
}
