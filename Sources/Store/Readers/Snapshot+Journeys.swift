extension Snapshot {
  /// Every journey, a shard at a time; those of one shard by release and channel.
  ///
  /// - Parameter app: nil for all.
  public func eachShardOfJourneys(app: String?, _ body: ([Journeys]) throws -> Void) throws {
    if let remote { throw StoreError.onlyInFiles("journeys one by one", remote.address) }
    let releases = vocabulary.releases.filter { app ?? $0.app == $0.app }
    let (places, ranks) = (try journeyPlaces(Set(releases.map(\.id)), app: 0), nameRanks)
    let stored = try StoredShards(connection)
    for shard in 0..<Shards.count { try body(journeys(shard, places, stored, facts(shard), ranks)) }
  }
}
