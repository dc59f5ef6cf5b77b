/// What is read of every shard for a page.
struct PageReading: ~Copyable {
  let choice: PageChoice
  let app: Int64
  let places: [(release: Int64, channel: Int64)]
  /// The alphabetical place of each name.
  let ranks: [Int64: Int]
  /// With any facts that are asked for; in order.
  let weeks: [Int64]
  let tail: Facts
  let stored: StoredParts
  /// By place.
  private let journeyParts: [Set<Int64>]

  init(_ snapshot: borrowing Snapshot, _ choice: PageChoice, app: Int64) throws(StoreError) {
    let stored = try StoredParts(snapshot.connection)
    let weeks = try choice.wakes.map { wakes throws(StoreError) in
      try snapshot.touchedWeeks(app, wakes.from, wakes.until)
    }
    let places = try snapshot.journeyPlaces(Set(choice.milestones.keys))
    (self.choice, self.app, self.places, self.weeks) = (choice, app, places, weeks ?? [])
    (ranks, tail) = (snapshot.nameRanks, snapshot.tail)
    self.stored = stored
    journeyParts = places.map { JourneyShard.parts(ColumnChoice(choice.milestones[$0.release] ?? [])) }
  }

  func weekPlace(_ shard: Int, _ number: Int) -> WakePlace { WakePlace(app: app, shard: shard, week: weeks[number]) }

  /// The parts as they lie in the file.
  func read(_ place: DevicePlace, into room: inout PageRoom) throws(StoreError) {
    let isPlain = tail.devices[place] == nil
    try stored.read(place, isPlain ? DeviceOutlines.spanParts : nil, into: &room.devices)
    // A file of before there were outlines: they are made from the rest.
    if isPlain, !room.devices.has(DeviceOutlines.Part.channels.rawValue) {
      try stored.read(place, nil, into: &room.devices)
    }
    try readWeeks(place.shard, into: &room)
    let pushed = choice.isOfPushed ? pushedReleases(place.shard, room) : nil
    for (number, (release, channel)) in places.enumerated() {
      room.journeys[number].isRead = pushed?.contains(release) ?? true
      guard room.journeys[number].isRead else { continue }
      let place = JourneyPlace(shard: place.shard, release: release, channel: channel)
      let wanted = tail.journeys[place] == nil ? journeyParts[number] : nil
      try stored.read(place, wanted, into: &room.journeys[number].parts)
    }
  }

  /// Of pushes about one release, weeks before the first and the week before it only as far as `PushedWeeks` needs.
  private func readWeeks(_ shard: Int, into room: inout PageRoom) throws(StoreError) {
    room.firstWhole = choice.wakes?.pushedAbout == nil ? 0 : weeks.count
    for number in weeks.indices {
      if number >= room.firstWhole {
        try readWhole(shard, number, into: &room)
      } else {
        try stored.read(weekPlace(shard, number), PushedWeeks.parts, into: &room.weeks[number])
        guard mayBeFirst(weekPlace(shard, number), room.weeks[number]) else { continue }
        let hasNeighbour = number > 0 && weeks[number - 1] == weeks[number] - 1
        room.firstWhole = hasNeighbour ? number - 1 : number
        for near in room.firstWhole...number { try readWhole(shard, near, into: &room) }
      }
    }
  }

  /// Whether the first push about the release may be in a week; of what is not folded yet, everything may.
  private func mayBeFirst(_ place: WakePlace, _ parts: PackedParts) -> Bool {
    guard tail.wakes[place] == nil, let release = choice.wakes?.pushedAbout else { return true }
    return WakeShard.pushedReleases(parts).contains(release)
  }

  func readWhole(_ shard: Int, _ number: Int, into room: inout PageRoom) throws(StoreError) {
    try stored.read(weekPlace(shard, number), nil, into: &room.weeks[number])
  }

  private func pushedReleases(_ shard: Int, _ room: PageRoom) -> Set<Int64> {
    weeks.indices.reduce(into: []) { found, number in
      found.formUnion(WakeShard.pushedReleases(room.weeks[number]))
      let unfolded = tail.wakes[weekPlace(shard, number)] ?? []
      found.formUnion(unfolded.compactMap { WakeFact.pushedRelease($0.fact.what) })
    }
  }
}

extension DeviceOutlines {
  /// The parts that tell channels, spans and profiles.
  fileprivate static var spanParts: Set<Int64> {
    let parts: [DeviceShard.Part] = [.devices, .profileCounts, .profiles, .profileTimes]
    return Set([Part.channels, .spanCounts, .spanStarts, .spanLengths].map(\.rawValue) + parts.map(\.rawValue))
  }
}
