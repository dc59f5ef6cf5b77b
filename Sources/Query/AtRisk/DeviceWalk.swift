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
      try devices.eachView(journeys, until: cutOff, profiles, body)
    }
  }

  /// The same on all cores, each collecting into a state of its own; in whatever order.
  func eachDevice<State>(
    app: String, releases: Set<Int64>, until cutOff: Timestamp, start: () -> State,
    _ body: (inout State, DeviceView) throws -> Void
  ) throws -> [State] {
    let profiles = vocabulary.profiles
    return try eachShard(app: app, releases: releases, start: start) { state, devices, journeys in
      try devices.eachView(journeys, until: cutOff, profiles) { try body(&state, $0) }
    }
  }
}

extension DeviceShard {
  /// Calls `body` with every device, in device order.
  fileprivate func eachView(
    _ journeys: [Snapshot.Journeys], until cutOff: Timestamp, _ profiles: [Int64: DeviceProfile],
    _ body: (DeviceView) throws -> Void
  ) rethrows {
    var cursors = journeys.map(JourneyCursor.init)
    for (index, device) in devices.enumerated() {
      var views: [JourneyView] = []
      for cursor in cursors.indices {
        guard let place = cursors[cursor].place(of: device) else { continue }
        let (release, channel, shard) = (cursors[cursor].release, cursors[cursor].channel, cursors[cursor].shard)
        views.append(JourneyView(release: release, channel: channel, shard: shard, place: place))
      }
      let history = DeviceHistory(self, index, until: cutOff, profiles)
      try body(DeviceView(device: device, history: history, journeys: views))
    }
  }
}
