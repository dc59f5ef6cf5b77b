import Lifecycle

/// The memory that one thread reads page after page into.
struct PageRoom {
  var devices = PackedParts()
  /// By place; of releases without pushes, what is left of another shard.
  var journeys: [(parts: PackedParts, isRead: Bool)]
  /// By week: those from `firstWhole` on are whole.
  var weeks: [PackedParts]
  var firstWhole = 0
  private var outlines = DeviceOutlines()

  init(_ reading: borrowing PageReading) {
    journeys = Array(repeating: (parts: PackedParts(), isRead: false), count: reading.places.count)
    weeks = Array(repeating: PackedParts(), count: reading.weeks.count)
  }

  /// All that is said of the devices; nil where the outlines that are stored hold.
  func merged(_ place: DevicePlace, _ reading: borrowing PageReading) throws(StoreError) -> DeviceShard? {
    let facts = reading.tail.devices[place]
    if facts == nil, devices.isEmpty || devices.has(DeviceOutlines.Part.channels.rawValue) { return nil }
    let stored = try DeviceShard(devices)
    return facts.map { stored.merging($0[...]) } ?? stored
  }

  mutating func page(
    _ place: DevicePlace, _ reading: borrowing PageReading, _ merged: DeviceShard?, _ turn: ReadingTurn
  ) throws -> DevicePage {
    if merged == nil, !outlines.unpack(devices, ColumnChoice([], profileTimes: true)) { outlines = DeviceOutlines() }
    return DevicePage(
      outlines: merged?.completeOutlines ?? outlines, journeys: unpackedJourneys(place.shard, reading),
      wakes: try walk(place.shard, reading, turn))
  }

  private func unpackedJourneys(_ number: Int, _ reading: borrowing PageReading) -> [Snapshot.Journeys] {
    var found: [Snapshot.Journeys] = []
    for (index, (release, channel)) in reading.places.enumerated() where journeys[index].isRead {
      var shard = JourneyShard()
      shard.unpack(journeys[index].parts)
      if let facts = reading.tail.journeys[JourneyPlace(shard: number, release: release, channel: channel)] {
        shard = shard.merging(facts[...]) { [ranks = reading.ranks] in ranks[$0] ?? .max }
      }
      if !shard.devices.isEmpty { found.append(Snapshot.Journeys(release: release, channel: channel, shard: shard)) }
    }
    return found
  }

  /// Reads what is needed of weeks that were not read whole.
  private mutating func walk(
    _ shard: Int, _ reading: borrowing PageReading, _ turn: ReadingTurn
  ) throws -> WakeWalk {
    let until = reading.choice.wakes?.until ?? Timestamp(rawValue: .max)
    var weeks = (0..<self.weeks.count).map { week($0, shard, reading) }
    guard let release = reading.choice.wakes?.pushedAbout else { return WakeWalk(weeks, until: until, of: nil) }
    var pushed = PushedWeeks(weeks, from: firstWhole, about: release)
    for number in (0..<firstWhole).reversed() where pushed.hasSay(weeks[number]) {
      try turn.take { try reading.readWhole(shard, number, into: &self) }
      weeks[number] = week(number, shard, reading)
      pushed.note(weeks[number])
    }
    return WakeWalk(weeks, until: until, of: pushed.devices)
  }

  private func week(_ number: Int, _ shard: Int, _ reading: borrowing PageReading) -> WakeWeek {
    let unfolded = reading.tail.wakes[reading.weekPlace(shard, number)]
    return WakeWeek(weeks[number], unfolded.map { WakeShard().merging($0[...]) } ?? WakeShard())
  }
}
