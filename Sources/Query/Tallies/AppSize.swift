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
}
