extension Snapshot {
  /// As `walk`, on all cores, each collecting into a state of its own that adds up with others.
  public func eachShard<State>(
    app: String, releases: Set<Int64>, start: () -> State,
    _ body: (inout State, DeviceShard, [Journeys]) throws -> Void
  ) throws -> [State] {
    guard let appID = appID(app) else { return [] }
    let stored = try StoredParts(connection)
    let (places, ranks) = (try journeyPlaces(releases), nameRanks)
    return try eachShard(
      start: start, read: { try rawShard(DevicePlace(shard: $1, app: appID), places, stored) }
    ) { state, raw, _ in
      let devices = try devices(raw)
      if !devices.devices.isEmpty { try body(&state, devices, journeys(raw, ranks)) }
    }
  }

  /// A shard as it lies in the file.
  private struct RawShard {
    var place: DevicePlace
    var devices = PackedParts()
    var journeys: [(place: JourneyPlace, parts: PackedParts)] = []
  }

  private func rawShard(
    _ place: DevicePlace, _ places: [(release: Int64, channel: Int64)], _ stored: borrowing StoredParts
  ) throws -> RawShard {
    var raw = RawShard(place: place)
    try stored.read(place, nil, into: &raw.devices)
    for (release, channel) in places {
      let place = JourneyPlace(shard: place.shard, release: release, channel: channel)
      var parts = PackedParts()
      try stored.read(place, nil, into: &parts)
      raw.journeys.append((place, parts))
    }
    return raw
  }

  private func devices(_ raw: RawShard) throws(StoreError) -> DeviceShard {
    let devices = try DeviceShard(raw.devices)
    return tail.devices[raw.place].map { devices.merging($0[...]) } ?? devices
  }

  private func journeys(_ raw: RawShard, _ ranks: [Int64: Int]) -> [Journeys] {
    raw.journeys.compactMap { place, parts in
      var shard = JourneyShard()
      shard.unpack(parts)
      if let facts = tail.journeys[place] { shard = shard.merging(facts[...]) { ranks[$0] ?? .max } }
      return shard.devices.isEmpty ? nil : Journeys(release: place.release, channel: place.channel, shard: shard)
    }
  }
}
