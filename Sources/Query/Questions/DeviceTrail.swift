import Lifecycle
import Store

/// One device with everything that is packed about it.
struct DeviceTrail {
  let device: UInt64
  let history: ParsedRequest
  let journeys: [TrailJourney]
  let facts: [WakeFact]

  /// What bounds its life, as far as it spoke.
  struct ParsedRequest {
    var firstContact: Timestamp?
    var lastContact: Timestamp?
    /// The newest contact where it lies ahead of now.
    var ahead: Timestamp?
    var platform: String?
    var appVersion: String?
    var channel: Int64?
    /// The release that it runs; nil where it never said.
    var running: Int64?
    /// As any of its events says.
    var isEmulator = false
  }
}

/// The device's journey on one release and channel.
struct TrailJourney {
  let release: Int64
  let channel: Int64
  let row: JourneyRow
  private let shard: JourneyShard
  private let index: Int

  /// nil where the device has none.
  init?(_ journeys: Snapshot.Journeys, of device: UInt64) {
    guard let index = journeys.shard.devices.index(ofDevice: device) else { return nil }
    (release, channel, shard, self.index) = (journeys.release, journeys.channel, journeys.shard, index)
    row = JourneyTable(journeys.shard, until: .max).row(index, isStaged: true)
  }

  func first(_ milestone: Milestone) -> FirstTime { shard.first(milestone, index) }
  /// Of the first failure, a number of `name`.
  var failureReason: Int64? { shard.failureReason(index) }
}

extension Snapshot {
  /// nil for a device that nobody heard of.
  func view(of device: DeviceHash, app: String, until now: Timestamp) throws -> DeviceTrail? {
    guard let page = try page(of: device, app: app) else { return nil }
    let known = page.devices.devices.index(ofDevice: device.rawValue)
    let facts = page.facts.filter { $0.at <= now }
    guard known != nil || !facts.isEmpty else { return nil }
    return DeviceTrail(
      device: device.rawValue, history: known.map { heard(page, $0, until: now) } ?? .init(),
      journeys: page.journeys.compactMap { TrailJourney($0, of: device.rawValue) }, facts: facts)
  }

  private func heard(_ page: TrailPage, _ index: Int, until now: Timestamp) -> DeviceTrail.ParsedRequest {
    let (runs, profiles) = (page.runs, ProfileTable(vocabulary))
    let heard = runs.range(index).filter { runs.starts[$0] <= now.rawValue }
    let latest = heard.max { one, other in
      (runs.ends[one], runs.starts[one], runs.kind(one).channel)
        < (runs.ends[other], runs.starts[other], runs.kind(other).channel)
    }
    let newest = runs.newest(index, until: .max).map(Timestamp.init(rawValue:))
    return DeviceTrail.ParsedRequest(
      firstContact: heard.map { runs.starts[$0] }.min().map(Timestamp.init(rawValue:)),
      lastContact: runs.newest(index, until: now.rawValue).map(Timestamp.init(rawValue:)),
      ahead: newest.flatMap { $0 > now ? $0 : nil },
      platform: profiles.platforms[profiles.platform(page.devices, index)],
      appVersion: profiles.versions[profiles.version(page.devices, index, at: now.rawValue)],
      channel: latest.map { runs.kind($0).channel }, running: Self.running(runs, index, at: now),
      isEmulator: profiles.isEmulator(page.devices, index))
  }

  private static func running(_ runs: RunColumns, _ index: Int, at now: Timestamp) -> Int64? {
    var sweep = ReachSweep()
    sweep.begin(runs)
    sweep.load(index, until: now.rawValue)
    let release = sweep.release(at: now.rawValue)
    return release == 0 ? nil : release
  }
}
