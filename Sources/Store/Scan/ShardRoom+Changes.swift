import Lifecycle

/// The devices of a shard as they were known before, and those of them that changed since.
struct EarlierDevices {
  let span: ChangeSpan
  /// What was not folded, and known.
  let facts: Facts
  /// What came after that.
  private let later: Facts
  private(set) var outlines = DeviceOutlines()
  private(set) var found: ChangedDevices

  init(_ span: ChangeSpan, _ shard: Int, _ room: ShardRoom, _ reader: ShardReader) throws(StoreError) {
    self.span = span
    found = ChangedDevices(all: [], span)
    let isAllLater = room.sorted.allSatisfy { $0.stretch.last > span.last }
    facts = isAllLater ? Facts() : try reader.facts(shard, room, in: .upTo(span.last))
    later = isAllLater ? room.facts : try reader.facts(shard, room, in: reader.numbers(after: span.last))
  }

  /// - Parameter stored: as they are folded.
  mutating func take(_ stored: DeviceOutlines, _ shard: Int, _ reader: ShardReader) throws {
    let place = reader.devicePlace(shard)
    outlines = stored
    var room = DeviceOutlines()
    if let facts = facts.devices[place] { try outlines.grow(facts, shard, reader, &room) }
    let source = RunSource(reader)
    source.begin(shard, facts.devices[place])
    // Columns that are open in the file are closed by who has the turn.
    defer { reader.turn.take { source.clear() } }
    found = try ChangedDevices(outlines, later.devices[place] ?? [], reader.profiles, span) { index in
      let runs = try source.runs(of: index, outlines.devices)
      return runs.range(index).reduce(.min) { max($0, runs.ends[$1]) }
    }
  }

  /// Whether what is not read of the journeys on some releases can be left so. Who said that it runs one, and says it again, makes
  /// no difference.
  func leaves(_ places: [JourneyPlace]) -> Bool {
    found.areAllNew
      && places.allSatisfy { place in
        later.journeys[place]?.allSatisfy { $0.milestone == .running && $0.namedBucket < 0 } ?? true
      }
  }

  /// Counts all devices as changed.
  mutating func take(
    _ whole: DeviceShard, _ stored: DeviceShard, _ place: DevicePlace, leavingOut population: ShardPopulation
  ) {
    let known = facts.devices[place].map(stored.merging) ?? stored
    outlines = (known.removing(where: population.leavesOut) ?? known).completeOutlines
    found = ChangedDevices(all: whole.devices, span)
  }

  /// The journeys as they were known.
  ///
  /// - Parameter stored: as they are folded.
  mutating func take(_ stored: JourneyShard, _ place: JourneyPlace, _ ranks: [Int64: Int]) -> JourneyShard {
    var journeys = stored
    if let facts = facts.journeys[place] { journeys.merge(facts) { ranks[$0] ?? .max } }
    found.note(journeys, later.journeys[place], ChangeSpan.Place(release: place.release, channel: place.channel))
    return journeys
  }
}

/// Shows devices that changed as they were known before, and as they are known now.
extension ShardRoom {
  /// Once the journeys are unpacked and before what waits is put into them.
  mutating func showEarlier(_ shard: Int, _ reader: ShardReader) throws {
    guard var earlier else { return }
    var read = reader.journeys.indices.filter { journeys[$0].isRead }
    var known = read.map { earlier.take(shards[$0], reader.journeyPlace(shard, $0), reader.ranks) }
    let rest = reader.journeys.indices.filter { !journeys[$0].isRead }
    if !earlier.leaves(rest.map { reader.journeyPlace(shard, $0) }) {
      try readJourneys(rest, shard, reader)
      known += rest.map { earlier.take(shards[$0], reader.journeyPlace(shard, $0), reader.ranks) }
      read += rest
    }
    let devices = earlier.found.devices
    let picked = earlier.outlines.picking(devices)
    var shown = ShardPage(RunSource(reader, of: part(picked, earlier.outlines)))
    shown.devices = picked
    for (index, journeys) in zip(read, known) {
      add(journeys, reader.journeyPlace(shard, index), of: devices, earlier.span, to: &shown)
    }
    shown.source.begin(shard, earlier.facts.devices[reader.devicePlace(shard)])
    shown.describeDevices(reader.profiles)
    page.changes = ShardChanges(shown, of: devices)
  }

  /// Once the page is what is known by now.
  func showNow(_ shard: Int, _ reader: ShardReader) {
    guard let changes = page.changes, let span = reader.need.changes else { return }
    let picked = page.devices.picking(changes.devices)
    var now = ShardPage(RunSource(reader, of: part(picked, page.devices)))
    now.devices = picked
    for journeys in page.journeys {
      let place = JourneyPlace(shard: shard, release: journeys.release, channel: journeys.channel)
      add(journeys.shard, place, of: changes.devices, span, to: &now)
    }
    // Of those that are left out nothing is stored about devices that changed: these are new.
    for index in reader.journeys.indices where !journeys[index].isRead {
      let place = reader.journeyPlace(shard, index)
      let own = facts.journeys[place]?.filter { changes.devices.index(ofDevice: $0.device) != nil } ?? []
      let told = JourneyShard().merging(own[...]) { reader.ranks[$0] ?? .max }
      add(told, place, of: changes.devices, span, to: &now)
    }
    now.source.begin(shard, facts.devices[reader.devicePlace(shard)])
    now.describeDevices(reader.profiles)
    changes.now = now
  }

  private func part(_ picked: DeviceOutlines, _ outlines: DeviceOutlines) -> RunSource.Part {
    RunSource.Part(devices: picked.devices, count: outlines.devices.count)
  }

  private func add(
    _ shard: JourneyShard, _ place: JourneyPlace, of devices: [UInt64], _ span: ChangeSpan, to page: inout ShardPage
  ) {
    guard span.releases.contains(place.release) else { return }
    let picked = shard.picking(devices)
    if picked.devices.isEmpty { return }
    page.journeys.append(Snapshot.Journeys(release: place.release, channel: place.channel, shard: picked))
  }
}
