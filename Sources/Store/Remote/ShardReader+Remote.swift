import Lifecycle
import Synchronization

extension ShardReader {
  /// Fills the room with the shard as another engine knows it. Threads need not take turns for that.
  func fetch(_ shard: Int, from remote: any RemoteDatabase, into room: inout ShardRoom) throws(StoreError) {
    defer { RemoteReading.fetched.add(1, ordering: .relaxed) }
    let range = DeviceRange(app: app, shard: shard)
    room.devices.fill(DeviceShard(try remote.devices(range)).packed)
    try fetchWeeks(range, remote, into: &room)
    let pushed = need.onlyPushedReleases ? pushedReleases(shard, room) : nil
    let wanted = Set(journeys.map(\.release)).filter { pushed?.contains($0) ?? true }
    let found = wanted.isEmpty ? RemoteJourneys() : try remote.journeys(range, on: wanted.sorted())
    for index in journeys.indices {
      let place = RemoteJourneys.Place(release: journeys[index].release, channel: journeys[index].channel)
      room.journeys[index].isRead = wanted.contains(place.release)
      let shard = JourneyShard(found, place) { [ranks] in ranks[$0] ?? .max }
      room.journeys[index].parts.fill(shard.devices.isEmpty ? [] : shard.packed)
    }
  }

  private func fetchWeeks(
    _ range: DeviceRange, _ remote: any RemoteDatabase, into room: inout ShardRoom
  ) throws(StoreError) {
    room.firstWhole = 0
    guard !weeks.isEmpty else { return }
    let wakes = try remote.wakes(range, in: weeks)
    for (index, week) in weeks.enumerated() { room.weeks[index].fill(WakeShard(wakes, week: week).packed) }
  }
}

extension Snapshot {
  /// What another engine knows of one device, as the page that a file's shard gives.
  func page(of device: DeviceHash, app: Int64, _ remote: any RemoteDatabase) throws(StoreError) -> TrailPage {
    let range = DeviceRange(app: app, hashes: device.rawValue...device.rawValue)
    let devices = DeviceShard(try remote.devices(range))
    let places = try remote.journeyPlaces(app)
    let found = try remote.journeys(range, on: Set(places.map(\.release)).sorted())
    let journeys = places.map { place in
      Journeys(
        release: place.release, channel: place.channel,
        shard: JourneyShard(found, place) { [nameRanks] in nameRanks[$0] ?? .max })
    }
    let weeks = try remote.weeks(app).sorted()
    let wakes = try remote.wakes(range, in: weeks)
    return TrailPage(
      facts: weeks.flatMap { WakeShard(wakes, week: $0).facts(of: device.rawValue) },
      devices: devices.completeOutlines, runs: RunColumns(devices, nameOrder),
      journeys: journeys.filter { !$0.shard.devices.isEmpty }
        .sorted { ($0.release, $0.channel) < ($1.release, $1.channel) })
  }
}
