internal import Synchronization

/// Reads the shards of one scan. Threads take turns, since one transaction belongs to one connection.
final class ShardReader {
  let need: Need
  let profiles: ProfileTable
  let turn: ReadingTurn
  /// Whether a contact at the cutoff was found among what was heard since a summary.
  let isNewestFound = Atomic(false)
  let waiting: WaitingEvents
  let sorted: SortedRows
  private let population: PopulationRows
  private let path: String
  /// In order; those with any facts in the need's interval.
  let weeks: [Int64]
  let journeys: [(release: Int64, channel: Int64)]
  /// The alphabetical rank of each name.
  let ranks: [Int64: Int]
  let order: NameOrder
  let app: Int64
  private let remote: (any RemoteDatabase)?
  let stored: StoredParts
  /// As `journeys`.
  private let journeyParts: [Set<Int64>]
  private let deviceParts: Set<Int64>

  init(
    _ snapshot: borrowing Snapshot, _ need: Need, app: Int64, _ turn: ReadingTurn = ReadingTurn()
  ) throws(StoreError) {
    let stored = try StoredParts(snapshot.connection)
    let journeys = try snapshot.journeyPlaces(Set(need.journeys.keys), app: app)
    weeks =
      try need.wakes.map { span throws(StoreError) in
        try snapshot.touchedWeeks(app, span.from, span.until)
      } ?? []
    (self.need, self.app, self.turn, self.journeys) = (need, app, turn, journeys)
    (ranks, waiting, path) = (snapshot.nameRanks, snapshot.waiting, snapshot.connection.path)
    order = NameOrder(channels: ranks, releases: snapshot.vocabulary.releases)
    sorted = try SortedRows(snapshot.connection)
    population = try PopulationRows(snapshot.connection, need.population, app: app)
    profiles = ProfileTable(snapshot.vocabulary)
    journeyParts = journeys.map { (need.journeys[$0.release] ?? []).parts }
    deviceParts = DeviceOutlines.parts(need.devices)
    self.stored = stored
    remote = snapshot.remote
  }

  func devicePlace(_ shard: Int) -> DevicePlace { DevicePlace(shard: shard, app: app) }
  func weekPlace(_ shard: Int, _ index: Int) -> WakePlace { WakePlace(app: app, shard: shard, week: weeks[index]) }

  func journeyPlace(_ shard: Int, _ index: Int) -> JourneyPlace {
    JourneyPlace(shard: shard, release: journeys[index].release, channel: journeys[index].channel)
  }

  /// The parts as they lie in the file. Only for who has the turn.
  func read(_ shard: Int, into room: inout ShardRoom) throws(StoreError) {
    room.clear()
    room.population = try population.read(shard)
    if remote != nil { return }
    room.sorted = try waiting.read(shard, sorted)
    try readDevices(shard, into: &room.devices)
    // Which weeks are read depends on what is not folded.
    if need.wakes != nil { room.facts = try facts(shard, room) }
    try readWeeks(shard, into: &room)
    let pushed = need.onlyPushedReleases ? pushedReleases(shard, room) : nil
    for index in journeys.indices {
      let isLeftOut = need.changes?.leavesOut(journeyPlace(shard, index)) ?? false
      room.journeys[index].isRead = pushed?.contains(journeys[index].release) ?? !isLeftOut
      if room.journeys[index].isRead { try readJourneys(index, shard, into: &room) }
    }
  }

  func readJourneys(_ index: Int, _ shard: Int, into room: inout ShardRoom) throws(StoreError) {
    try readJourneys(index, shard, into: &room.journeys[index].parts)
  }

  func readJourneys(_ index: Int, _ shard: Int, into parts: inout PackedParts) throws(StoreError) {
    try stored.read(journeyPlace(shard, index), journeyParts[index], into: &parts)
  }

  /// Reads what lies elsewhere, side by side with other threads; answers whether it does.
  func fetch(_ shard: Int, into room: inout ShardRoom) throws(StoreError) -> Bool {
    guard let remote else { return false }
    try fetch(shard, from: remote, into: &room)
    return true
  }

  /// What events that are not folded say of a shard whose sorted ones are read.
  func facts(_ shard: Int, _ room: ShardRoom, in numbers: EventNumbers? = nil) throws(StoreError) -> Facts {
    try facts(shard, room.sorted, in: numbers ?? need.last.map(EventNumbers.upTo) ?? .all)
  }

  /// Of the events that are looked at those after one.
  func numbers(after last: Int64) -> EventNumbers { need.last.map { .within(after: last, upTo: $0) } ?? .after(last) }

