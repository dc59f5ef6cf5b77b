import Lifecycle

/// The memory that one thread reads shard after shard into.
struct ShardRoom {
  var devices = PackedParts()
  /// Events that are not folded, and sorted, as they lie in the file.
  var sorted: [SortedPart] = []
  /// Which of the devices are asked for.
  var population = ShardPopulation()
  /// What all events that are not folded say.
  var facts = Facts()
  /// In the reader's order; where `isRead` is false, what is left of another shard.
  var journeys: [(parts: PackedParts, isRead: Bool)]
  /// In the reader's order; those from `firstWhole` on are whole.
  var weeks: [PackedParts]
  var firstWhole = 0
  var page: ShardPage
  /// Of which the page shows those that are not empty.
  private(set) var shards: [JourneyShard]
  /// Where outlines are made up of those that are folded and others; the memory of the shard before.
  private var spliced = DeviceOutlines()
  /// Where it is asked for what was known before.
  var earlier: EarlierDevices?

  init(_ reader: ShardReader) {
    journeys = Array(repeating: (parts: PackedParts(), isRead: false), count: reader.journeys.count)
    shards = Array(repeating: JourneyShard(), count: reader.journeys.count)
    weeks = Array(repeating: PackedParts(), count: reader.weeks.count)
    page = ShardPage(reader)
  }

  /// Lets go of the shard at hand, so that the next one is read into the same memory.
  mutating func clear() {
    page.source.clear()
    page.changes = nil
    page.wakes = WakeWalk([], until: .init(rawValue: .max), of: nil)
  }

  /// Makes the page of a shard whose parts are read.
  mutating func unpack(_ shard: Int, _ reader: ShardReader) throws {
    let isRemote = try reader.fetch(shard, into: &self)
    if reader.need.wakes == nil { facts = try reader.facts(shard, self) }
    if let span = reader.need.changes { earlier = try EarlierDevices(span, shard, self, reader) }
    page.source.begin(shard, facts.devices[reader.devicePlace(shard)])
    try unpackDevices(shard, reader)
    // Of what was fetched there is no second reading.
    if isRemote { page.source.take(devices, nil) }
    try unpackJourneys(shard, reader)
    page.wakes = try walk(shard, reader)
    page.describeDevices(reader.profiles)
    showNow(shard, reader)
    earlier = nil
  }

  private mutating func unpackDevices(_ shard: Int, _ reader: ShardReader) throws {
    try devices.check()
    let (place, columns) = (reader.devicePlace(shard), reader.need.devices)
    let facts = facts.devices[place]
    guard page.devices.unpack(devices, columns) else {
      let stored = try DeviceShard(devices)
      let whole = facts.map(stored.merging) ?? stored
      return show(whole, stored, place)
    }
    // Few shards have a device that is left out: such a one is read whole.
    let known = page.devices.devices + (facts?.map(\.device) ?? [])
    if population.leavesOut(anyOf: known) {
      let stored = try DeviceShard(reader.whole(shard))
      return show(facts.map(stored.merging) ?? stored, stored, place)
    }
    try earlier?.take(page.devices, shard, reader)
    if let facts { try page.devices.grow(facts, shard, reader, &spliced) }
    if columns.contains(.runs) { page.source.take(devices, facts) }
  }

  /// Those of the devices that are asked for.
  private mutating func show(_ whole: DeviceShard, _ stored: DeviceShard, _ place: DevicePlace) {
    earlier?.take(whole, stored, place, leavingOut: population)
    let shown = whole.removing(where: population.leavesOut) ?? whole
    page.devices = shown.completeOutlines
    page.source.take(shown)
  }

  /// Those that were left out at first.
  mutating func readJourneys(_ indexes: [Int], _ shard: Int, _ reader: ShardReader) throws {
    try reader.turn.take { for index in indexes { try reader.readJourneys(index, shard, into: &self) } }
    for index in indexes {
      try journeys[index].parts.check()
      shards[index].unpack(journeys[index].parts)
      journeys[index].isRead = true
    }
  }

