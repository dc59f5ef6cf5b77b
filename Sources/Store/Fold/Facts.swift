import Lifecycle

/// Which journey shard a fact belongs to.
struct JourneyPlace: Hashable, Comparable {
  var shard: Int
  var release: Int64
  var channel: Int64
  static func < (left: Self, right: Self) -> Bool {
    (left.shard, left.release, left.channel) < (right.shard, right.release, right.channel)
  }
}

/// Which device shard a fact belongs to.
struct DevicePlace: Hashable, Comparable {
  var shard: Int
  var app: Int64
  static func < (left: Self, right: Self) -> Bool { (left.shard, left.app) < (right.shard, right.app) }
}

/// Events sorted out by the shard they change, each shard's in order of device.
struct Facts {
  private(set) var journeys: [JourneyPlace: [JourneyFact]] = [:]
  private(set) var devices: [DevicePlace: [DeviceFact]] = [:]
  private(set) var trails: [TrailPlace: [TrailFact]] = [:]
  private(set) var wakes: [WakePlace: [DeviceWakeFact]] = [:]

  init(_ events: [FoldEvent], _ origins: Origins) {
    for event in events {
      guard let origin = origins.origin(event.context) else { continue }
      let shard = Shards.shard(event.device)
      if event.release != 0, let milestone = Milestone(event.stage) {
        journeys[JourneyPlace(shard: shard, release: event.release, channel: origin.channel), default: []].append(
          JourneyFact(
            device: event.device, first: event.first, milestone: milestone, reason: event.reason,
            bucket: event.packedBucket))
      }
      trails[TrailPlace(event.device, sequence: event.sequence), default: []].append(
        TrailFact(device: event.device, block: TrailPlace.block(event.sequence)))
      if let fact = WakeFact(event, origin) {
        wakes[WakePlace(app: origin.app, shard: shard, week: WakePlace.week(event.at)), default: []].append(
          DeviceWakeFact(device: event.device, fact: fact))
      }
      guard event.stage.isContact else { continue }
      let claim = Claim(event.stage, namesRelease: event.release != 0)
      devices[DevicePlace(shard: shard, app: origin.app), default: []].append(
        DeviceFact(
          device: event.device, at: event.at,
          key: ContactRun.key(channel: origin.channel, claim: claim, release: event.release), profile: origin.profile,
          bucket: event.packedBucket))
    }
    for place in journeys.keys { journeys[place]?.sort { $0.device < $1.device } }
    for place in trails.keys { trails[place]?.sort() }
    for place in wakes.keys { wakes[place]?.sort { $0.device < $1.device } }
    for place in devices.keys { devices[place]?.sort { $0.device < $1.device } }
  }
}
