import Store

/// How many devices of an app are known, on whichever channel: those of one shard times as many, so that it costs next to nothing.
struct AppSize: Tally {
  private var devices = 0

  mutating func count(_ page: borrowing ShardPage) throws { devices += page.devices.devices.count }
  mutating func add(_ other: AppSize, times: Int) { devices += times * other.devices }

  static func devices(of app: String, in population: Population, _ snapshot: borrowing Snapshot) throws -> Int {
    var need = Need(app: app, population)
    need.shards = 0..<1
    return try snapshot.count(need) { AppSize() }.devices * Need.allShards.count
  }

  /// So many devices are gone through at most where a random part of them tells enough, but for one shard at least.
  static let affordable = 100_000

  /// The shards that hold no more.
  static func shards(holding most: Int, of devices: Int) -> Range<Int> {
    let all = Need.allShards.count
    return 0..<max(Int((Double(all) * min(Double(most) / Double(max(devices, 1)), 1)).rounded()), 1)
  }

  static func shards(
    holding most: Int = affordable, _ selection: Selection, _ snapshot: borrowing Snapshot
  ) throws -> Range<Int> {
    shards(holding: most, of: try devices(of: selection.app, in: selection.population, snapshot))
  }
}
