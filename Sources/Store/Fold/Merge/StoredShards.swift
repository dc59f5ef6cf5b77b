/// Reads packed shards back from the database, whole.
struct StoredShards: ~Copyable {
  private let parts: StoredParts

  init(_ connection: borrowing Connection) throws(StoreError) { parts = try StoredParts(connection) }

  /// Empty where there is none.
  func journeys(_ place: JourneyPlace) throws(StoreError) -> JourneyShard {
    var (read, shard) = (PackedParts(), JourneyShard())
    try parts.read(place, nil, into: &read)
    try read.check()
    shard.unpack(read)
    return shard
  }

  func devices(_ place: DevicePlace) throws(StoreError) -> DeviceShard {
    var read = PackedParts()
    try parts.read(place, nil, into: &read)
    return try DeviceShard(read)
  }

  func trail(_ place: TrailPlace) throws(StoreError) -> TrailShard {
    var read = PackedParts()
    try parts.read(place, nil, into: &read)
    return try TrailShard(read)
  }

  func wakes(_ place: WakePlace) throws(StoreError) -> WakeShard {
    var read = PackedParts()
    try parts.read(place, nil, into: &read)
    return try WakeShard(read)
  }
}
