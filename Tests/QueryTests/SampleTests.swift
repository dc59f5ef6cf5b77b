import Store
import Testing

@testable import Query

/// How many shards are gone through at most where a random part of the devices tells enough.
@Suite struct SampleTests {
  /// Devices of the app; shards of 64 that are gone through at most: 100,000 devices, one shard at least.
  static let rows = [(900, 64), (100_000, 64), (200_000, 32), (1_000_000, 6), (10_000_000, 1)]

  @Test(arguments: rows) func affordableShards(_ app: Int, _ shards: Int) {
    #expect(AppSize.shards(holding: AppSize.affordable, of: app).count == shards)
  }

  /// The devices of one shard, times 64.
  @Test func theAppIsAsLargeAsItsShards() throws {
    let fleet = try Fleet()
    try fleet.load(
      (0..<2000).map { line("d\($0)", "check", at: 0, "\"release\":\"1.0.0\"") }.joined(separator: "\n"))
    let snapshot = try Snapshot(path: fleet.path)
    let devices = try AppSize.devices(of: "com.example.demo", in: .everybody, snapshot)
    #expect(devices > 1000 && devices < 3500 && devices % 64 == 0, "\(devices)")
  }
}