  /// - Parameter some: of these devices alone, in order.
  func facts(
    _ shard: Int, _ sorted: [SortedPart], of some: [UInt64]? = nil, in numbers: EventNumbers
  ) throws(StoreError) -> Facts {
    try waiting.facts(shard, sorted, need.wakes == nil ? [] : .wakes, of: some, in: numbers, path: path)
  }

  func readDevices(_ shard: Int, into parts: inout PackedParts) throws(StoreError) {
    let place = devicePlace(shard)
    try stored.read(place, deviceParts, into: &parts)
    // A file written before there were such outlines: they are made from the rest.
    if !parts.has(DeviceOutlines.Part.running.rawValue) { try stored.read(place, nil, into: &parts) }
  }

  /// Everything that is stored of some devices of a shard, but outlines.
  ///
  /// - Parameter some: in order.
  func devices(_ some: [UInt64], of shard: Int, _ outlines: DeviceOutlines) throws(StoreError) -> DeviceShard {
    // Beyond that, whole columns are read faster.
    if some.count * 16 < outlines.devices.count, let few = try few(some, of: shard, outlines) { return few }
    return DeviceShard(try whole(shard), outlines, of: some)
  }

  private func few(
    _ some: [UInt64], of shard: Int, _ outlines: DeviceOutlines
  ) throws(StoreError) -> DeviceShard? {
    try turn.take { () throws(StoreError) in
      var parts = PackedParts()
      try stored.read(devicePlace(shard), DeviceShard.besidePieces, into: &parts)
      try parts.check()
      guard let runs = try stored.fewRuns(devicePlace(shard)) else { return nil }
      return try DeviceShard(runs, parts, outlines, of: some)
    }
  }

  /// The runs of single devices of a shard; nil where they must be read whole.
  func singleRuns(_ shard: Int) throws(StoreError) -> SingleRuns? {
    try turn.take { () throws(StoreError) in
      var parts = PackedParts()
      try stored.read(devicePlace(shard), DeviceShard.besidePieces, into: &parts)
      try parts.check()
      guard let runs = try stored.fewRuns(devicePlace(shard)) else { return nil }
      return SingleRuns(runs, parts)
    }
  }

  /// Everything that is stored of the devices of a shard.
  func whole(_ shard: Int) throws(StoreError) -> PackedParts {
    var parts = PackedParts()
    try turn.take { () throws(StoreError) in try stored.read(devicePlace(shard), nil, into: &parts) }
    try parts.check()
    return parts
  }

  /// The contact runs that are stored of the devices of a shard, with the devices.
  func runs(_ shard: Int) throws(StoreError) -> PackedParts {
    var parts = PackedParts()
    try turn.take { () throws(StoreError) in try stored.read(devicePlace(shard), RunColumns.parts, into: &parts) }
    try parts.check()
    return parts
  }
}

// MARK: weeks

extension ShardReader {
  /// Of pushes about one release, weeks before the first and the week before it only as far as `PushedWeeks` needs.
  private func readWeeks(_ shard: Int, into room: inout ShardRoom) throws(StoreError) {
    room.firstWhole = need.wakes?.pushedAbout == nil ? 0 : weeks.count
    for index in weeks.indices {
      if index >= room.firstWhole {
        try readWhole(shard, index, into: &room)
      } else {
        try stored.read(weekPlace(shard, index), PushedWeeks.parts, into: &room.weeks[index])
        guard mayBeFirst(weekPlace(shard, index), room) else { continue }
        let hasNeighbour = index > 0 && weeks[index - 1] == weeks[index] - 1
        room.firstWhole = hasNeighbour ? index - 1 : index
        for near in room.firstWhole...index { try readWhole(shard, near, into: &room) }
      }
    }
  }

  /// Whether the first push about the release may be in a week; of what is not folded yet, everything may.
  private func mayBeFirst(_ place: WakePlace, _ room: ShardRoom) -> Bool {
    guard room.facts.wakes[place] == nil, let release = need.wakes?.pushedAbout else { return true }
    return WakeShard.pushedReleases(room.weeks[weeks.firstIndex(of: place.week) ?? 0]).contains(release)
  }

  func readWhole(_ shard: Int, _ index: Int, into room: inout ShardRoom) throws(StoreError) {
    try stored.read(weekPlace(shard, index), nil, into: &room.weeks[index])
  }

  func pushedReleases(_ shard: Int, _ room: ShardRoom) -> Set<Int64> {
    weeks.indices.reduce(into: []) { found, index in
      found.formUnion(WakeShard.pushedReleases(room.weeks[index]))
      let unfolded = room.facts.wakes[weekPlace(shard, index)] ?? []
      found.formUnion(unfolded.compactMap { WakeFact.pushedRelease($0.fact.what) })
    }
  }
}
