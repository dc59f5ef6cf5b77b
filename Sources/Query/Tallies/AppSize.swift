import Store

/// How many devices of an app are known, on whichever channel: those of one shard times as many, so that it costs next to nothing.
final class AppSize: Counting {
  private let app: String
  private let population: Population

  init(_ selection: Selection) { (app, population) = (selection.app, selection.population) }

  var need: Need {
    var need = Need(app: app, population)
    need.shards = 0..<1
    return need
  }
  var start: Devices { Devices() }
  func sum(_ tally: Devices) -> Int { tally.count * Need.allShards.count }
  func covers(_ other: AppSize) -> Bool { app == other.app && population == other.population }
  func sum(stored: Int, of wider: AppSize) -> Int? { stored }
  /// No scan that others could share.
  func stored(_ snapshot: borrowing Snapshot) throws -> Int? { sum(try snapshot.count(need) { start }) }

  struct Devices: Tally {
    private(set) var count = 0

    mutating func count(_ page: borrowing ShardPage) throws { count += page.devices.devices.count }
    mutating func add(_ other: Devices, times: Int) { count += times * other.count }
  }
}
