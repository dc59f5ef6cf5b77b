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

/// What events say that are not folded yet, by the shard they would change: what a question adds to what is stored.
struct Facts {
  private(set) var journeys = ShardedFacts<JourneyPlace, JourneyFact>()
  private(set) var devices = ShardedFacts<DevicePlace, DeviceFact>()
  private(set) var trails = ShardedFacts<TrailPlace, TrailFact>()
  private(set) var wakes = ShardedFacts<WakePlace, DeviceWakeFact>()

  init(_ tail: consuming Tail) {
    var (sort, facts) = (DeviceSort(), ShardFacts())
    for shard in 0..<Shards.count where !tail.shards[shard].isEmpty {
      sort.sort(&tail.shards[shard])
      facts.take(tail.shards[shard], tail.origins)
      tail.shards[shard] = []
      journeys.add(facts.journeys.places(in: shard))
      devices.add(facts.devices.places(in: shard))
      trails.add(facts.trails.places(in: shard))
      wakes.add(facts.wakes.places(in: shard))
    }
  }
}

/// Facts of one kind by the shard they change, each shard's in order of device and then of arrival.
struct ShardedFacts<Place: ShardPlace, Fact> {
  private var facts: [Place: [Fact]] = [:]

  var keys: Dictionary<Place, [Fact]>.Keys { facts.keys }
  subscript(place: Place) -> ArraySlice<Fact>? { facts[place]?[...] }

  fileprivate mutating func add(_ places: [(place: Place, facts: ArraySlice<Fact>)]) {
    for (place, list) in places { facts[place] = Array(list) }
  }
}
