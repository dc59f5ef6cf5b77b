import Store

/// Devices with impossible histories: what is kept of them is read, and nobody is gone through for it.
final class ImpossibleCounting: Counting {
  private let extent: FleetScope

  init(_ extent: FleetScope) { self.extent = extent }

  var need: Need { Need(app: extent.app, extent.population) }
  var start: Nothing { Nothing() }
  func sum(_ tally: Nothing) -> ImpossibleDevices { ImpossibleDevices() }

  /// Those that an answer leaves out it does not find.
  func stored(_ snapshot: borrowing Snapshot) throws -> ImpossibleDevices? {
    extent.population.isEverybody ? try ImpossibleDevices(snapshot, app: extent.app) : ImpossibleDevices()
  }

  struct Nothing: Tally {
    mutating func count(_ page: borrowing ShardPage) throws {}
    mutating func add(_ other: Nothing, times: Int) {}
  }
}
