import Lifecycle

extension Snapshot {
  /// Every journey, a shard at a time; those of one shard by app, release and channel, as they are called.
  ///
  /// - Parameter app: nil for all.
  public func eachShardOfJourneys(app: String?, _ body: ([Journeys]) throws -> Void) throws {
    let apps = vocabulary.apps.filter { app ?? $0 == $0 }.sorted()
    var places: [(app: Int64, places: [JourneyNames])] = []
    for app in apps { if let id = appID(app) { places.append((id, try journeyNames(app, id))) } }
    let ranks = nameRanks
    guard let remote else {
      let stored = try StoredShards(connection)
      let all = places.flatMap(\.places).map { (release: $0.release, channel: $0.channel) }
      for shard in 0..<Shards.count { try body(journeys(shard, all, stored, facts(shard), ranks)) }
      return
    }
    for shard in 0..<Shards.count {
      var found: [Journeys] = []
      for (app, places) in places {
        let journeys = try remote.journeys(
          DeviceRange(app: app, shard: shard), on: Set(places.map(\.release)).sorted())
        found += places.map { journeys.shard($0, ranks) }.filter { !$0.shard.devices.isEmpty }
      }
      try body(found)
    }
  }

  fileprivate struct JourneyNames {
    var release, channel: Int64
    /// To sort by.
    var names: [String]
  }

  /// Where an app has journeys.
  private func journeyNames(_ app: String, _ id: Int64) throws(StoreError) -> [JourneyNames] {
    let releases = vocabulary.releases.filter { $0.app == app }
    let labels = Dictionary(releases.map { ($0.id, $0.label.rawValue) }) { first, _ in first }
    let places = try journeyPlaces(Set(labels.keys), app: id).map { release, channel in
      JourneyNames(release: release, channel: channel, names: [labels[release] ?? "", vocabulary.name(channel)])
    }
    return places.sorted { $0.names.lexicographicallyPrecedes($1.names) }
  }
}

extension RemoteJourneys {
  fileprivate func shard(_ place: Snapshot.JourneyNames, _ ranks: [Int64: Int]) -> Snapshot.Journeys {
    let shard = JourneyShard(self, Place(release: place.release, channel: place.channel)) { ranks[$0] ?? .max }
    return Snapshot.Journeys(release: place.release, channel: place.channel, shard: shard)
  }
}
