import Lifecycle

/// Names a shard: which of the 64, and of what.
protocol ShardPlace: Mixed, Comparable {
  var shard: Int { get set }
}

/// What the events of one shard say, sorted out by what it changes; used for shard after shard.
struct ShardFacts {
  private(set) var journeys = FactLists<JourneyPlace, JourneyFact>()
  private(set) var devices = FactLists<DevicePlace, DeviceFact>()
  private(set) var trails = FactLists<TrailPlace, TrailFact>()
  private(set) var wakes = FactLists<WakePlace, DeviceWakeFact>()

  /// What is wanted beside journeys and contacts.
  struct Kinds: OptionSet {
    let rawValue: UInt8
    static let wakes = Kinds(rawValue: 1)
    static let trails = Kinds(rawValue: 2)
    static let all: Kinds = [.wakes, .trails]
  }
  private let kinds: Kinds

  init(_ kinds: Kinds = .all) { self.kinds = kinds }

  /// In place of what it held.
  ///
  /// - Parameter events: in order of device and then of arrival, and so are the facts.
  mutating func take(_ events: [FoldEvent], _ origins: Origins) {
    journeys.clear()
    devices.clear()
    trails.clear()
    wakes.clear()
    for event in events {
      if let origin = origins.origin(event.context) { add(event, origin) }
    }
  }

  private mutating func add(_ event: FoldEvent, _ origin: Origins.Origin) {
    if event.release != 0, let milestone = Milestone(event.stage) {
      journeys.add(
        JourneyFact(
          device: event.device, first: event.first, reason: event.reason, milestone: milestone,
          namedBucket: event.namedBucket),
        JourneyPlace(shard: 0, release: Int64(event.release), channel: origin.channel))
    }
    if kinds.contains(.trails) {
      trails.add(
        TrailFact(device: event.device, block: TrailPlace.withinEra(event.block)),
        TrailPlace(shard: 0, era: TrailPlace.era(event.block)))
    }
    if kinds.contains(.wakes), let fact = WakeFact(event, origin) {
      wakes.add(
        DeviceWakeFact(device: event.device, fact: fact),
        WakePlace(app: origin.app, shard: 0, week: WakePlace.week(event.at)))
    }
    guard event.stage.isContact else { return }
    let claim = Claim(event.stage, namesRelease: event.release != 0)
    devices.add(
      DeviceFact(
        device: event.device, at: event.at,
        key: ContactRun.key(channel: origin.channel, claim: claim, release: Int64(event.release)),
        profile: Int32(truncatingIfNeeded: origin.profile), namedBucket: event.namedBucket),
      DevicePlace(shard: 0, app: origin.app))
  }
}

/// Facts about one shard, a list for each thing they change; the lists' memory is used for shard after shard.
struct FactLists<Place: ShardPlace, Fact> {
  private var groups = Numbering<Place>()
  private var lists: [[Fact]] = []

  /// - Parameter place: with any shard.
  fileprivate mutating func add(_ fact: Fact, _ place: Place) {
    let group = groups.number(place)
    if group == lists.count { lists.append([]) }
    lists[group].append(fact)
  }

  fileprivate mutating func clear() {
    for index in lists.indices { lists[index].removeAll(keepingCapacity: true) }
  }

  /// What there are facts about, in order of place.
  func places(in shard: Int) -> [(place: Place, facts: ArraySlice<Fact>)] {
    zip(groups.keys, lists).filter { !$1.isEmpty }.map { group, facts in
      var place = group
      place.shard = shard
      return (place, facts[...])
    }.sorted { $0.place < $1.place }
  }
}
