/// What is read of every shard.
struct OutlineReading {
  let app: Int64
  let places: [(release: Int64, channel: Int64)]
  /// The alphabetical place of each name.
  let ranks: [Int64: Int]
  let columns: ColumnChoice
  let deviceParts: Set<Int64>
  let journeyParts: Set<Int64>

  init(app: Int64, places: [(release: Int64, channel: Int64)], ranks: [Int64: Int], columns: ColumnChoice) {
    (self.app, self.places, self.ranks, self.columns) = (app, places, ranks, columns)
    deviceParts = DeviceOutlines.parts(columns)
    journeyParts = JourneyShard.parts(columns)
  }
}

/// The memory that one thread reads shard after shard into.
struct OutlineRoom {
  var devices = PackedParts()
  var journeys: [PackedParts] = []
  private(set) var page = OutlinePage()
  /// Of which `page` shows those that are not empty.
  private var shards: [JourneyShard] = []
  /// Where outlines are put together that events came to.
  private var spliced = DeviceOutlines()

  mutating func reserve(_ count: Int) {
    while journeys.count < count {
      journeys.append(PackedParts())
      shards.append(JourneyShard())
    }
  }

  mutating func unpack(_ place: DevicePlace, _ reading: OutlineReading, _ tail: Facts) throws(StoreError) {
    // The page must let go of the shards, or they are copied when they change.
    page.journeys.removeAll(keepingCapacity: true)
    for (number, (release, channel)) in reading.places.enumerated() {
      shards[number].unpack(journeys[number])
      let place = JourneyPlace(shard: place.shard, release: release, channel: channel)
      if let facts = tail.journeys[place] {
        shards[number] = shards[number].merging(facts) { reading.ranks[$0] ?? .max }
      }
      if shards[number].devices.isEmpty { continue }
      page.journeys.append(Snapshot.Journeys(release: release, channel: channel, shard: shards[number]))
    }
    try unpackOutlines(reading.columns, tail.devices[place])
  }

  private mutating func unpackOutlines(_ columns: ColumnChoice, _ facts: ArraySlice<DeviceFact>?) throws(StoreError) {
    if page.outlines.unpack(devices, columns) {
      guard let facts else { return }
      let touched = DeviceShard(devices, page.outlines, touchedBy: facts).merging(facts)
      spliced.splice(touched.completeOutlines, into: page.outlines, columns)
      swap(&spliced, &page.outlines)
      return
    }
    let shard = try DeviceShard(devices)
    page.outlines = (facts.map(shard.merging) ?? shard).completeOutlines
  }
}