  private mutating func unpackJourneys(_ shard: Int, _ reader: ShardReader) throws {
    // The page must let go of the shards, or they are copied when they change.
    page.journeys.removeAll(keepingCapacity: true)
    for index in reader.journeys.indices where journeys[index].isRead {
      try journeys[index].parts.check()
      shards[index].unpack(journeys[index].parts)
    }
    try showEarlier(shard, reader)
    for index in reader.journeys.indices where journeys[index].isRead {
      let place = reader.journeyPlace(shard, index)
      if let facts = facts.journeys[place] {
        shards[index].merge(facts) { [ranks = reader.ranks] in ranks[$0] ?? .max }
      }
      if let rest = shards[index].removing(where: population.leavesOut) { shards[index] = rest }
      if shards[index].devices.isEmpty { continue }
      page.journeys.append(
        Snapshot.Journeys(release: place.release, channel: place.channel, shard: shards[index]))
    }
  }

  /// Reads what is needed of weeks that were not read whole.
  private mutating func walk(_ shard: Int, _ reader: ShardReader) throws -> WakeWalk {
    let until = reader.need.wakes?.until ?? Timestamp(rawValue: .max)
    var whole: [WakeWeek] = []
    for index in weeks.indices.dropFirst(firstWhole) { whole += try facts(index, shard, reader) }
    guard let release = reader.need.wakes?.pushedAbout else {
      return WakeWalk(whole, until: until, of: nil, population)
    }
    var pushed = PushedWeeks(whole, about: release)
    for index in (0..<firstWhole).reversed() {
      try weeks[index].check()
      guard pushed.affects(WakeWeek(weeks[index])) else { continue }
      try reader.turn.take { try reader.readWhole(shard, index, into: &self) }
      let more = try facts(index, shard, reader)
      whole = more + whole
      for week in more { pushed.note(week) }
    }
    return WakeWalk(whole, until: until, of: pushed.devices, population)
  }

  /// What is stored of a week, and what is not folded yet.
  private func facts(_ index: Int, _ shard: Int, _ reader: ShardReader) throws(StoreError) -> [WakeWeek] {
    try weeks[index].check()
    let stored = WakeWeek(weeks[index])
    guard let unfolded = facts.wakes[reader.weekPlace(shard, index)] else { return [stored] }
    return [stored, WakeWeek(unfolded: unfolded)]
  }
}

extension DeviceOutlines {
  /// Puts in what is not folded of some devices.
  ///
  /// - Parameter room: memory for it, which is left with what was before.
  mutating func grow(
    _ facts: ArraySlice<DeviceFact>, _ shard: Int, _ reader: ShardReader, _ room: inout DeviceOutlines
  ) throws(StoreError) {
    let columns = reader.need.devices
    let growth = OutlineGrowth(&self, facts, columns)
    // With the outlines as they are stored, whose places are those of the columns in the file.
    let known = growth.needsRuns ? try reader.devices(growth.restDevices, of: shard, self) : DeviceShard()
    var touched = growth.grown
    if !growth.rest.isEmpty {
      touched = touched.splicing(known.merging(growth.rest[...]).completeOutlines, columns)
    }
    if touched.devices.isEmpty { return }
    room.take(self, touched, columns)
    swap(&self, &room)
  }
}

extension ShardPage {
  mutating func describeDevices(_ profiles: ProfileTable) {
    let devices = devices
    platforms.removeAll(keepingCapacity: true)
    platforms.append(addingCapacity: devices.devices.count) { platforms in
      for index in devices.devices.indices {
        platforms.append(Int32(truncatingIfNeeded: profiles.platform(devices, index)))
      }
    }
    emulators.removeAll(keepingCapacity: true)
    emulators.append(addingCapacity: devices.devices.count) { emulators in
      for index in devices.devices.indices { emulators.append(profiles.isEmulator(devices, index)) }
    }
  }
}
