import Lifecycle
import Store

/// One device and its journeys on the releases that a question is about.
struct DeviceView {
  let device: UInt64
  let history: DeviceHistory
  let journeys: [JourneyView]

  func journey(_ release: Int64, _ channel: Int64) -> JourneyView? {
    journeys.first { $0.release == release && $0.channel == channel }
  }
}

extension Snapshot {
  /// Calls `body` with every device of the app, in device order.
  func eachDevice(
    app: String, releases: Set<Int64>, until cutOff: Timestamp, _ body: (DeviceView) throws -> Void
  ) throws {
    let profiles = vocabulary.profiles
    try walk(app: app, releases: releases) { devices, journeys in
      var cursors = journeys.map(JourneyCursor.init)
      for (index, device) in devices.devices.enumerated() {
        var views: [JourneyView] = []
        for cursor in cursors.indices {
          guard let place = cursors[cursor].place(of: device) else { continue }
          let (release, channel, shard) = (cursors[cursor].release, cursors[cursor].channel, cursors[cursor].shard)
          views.append(JourneyView(release: release, channel: channel, shard: shard, place: place))
        }
        let history = DeviceHistory(devices, index, until: cutOff, profiles)
        try body(DeviceView(device: device, history: history, journeys: views))
      }
    }
  }
}
