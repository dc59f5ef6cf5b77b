public import Lifecycle

/// What a question about pushes, wake-ups or stages reads of every shard; the less, the faster.
public struct PageChoice: Sendable {
  /// Facts of the weeks that an interval touches.
  public struct Wakes: Sendable {
    public var from: Timestamp
    public var until: Timestamp
    /// A number of `release`: only devices that were sent a push about it; nil for all.
    public var pushedAbout: Int64?

    public init(from: Timestamp, until: Timestamp, pushedAbout: Int64? = nil) {
      (self.from, self.until, self.pushedAbout) = (from, until, pushedAbout)
    }
  }

  public var app: String
  /// Of the journeys by release; those on other releases are not read.
  public var milestones: [Int64: [Milestone]]
  /// Journeys on a release only where the shard has pushes about it.
  public var isOfPushed: Bool
  public var wakes: Wakes?

  public init(app: String, milestones: [Int64: [Milestone]], isOfPushed: Bool = false, wakes: Wakes? = nil) {
    (self.app, self.milestones, self.isOfPushed, self.wakes) = (app, milestones, isOfPushed, wakes)
  }
}

/// One shard of an app, each part in device order.
///
/// A device may be in one part and not in another: who was sent pushes need never have spoken.
public struct DevicePage {
  /// Channels, spans and profiles; nothing else of them.
  public let outlines: DeviceOutlines
  public let journeys: [Snapshot.Journeys]
  public var wakes: WakeWalk
}

extension Snapshot {
  /// Goes through the shards of an app on all cores, each collecting into a state of its own that adds up with others.
  ///
  /// - Parameter body: its last argument reads when the devices of the page were heard of, for those whose outline says
  ///   too little.
  public func eachPage<State>(
    _ choice: PageChoice, start: () -> State,
    _ body: (inout State, inout DevicePage, () throws -> ContactTimes) throws -> Void
  ) throws -> [State] {
    guard let appID = appID(choice.app) else { return [] }
    // Everything is read once: what is kept of it, or mapped, is only resident for nothing.
    try connection.execute("PRAGMA mmap_size = 0; PRAGMA cache_size = -2048")
    defer { try? connection.execute(Self.reading) }
    let stored = try PageParts(connection)
    let (places, ranks) = (try journeyPlaces(Set(choice.milestones.keys)), nameRanks)
    let weeks = try choice.wakes.map { try touchedWeeks(appID, $0.from, $0.until) } ?? []
    return try eachShard(
      start: start,
      read: { _, shard in try rawPage(DevicePlace(shard: shard, app: appID), weeks, places, stored, choice) }
    ) { state, raw, turn in
      let merged = try merged(raw)
      var page = DevicePage(
        outlines: merged?.completeOutlines ?? outlines(raw.devices),
        journeys: journeys(raw, ranks), wakes: walk(raw, choice.wakes))
      try body(&state, &page) { () throws in
        if let merged { return ContactTimes(merged) }
        var parts = PackedParts()
        try turn.take { try stored.shards.read(raw.place, ContactTimes.parts, into: &parts) }
        return ContactTimes(parts)
      }
    }
  }

  /// None where nothing is stored of the shard.
  private func outlines(_ parts: PackedParts) -> DeviceOutlines {
    var outlines = DeviceOutlines()
    return outlines.unpack(parts, ColumnChoice([], profileTimes: true)) ? outlines : DeviceOutlines()
  }

  /// The weeks with any facts, of those that an interval touches.
  private func touchedWeeks(_ app: Int64, _ from: Timestamp, _ until: Timestamp) throws(StoreError) -> [Int64] {
    let weeks = WakePlace.week(from)...max(WakePlace.week(from), WakePlace.week(until))
    let known = Set(try storedWeeks(app) + tail.wakes.keys.filter { $0.app == app }.map(\.week))
    return known.filter(weeks.contains).sorted()
  }
}

/// The parts of one page as they lie in the file.
private struct RawPage {
  let place: DevicePlace
  var devices = PackedParts()
  var journeys: [(place: JourneyPlace, parts: PackedParts)] = []
  var weeks: [(place: WakePlace, parts: PackedParts)] = []
}

