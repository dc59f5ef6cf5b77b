public import Lifecycle

extension Snapshot {
  /// Everything of one shard that a question about pushes and wake-ups looks at, each part in device order.
  ///
  /// A device may be in one part and not in another: who was sent pushes need never have spoken.
  public struct WakePage {
    public var wakes: WakeShard
    public var devices: DeviceShard
    public var journeys: [Journeys]
  }

  /// Calls `body` shard by shard with the facts of the weeks that the interval touches.
  ///
  /// - Parameter journeysOfPushed: read the journeys on the releases that the shard's pushes name; else none.
  public func walkWakes(
    app: String, journeysOfPushed: Bool, from: Timestamp, until: Timestamp, _ body: (WakePage) throws -> Void
  ) throws {
    guard let appID = appID(app) else { return }
    let stored = try StoredShards(connection)
    let (places, ranks) = (try journeyPlaces(Set(vocabulary.releases.map(\.id))), nameRanks)
    let weeks = WakePlace.week(from)...max(WakePlace.week(from), WakePlace.week(until))
    let known = Set(try storedWeeks(appID) + tail.wakes.keys.filter { $0.app == appID }.map(\.week))
    let touched = known.filter(weeks.contains).sorted()
    for shard in 0..<Shards.count {
      try Patience.check(connection.path)
      var found: [WakeShard] = []
      for week in touched {
        let place = WakePlace(app: appID, shard: shard, week: week)
        found.append(try wakes(place, stored))
      }
      let wakes = WakeShard.joined(found)
      let pushed = journeysOfPushed ? wakes.pushedReleases : []
      try body(
        WakePage(
          wakes: wakes, devices: try devices(DevicePlace(shard: shard, app: appID), stored),
          journeys: try journeys(shard, places.filter { pushed.contains($0.release) }, stored, ranks)))
    }
  }

  func wakes(_ place: WakePlace, _ stored: borrowing StoredShards) throws(StoreError) -> WakeShard {
    let wakes = try stored.wakes(place)
    return tail.wakes[place].map { wakes.merging($0[...]) } ?? wakes
  }

  func storedWeeks(_ app: Int64) throws(StoreError) -> [Int64] {
    try connection.prepare("SELECT DISTINCT week FROM wake WHERE app = ?").rows(.integer(app)) { $0.integer(0) }
  }
}
