import Lifecycle

/// Which journey shard a fact belongs to.
struct JourneyPlace: ShardPlace {
  var shard: Int
  var release: Int64
  var channel: Int64
  var mix: Int { Int(truncatingIfNeeded: release &* 31 &+ channel) }
  static func < (left: Self, right: Self) -> Bool {
    (left.shard, left.release, left.channel) < (right.shard, right.release, right.channel)
  }
}

/// Which device shard a fact belongs to.
struct DevicePlace: ShardPlace {
  var shard: Int
  var app: Int64
  var mix: Int { Int(truncatingIfNeeded: app) }
  static func < (left: Self, right: Self) -> Bool { (left.shard, left.app) < (right.shard, right.app) }
}

/// What events of one shard say that are not folded yet, by what they would change: what a question adds to what is stored.
struct Facts {
  private(set) var journeys = FactsByPlace<JourneyPlace, JourneyFact>()
  private(set) var devices = FactsByPlace<DevicePlace, DeviceFact>()
  private(set) var trails = FactsByPlace<TrailPlace, TrailFact>()
  private(set) var wakes = FactsByPlace<WakePlace, DeviceWakeFact>()

  init() {}

  /// - Parameter events: in order of device.
  init(_ events: [FoldEvent], shard: Int, _ origins: Origins, _ kinds: ShardFacts.Kinds) {
    var facts = ShardFacts(kinds)
    facts.take(events, origins)
    journeys.add(facts.journeys.places(in: shard))
    devices.add(facts.devices.places(in: shard))
    trails.add(facts.trails.places(in: shard))
    wakes.add(facts.wakes.places(in: shard))
  }
}

/// Facts of one kind by what they change, each list in order of device and then of arrival.
struct FactsByPlace<Place: ShardPlace, Fact> {
  private var facts: [Place: ArraySlice<Fact>] = [:]

  var keys: Dictionary<Place, ArraySlice<Fact>>.Keys { facts.keys }
  subscript(place: Place) -> ArraySlice<Fact>? { facts[place] }

  fileprivate mutating func add(_ places: [(place: Place, facts: ArraySlice<Fact>)]) {
    for (place, list) in places { facts[place] = list }
  }
}