private struct PageParts: ~Copyable {
  let shards: StoredParts
  private let wakeParts: Statement

  init(_ connection: borrowing Connection) throws(StoreError) {
    let shards = try StoredParts(connection)
    wakeParts = try connection.prepare("SELECT part, packed FROM wake WHERE app = ? AND shard = ? AND week = ?")
    self.shards = shards
  }

  func wakes(_ place: WakePlace) throws(StoreError) -> PackedParts {
    var parts = PackedParts()
    _ = try wakeParts.rows(.integer(place.app), .integer(Int64(place.shard)), .integer(place.week)) { row in
      row.withBlob(1) { parts.append(part: row.integer(0), $0) }
    }
    return parts
  }
}

extension Snapshot {
  private func rawPage(
    _ place: DevicePlace, _ weeks: [Int64], _ places: [(release: Int64, channel: Int64)],
    _ stored: borrowing PageParts, _ choice: PageChoice
  ) throws(StoreError) -> RawPage {
    var raw = RawPage(place: place)
    let isPlain = tail.devices[place] == nil
    try stored.shards.read(place, isPlain ? DeviceOutlines.spanParts : nil, into: &raw.devices)
    // A file of before there were outlines: they are made from the rest.
    if isPlain, !raw.devices.has(DeviceOutlines.Part.channels.rawValue) {
      try stored.shards.read(place, nil, into: &raw.devices)
    }
    for week in weeks {
      let place = WakePlace(app: place.app, shard: place.shard, week: week)
      raw.weeks.append((place, try stored.wakes(place)))
    }
    let pushed = choice.isOfPushed ? pushedReleases(raw.weeks) : nil
    for (release, channel) in places where pushed?.contains(release) ?? true {
      let place = JourneyPlace(shard: place.shard, release: release, channel: channel)
      let columns = ColumnChoice(choice.milestones[release] ?? [])
      let wanted = tail.journeys[place] == nil ? JourneyShard.parts(columns) : nil
      var parts = PackedParts()
      try stored.shards.read(place, wanted, into: &parts)
      raw.journeys.append((place, parts))
    }
    return raw
  }

  private func pushedReleases(_ weeks: [(place: WakePlace, parts: PackedParts)]) -> Set<Int64> {
    weeks.reduce(into: []) { found, week in
      found.formUnion(WakeShard.pushedReleases(week.parts))
      found.formUnion((tail.wakes[week.place] ?? []).compactMap { WakeFact.pushedRelease($0.fact.what) })
    }
  }

  /// All that is said of the devices; nil where the outlines that are stored hold.
  private func merged(_ raw: RawPage) throws(StoreError) -> DeviceShard? {
    let facts = tail.devices[raw.place]
    if facts == nil, raw.devices.isEmpty || raw.devices.has(DeviceOutlines.Part.channels.rawValue) { return nil }
    let devices = try DeviceShard(raw.devices)
    return facts.map { devices.merging($0[...]) } ?? devices
  }

  private func journeys(_ raw: RawPage, _ ranks: [Int64: Int]) -> [Journeys] {
    raw.journeys.compactMap { place, parts in
      var shard = JourneyShard()
      shard.unpack(parts)
      if let facts = tail.journeys[place] { shard = shard.merging(facts[...]) { ranks[$0] ?? .max } }
      return shard.devices.isEmpty ? nil : Journeys(release: place.release, channel: place.channel, shard: shard)
    }
  }

  private func walk(_ raw: RawPage, _ choice: PageChoice.Wakes?) -> WakeWalk {
    let weeks = raw.weeks.map { place, parts in
      WakeWeek(parts, tail.wakes[place].map { WakeShard().merging($0[...]) } ?? WakeShard())
    }
    return WakeWalk(
      weeks, until: choice?.until ?? Timestamp(rawValue: .max), pushedAbout: choice?.pushedAbout)
  }
}

extension DeviceOutlines {
  /// The parts that tell channels, spans and profiles.
  fileprivate static var spanParts: Set<Int64> {
    let parts: [DeviceShard.Part] = [.devices, .profileCounts, .profiles, .profileTimes]
    return Set([Part.channels, .spanCounts, .spanStarts, .spanLengths].map(\.rawValue) + parts.map(\.rawValue))
  }
}
