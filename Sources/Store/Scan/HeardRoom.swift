import Lifecycle

/// The memory that one thread looks at shard after shard in for one question, of which only the devices are laid out that were heard of.
struct HeardRoom {
  private let span: HeardSpan
  private let reader: ShardReader
  private var spans = PackedParts()
  private(set) var page: ShardPage
  private var lookup = DeviceLookup()
  private var journeys = PackedParts()

  init(_ reader: ShardReader, _ span: HeardSpan) {
    (self.reader, self.span, page) = (reader, span, ShardPage(reader))
  }

  /// Lets go of the shard at hand. Only for who has the turn, which is who may close columns that are open in the file.
  mutating func clear() {
    (page.changes, page.ended, page.newest, page.moved) = (nil, nil, nil, nil)
    lookup = DeviceLookup()
  }

  /// Makes the page of a shard whose parts are read: nothing but the devices that changed, and the newest contact.
  mutating func unpack(_ shard: Int, _ facts: HeardFacts, _ shared: inout HeardShard) throws {
    let heard = Heard(shard, span, facts, reader)
    if heard.devices.isEmpty { return }
    lookup = try shared.lookup(shard, reader, namesBuckets: heard.namesBuckets(reader.devicePlace(shard)))
    let found = HeardDevices(stored: lookup, profiles: reader.profiles, span: span)
    page.newest = try heard.newest(found, shard, reader)
    let changed = heard.changed(found, shard, reader)
    if span.steadySince != nil { page.moved = try heard.moved(found, without: changed, shard, reader) }
    if changed.isEmpty { return }
    try show(changed, found, heard, shard, reader)
  }

  private mutating func show(
    _ changed: [UInt64], _ found: HeardDevices, _ heard: Heard, _ shard: Int, _ reader: ShardReader
  ) throws {
    let over = heard.span.ended?.releases ?? []
    let places = reader.journeys.indices.filter { !over.contains(reader.journeys[$0].release) }
    let open = try journeys(places, shard, reader, of: heard.telling(changed, found, shard, reader))
    let resumed = heard.resumed(changed, found, shard, reader, StoredClaims(open, reader.need))
    let twice = try DevicesTwice(changed, resumed: resumed, heard, lookup, shard, reader, &spans)
    page.changes = changes(twice, changed, heard, open, reader)
    guard let ended = heard.span.ended else { return }
    let news = try heard.news(twice, found, ended, shard, reader)
    let some = news.devices
    if some.isEmpty { return }
    let rest = reader.journeys.indices.filter { over.contains(reader.journeys[$0].release) }
    page.ended = changes(
      twice.picking(some), some, heard, try journeys(rest, shard, reader, of: news.devices), reader)
  }

  /// Devices before and after, with their journeys on some releases.
  private func changes(
    _ twice: DevicesTwice, _ some: [UInt64], _ heard: Heard, _ journeys: [StoredJourneys], _ reader: ShardReader
  ) -> ShardChanges {
    var (earlier, now) = (
      ShardPage(reader, twice.before, twice.sourceBefore), ShardPage(reader, twice.now, twice.sourceNow)
    )
    for one in journeys {
      func told(_ facts: Facts) -> ArraySlice<JourneyFact> { facts.journeys[one.place]?.about(one.devices) ?? [] }
      let before = one.stored.merging(told(heard.known)) { reader.ranks[$0] ?? .max }
      earlier.add(before, one.place)
      now.add(before.merging(told(heard.later)) { reader.ranks[$0] ?? .max }, one.place)
    }
    let changes = ShardChanges(earlier, of: some)
    changes.now = now
    return changes
  }

  /// Of devices that are new nothing is stored.
  ///
  /// - Parameter telling: those whose journeys on a release bear on it; in order.
  private mutating func journeys(
    _ places: [Int], _ shard: Int, _ reader: ShardReader, of telling: (Int64) -> [UInt64]
  ) throws -> [StoredJourneys] {
    try places.map { index in
      let place = reader.journeyPlace(shard, index)
      let own = telling(place.release)
      if lookup.places(of: own).isEmpty { return StoredJourneys(place: place, devices: own, stored: JourneyShard()) }
      try reader.turn.take { try reader.readJourneys(index, shard, into: &journeys) }
      try journeys.check()
      return StoredJourneys(place: place, devices: own, stored: JourneyShard(journeys, of: own))
    }
  }
}

extension ShardPage {
  /// Of these devices alone, without their journeys.
  fileprivate init(_ reader: ShardReader, _ shown: DeviceOutlines, _ source: RunSource) {
    self.init(source)
    devices = shown
    describeDevices(reader.profiles)
  }

  fileprivate mutating func add(_ shard: JourneyShard, _ place: JourneyPlace) {
    if shard.devices.isEmpty { return }
    journeys.append(Snapshot.Journeys(release: place.release, channel: place.channel, shard: shard))
  }
}
