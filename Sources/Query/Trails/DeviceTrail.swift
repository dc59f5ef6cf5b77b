import Lifecycle
import Store

/// One device with everything that is packed about it.
struct DeviceTrail {
  let device: UInt64
  let history: Heard
  let journeys: [JourneyView]
  let facts: [WakeFact]

  /// What bounds its life, as far as it spoke.
  struct Heard {
    var firstContact: Timestamp?
    var lastContact: Timestamp?
    var profiles: DeviceProfiles?
    var channel: Int64?
  }
}

extension Snapshot {
  /// nil for a device that nobody heard of.
  func view(of device: DeviceHash, app: String, until now: Timestamp) throws -> DeviceTrail? {
    guard let page = try page(of: device, app: app) else { return nil }
    let known = place(of: device.rawValue, in: page.devices.devices)
    let facts = page.facts.filter { $0.at <= now }
    guard known != nil || !facts.isEmpty else { return nil }
    var heard = DeviceTrail.Heard()
    if let known {
      let runs = page.devices.runs(known).filter { $0.start <= now }
      heard.firstContact = runs.map(\.start).min()
      heard.lastContact = runs.map { min($0.end, now) }.max()
      heard.channel = runs.max { ($0.end, $0.start, $0.channel) < ($1.end, $1.start, $1.channel) }?.channel
      heard.profiles = DeviceProfiles(page.devices, known, vocabulary.profiles)
    }
    let journeys = page.journeys.compactMap { journeys in
      place(of: device.rawValue, in: journeys.shard.devices).map {
        JourneyView(release: journeys.release, channel: journeys.channel, shard: journeys.shard, place: $0)
      }
    }
    return DeviceTrail(device: device.rawValue, history: heard, journeys: journeys, facts: facts)
  }
}

private func place(of device: UInt64, in devices: [UInt64]) -> Int? {
  let place = devices.firstPlace { $0 >= device }
  return place < devices.count && devices[place] == device ? place : nil
}
