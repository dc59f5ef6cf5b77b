import Lifecycle
import Store

/// One device with its pushes, its wake-ups, and what bounds them.
struct WakeDevice {
  /// In order of time, none after the cut-off.
  let facts: ArraySlice<WakeFact>
  /// nil for a device that never spoke.
  let profiles: DeviceProfiles?
  let runs: ArraySlice<ContactRun>
  let journeys: [JourneyView]

  /// Whether the device spoke after an instant that lies a day or more before the cut-off.
  ///
  /// Within a run no silence is longer than a day, so a run that goes on past the instant has a contact in that day.
  func spoke(after instant: Timestamp, until cutOff: Timestamp) -> Bool {
    runs.contains { $0.end > instant && $0.start <= cutOff }
  }

  func platform(said: String? = nil) -> String? { profiles?.platform ?? said }
  var isEmulator: Bool { profiles?.isEmulator ?? false }
}

extension Snapshot {
  /// Calls `body` with every device of the app that has pushes or wake-ups in the interval, in device order.
  ///
  /// - Parameter withJourneys: each device comes with its journeys on the releases that pushes of its shard name.
  /// - Returns: the newest contact up to the cut-off.
  func eachWakeDevice(
    app: String, from: Timestamp, until cutOff: Timestamp, withJourneys: Bool, _ body: (WakeDevice) throws -> Void
  ) throws -> Timestamp? {
    let names = vocabulary.profiles
    var through: Timestamp?
    try walkWakes(app: app, journeysOfPushed: withJourneys, from: from, until: cutOff) { page in
      var cursors = page.journeys.map(JourneyCursor.init)
      var next = 0
      for index in page.devices.devices.indices {
        for run in page.devices.runs(index) where run.start <= cutOff {
          through = max(through ?? run.start, min(run.end, cutOff))
        }
      }
      for (index, device) in page.wakes.devices.enumerated() {
        while next < page.devices.devices.count, page.devices.devices[next] < device { next += 1 }
        let known = next < page.devices.devices.count && page.devices.devices[next] == device ? next : nil
        let facts = page.wakes.facts(index)
        let end = facts.lastIndex { $0.at <= cutOff }.map { $0 + 1 } ?? facts.startIndex
        try body(
          WakeDevice(
            facts: facts[..<end], profiles: known.map { DeviceProfiles(page.devices, $0, names) },
            runs: known.map { page.devices.runs($0) } ?? [],
            journeys: cursors.indices.compactMap { cursors[$0].view(of: device) }))
      }
    }
    return through
  }
}

extension JourneyCursor {
  /// The device's journey, or nil. Devices must be asked for in ascending order.
  mutating func view(of device: UInt64) -> JourneyView? {
    place(of: device).map { JourneyView(release: release, channel: channel, shard: shard, place: $0) }
  }
}
