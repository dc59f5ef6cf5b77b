import Lifecycle

@testable import Store

/// The bytes of all shards, table by table; those of devices as they are once all their runs are settled.
func packed(_ path: String) throws -> [String: [String]] {
  let connection = try Connection(path: path, mode: .read)
  func rows(_ select: StaticString, _ columns: Int32) throws -> [String] {
    try connection.prepare(select).rows { row in (0..<columns).map { row.text($0) }.joined(separator: " ") }
  }
  let shards = try StoredShards(connection)
  let devices = try connection.prepare("SELECT DISTINCT app, shard FROM device ORDER BY 1, 2").rows { row in
    DevicePlace(shard: Int(row.integer(1)), app: row.integer(0))
  }.flatMap { place in
    try shards.devices(place).packed.map { "\(place.app) \(place.shard) \($0.part) \($0.bytes)" }
  }
  return [
    "journey": try rows("SELECT release, channel, shard, part, hex(packed) FROM journey ORDER BY 1, 2, 3, 4", 5),
    "device": devices,
    "wake": try rows("SELECT app, shard, week, part, hex(packed) FROM wake ORDER BY 1, 2, 3, 4", 5),
    "trail": try rows("SELECT shard, era, part, hex(packed) FROM trail ORDER BY 1, 2, 3", 4),
    "sighting": try rows("SELECT * FROM sighting ORDER BY 1, 2, 3", 5),
    "lag": try rows("SELECT * FROM lag ORDER BY 1, 2, 3", 4),
  ]
}

/// What pages tell of each device, by its outline and by its runs.
///
/// - Parameter last: the number of the last event that is looked at; nil for all.
func outlines(_ path: String, upTo last: Int64? = nil) throws -> [String] {
  let snapshot = try Snapshot(path: path)
  return try snapshot.vocabulary.apps.flatMap { app in
    var need = Need(app: app, .everybody, devices: .buckets)
    need.last = last
    return try snapshot.scan(need, start: { [String]() }) { lines, page in
      let (devices, runs) = (page.devices, try page.runs())
      for (index, device) in devices.devices.enumerated() {
        let spans = devices.spanOffsets[index]..<devices.spanOffsets[index + 1]
        let sightings = devices.profileOffsets[index]..<devices.profileOffsets[index + 1]
        lines.append(
          "\(device) \(devices.channels[index]) \(devices.spanStarts[spans]) \(devices.spanEnds[spans]) "
            + "\(devices.births[index]) \(devices.birthTimes[index]) \(devices.running[index]) "
            + "\(devices.profiles[sightings]) \(devices.profileTimes[sightings]) \(devices.bucket(index) ?? 255) "
            + "\(page.platforms[index]) \(page.emulators[index]) "
            + runs.range(index).map { "\(runs.kind($0)) \(runs.starts[$0])…\(runs.ends[$0])" }.joined(separator: ", "))
      }
    }.joined()
  }.sorted()
}
