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

/// Events sorted out by the shard they change.
struct Facts {
  let journeys: ShardedFacts<JourneyPlace, JourneyFact>
  let devices: ShardedFacts<DevicePlace, DeviceFact>
  let trails: ShardedFacts<TrailPlace, TrailFact>
  let wakes: ShardedFacts<WakePlace, DeviceWakeFact>

  init(_ gathering: inout FactGathering) {
    journeys = ShardedFacts(&gathering.journeys)
    devices = ShardedFacts(&gathering.devices)
    trails = ShardedFacts(&gathering.trails)
    wakes = ShardedFacts(&gathering.wakes)
  }
}

/// What one event after another says, not sorted yet.
struct FactGathering {
  var journeys = GatheredFacts<JourneyPlace, JourneyFact>()
  var devices = GatheredFacts<DevicePlace, DeviceFact>()
  var trails = GatheredFacts<TrailPlace, TrailFact>()
  var wakes = GatheredFacts<WakePlace, DeviceWakeFact>()

  mutating func add(_ event: FoldEvent, _ origin: Origins.Origin) {
    if event.release != 0, let milestone = Milestone(event.stage) {
      journeys.add(
        JourneyFact(
          device: event.device, first: event.first, reason: Int32(truncatingIfNeeded: event.reason),
          milestone: milestone, namedBucket: event.namedBucket),
        JourneyPlace(shard: 0, release: event.release, channel: origin.channel))
    }
    trails.add(
      TrailFact(device: event.device, block: TrailPlace.block(event.sequence)),
      TrailPlace(event.device, sequence: event.sequence))
    if let fact = WakeFact(event, origin) {
      wakes.add(
        DeviceWakeFact(device: event.device, fact: fact),
        WakePlace(app: origin.app, shard: 0, week: WakePlace.week(event.at)))
    }
    guard event.stage.isContact else { return }
    let claim = Claim(event.stage, namesRelease: event.release != 0)
    devices.add(
      DeviceFact(
        device: event.device, at: event.at,
        key: ContactRun.key(channel: origin.channel, claim: claim, release: event.release),
        profile: Int32(truncatingIfNeeded: origin.profile), namedBucket: event.namedBucket),
      DevicePlace(shard: 0, app: origin.app))
  }
}

/// Events after a watermark, read in one go and sorted out: what a fold merges, and what a question adds.
struct Tail {
  let facts: Facts
  let sightings: Sightings
  /// How many events there are.
  private(set) var count = 0
  /// The number of the last of them, or the watermark where there was none.
  private(set) var last: Int64

  /// `connection` is within one transaction, so that events and what their numbers stand for fit together.
  init(_ connection: borrowing Connection, after watermark: Int64, limit: Int64 = -1) throws(StoreError) {
    let origins = try Origins(connection)
    let rows = try FoldRows(connection, after: watermark, limit: limit)
    var (gathering, sightings) = (FactGathering(), try Sightings(connection))
    last = watermark
    while let event = try rows.next() {
      count += 1
      last = event.sequence
      guard event.isKnown, let origin = origins.origin(event.context) else { continue }
      gathering.add(event, origin)
      sightings.add(event, origin)
    }
    facts = Facts(&gathering)
    self.sightings = sightings
  }
}
