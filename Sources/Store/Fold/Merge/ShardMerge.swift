/// What a fold is about to store of one shard: the parts whose bytes changed. A part without bytes goes.
struct FoldedShard {
  typealias Parts = [(part: Int64, bytes: [UInt8])]
  fileprivate(set) var journeys: [(JourneyPlace, Parts)] = []
  fileprivate(set) var devices: [(DevicePlace, Parts)] = []
  fileprivate(set) var wakes: [(WakePlace, Parts)] = []
  fileprivate(set) var trails: [(TrailPlace, Parts)] = []

  var bytes: Int {
    func size(_ all: some Sequence<Parts>) -> Int { all.joined().reduce(0) { $0 + $1.bytes.count } }
    return size(journeys.map(\.1)) + size(devices.map(\.1)) + size(wakes.map(\.1)) + size(trails.map(\.1))
  }
}

/// Merges the events of one shard after another; several of them work side by side and take turns at reading.
struct ShardMerge {
  private let origins: Origins
  private let ranks: NameRanks
  private let turn: ReadingTurn
  private var sort = DeviceSort()
  private var facts = ShardFacts()
  /// What is stored of the place at hand.
  private var stored = PackedParts()
  private let recent: RecentMerge?

  /// - Parameter limit: nil to write all runs of a shard as settled ones.
  init(_ origins: Origins, _ ranks: NameRanks, _ turn: ReadingTurn, _ limit: RecentLimit?) {
    (self.origins, self.ranks, self.turn) = (origins, ranks, turn)
    recent = limit.map { RecentMerge(limit: $0) }
  }

  /// Leaves nothing behind in `events`.
  mutating func merge(
    _ events: inout [FoldEvent], shard: Int, _ parts: borrowing StoredParts
  ) throws(StoreError) -> FoldedShard {
    sort.sort(&events)
    facts.take(events, origins)
    events = []
    var folded = FoldedShard()
    for (place, list) in facts.journeys.places(in: shard) {
      try turn.take { () throws(StoreError) in try parts.read(place, nil, into: &stored) }
      try stored.check()
      let merged = JourneyShard(stored, for: list).merging(list, rank: ranks.rank)
      folded.journeys.append((place, changed(merged.packed)))
    }
    for (place, list) in facts.devices.places(in: shard) {
      folded.devices.append((place, try merge(list, into: place, parts)))
    }
    for (place, list) in facts.trails.places(in: shard) {
      try turn.take { () throws(StoreError) in try parts.read(place, nil, into: &stored) }
      folded.trails.append((place, changed(try TrailShard(stored).merging(list).packed)))
    }
    for (place, list) in facts.wakes.places(in: shard) {
      try turn.take { () throws(StoreError) in try parts.read(place, nil, into: &stored) }
      folded.wakes.append((place, changed(try WakeShard(stored).merging(list).packed)))
    }
    return folded
  }

  private mutating func merge(
    _ list: ArraySlice<DeviceFact>, into place: DevicePlace, _ parts: borrowing StoredParts
  ) throws(StoreError) -> FoldedShard.Parts {
    if let grown = try grown(list, place, parts) { return changed(grown) }
    try turn.take { () throws(StoreError) in try parts.read(place, nil, into: &stored) }
    let settled = changed(try DeviceShard(stored).merging(list).packed)
    let gone = RunLists.Parts.recent.all.sorted() + [DeviceOutlines.formerRunning]
    return settled + gone.filter(stored.has).map { (part: $0, bytes: []) }
  }

  private mutating func grown(
    _ list: ArraySlice<DeviceFact>, _ place: DevicePlace, _ parts: borrowing StoredParts
  ) throws(StoreError) -> FoldedShard.Parts? {
    guard let recent else { return nil }
    try turn.take { () throws(StoreError) in try parts.read(place, RecentMerge.parts, into: &stored) }
    try stored.check()
    return try recent.merge(list, into: stored) { [turn, stored] outlines, rest throws(StoreError) in
      try turn.take { () throws(StoreError) in
        guard let runs = try parts.fewRuns(place) else { return nil }
        return try DeviceShard(runs, stored, outlines, of: rest.map(\.device))
      }
    }
  }

  private func changed(_ parts: FoldedShard.Parts) -> FoldedShard.Parts {
    parts.filter { !stored.holds($0.part, $0.bytes) }
  }
}

extension TrailShard {
  init(_ parts: PackedParts) throws(StoreError) {
    try parts.check()
    try self.init { part, body throws(StoreError) in parts.read(part, body) }
  }
}

extension WakeShard {
  init(_ parts: PackedParts) throws(StoreError) {
    try parts.check()
    try self.init { part, body throws(StoreError) in parts.read(part, body) }
  }
}

extension JourneyShard {
  /// What facts change of a packed shard: where all their devices are in it already, the columns of which they say
  /// something, and else everything, for each column then has a place more.
  fileprivate init(_ parts: PackedParts, for facts: ArraySlice<JourneyFact>) {
    parts.read(Self.devicesPart) { unpack(part: Self.devicesPart, $0) }
    let wanted = knows(facts) ? Self.parts(of: facts) : nil
    parts.each { part, bytes in
      if part != Self.devicesPart, wanted?.contains(part) ?? true { unpack(part: part, bytes) }
    }
  }

  /// - Parameter facts: in order of device.
  private func knows(_ facts: ArraySlice<JourneyFact>) -> Bool {
    var next = 0
    for fact in facts {
      next = devices.firstPlace(from: next) { $0 >= fact.device }
      guard next < devices.count, devices[next] == fact.device else { return false }
    }
    return true
  }

  private static func parts(of facts: ArraySlice<JourneyFact>) -> Set<Int64> {
    var (milestones, hasBuckets) = (0, false)
    for fact in facts {
      milestones |= 1 << fact.milestone.rawValue
      if fact.namedBucket >= 0 { hasBuckets = true }
    }
    let touched = Milestone.allCases.filter { milestones & 1 << $0.rawValue != 0 }
    return Set(
      touched.map { Int64($0.rawValue) } + (touched.contains(.failed) ? [reasonsPart] : [])
        + (hasBuckets ? [bucketsPart] : []))
  }
}
