/// Which columns a question reads of every shard; the fewer, the faster.
public struct ColumnChoice: Sendable {
  /// Of the journeys.
  public var milestones: [Milestone]
  public var hasReasons: Bool
  /// Of the devices.
  public var hasProfileTimes: Bool
  /// Of both.
  public var hasBuckets: Bool

  public init(_ milestones: [Milestone], reasons: Bool = false, profileTimes: Bool = false, buckets: Bool = false) {
    self.milestones = milestones
    hasReasons = reasons
    hasProfileTimes = profileTimes
    hasBuckets = buckets
  }
}

/// One shard of an app's devices in outline, beside their journeys.
public struct OutlinePage {
  public internal(set) var outlines = DeviceOutlines()
  /// Those that there are in the shard.
  public internal(set) var journeys: [Snapshot.Journeys] = []
}

extension Snapshot {
  /// Goes through the shards of an app's devices on all cores, each collecting into a state of its own.
  ///
  /// - Parameter body: its last argument reads all that is stored of the shard's devices, for those whose outline says
  ///   too little.
  public func eachOutline<State>(
    app: String, releases: Set<Int64>, _ columns: ColumnChoice, start: () -> State,
    _ body: (inout State, OutlinePage, () throws -> DeviceShard) throws -> Void
  ) throws -> [State] {
    guard let appID = appID(app) else { return [] }
    let reading = OutlineReading(app: appID, places: try journeyPlaces(releases), ranks: nameRanks, columns: columns)
    let stored = try StoredParts(connection)
    let found = try eachShard(
      start: { (room: OutlineRoom(), state: start()) },
      read: { try read(DevicePlace(shard: $1, app: appID), reading, stored, &$0.room) }
    ) { worker, place, turn in
      try worker.room.unpack(place, reading, tail)
      guard !worker.room.page.outlines.devices.isEmpty else { return }
      try body(&worker.state, worker.room.page) { () throws in
        var parts = PackedParts()
        try turn.take { try stored.read(place, nil, into: &parts) }
        return merged(try DeviceShard(parts), place)
      }
    }
    return found.map(\.state)
  }

  private func read(
    _ place: DevicePlace, _ reading: OutlineReading, _ stored: borrowing StoredParts, _ room: inout OutlineRoom
  ) throws(StoreError) -> DevicePlace {
    // Devices of which something new was said are judged anew, from all that was known of them.
    try stored.read(place, tail.devices[place] == nil ? reading.deviceParts : nil, into: &room.devices)
    // A file of before there were outlines: they are made from the rest.
    if !room.devices.has(DeviceOutlines.Part.channels.rawValue) {
      try stored.read(place, nil, into: &room.devices)
    }
    room.reserve(reading.places.count)
    for (number, journeys) in reading.places.enumerated() {
      let place = JourneyPlace(shard: place.shard, release: journeys.release, channel: journeys.channel)
      try stored.read(place, reading.journeyParts, into: &room.journeys[number])
    }
    return place
  }

  private func merged(_ devices: DeviceShard, _ place: DevicePlace) -> DeviceShard {
    tail.devices[place].map { devices.merging($0[...]) } ?? devices
  }
}
