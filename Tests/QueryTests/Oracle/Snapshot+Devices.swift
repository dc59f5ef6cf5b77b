import Lifecycle
@testable import Store

/// Everything that is stored of every device, one object after another: slow and plain.
extension Snapshot {
  /// Calls `body` with every shard of the app's devices, in device order, beside the journeys of the releases.
  func walk(app: String, releases: Set<Int64>, _ body: (DeviceShard, [Journeys]) throws -> Void) throws {
    guard let appID = appID(app) else { return }
    let stored = try StoredShards(connection)
    let (places, ranks) = (try journeyPlaces(releases, app: appID), nameRanks)
    for shard in 0..<Shards.count {
      let facts = try facts(shard)
      let devices = try devices(DevicePlace(shard: shard, app: appID), stored, facts)
      guard !devices.devices.isEmpty else { continue }
      try body(devices, try journeys(shard, places, stored, facts, ranks))
    }
  }

  /// Calls `body` with every device of the app, in device order.
  func eachDevice(
    app: String, releases: Set<Int64>, until cutOff: Timestamp, _ body: (DeviceView) throws -> Void
  ) throws {
    let (profiles, order) = (vocabulary.profiles, nameOrder)
    try walk(app: app, releases: releases) { devices, journeys in
      for (index, device) in devices.devices.enumerated() {
        let views = journeys.compactMap { journeys in
          journeys.shard.devices.firstIndex(of: device).map {
            JourneyView(
              release: journeys.release, channel: journeys.channel, shard: journeys.shard, place: $0, cutOff: cutOff)
          }
        }
        let history = DeviceHistory(devices, index, until: cutOff, profiles, order)
        try body(DeviceView(device: device, history: history, journeys: views))
      }
    }
  }
}

/// One device and its journeys on the releases that a question is about.
struct DeviceView {
  let device: UInt64
  let history: DeviceHistory
  let journeys: [JourneyView]

  func journey(_ release: Int64, _ channel: Int64) -> JourneyView? {
    journeys.first { $0.release == release && $0.channel == channel }
  }
}
