import Lifecycle

@testable import Store

/// The bytes of all shards, table by table.
func packed(_ path: String) throws -> [String: [String]] {
  let connection = try Connection(path: path, mode: .read)
  func rows(_ select: StaticString, _ columns: Int32) throws -> [String] {
    try connection.prepare(select).rows { row in (0..<columns).map { row.text($0) }.joined(separator: " ") }
  }
  return [
    "journey": try rows("SELECT release, channel, shard, part, hex(packed) FROM journey ORDER BY 1, 2, 3, 4", 5),
    "device": try rows("SELECT app, shard, part, hex(packed) FROM device ORDER BY 1, 2, 3", 4),
    "wake": try rows("SELECT app, shard, week, part, hex(packed) FROM wake ORDER BY 1, 2, 3, 4", 5),
    "trail": try rows("SELECT shard, era, part, hex(packed) FROM trail ORDER BY 1, 2, 3", 4),
    "sighting": try rows("SELECT * FROM sighting ORDER BY 1, 2, 3", 5),
    "lag": try rows("SELECT * FROM lag ORDER BY 1, 2, 3", 4),
  ]
}

/// What pages tell of each device, by its outline and by its runs.
func outlines(_ path: String) throws -> [String] {
  let snapshot = try Snapshot(path: path)
  return try snapshot.vocabulary.apps.flatMap { app in
    try snapshot.scan(Need(app: app, devices: .buckets), start: { [String]() }) { lines, page in
      let devices = page.devices
      for (index, device) in devices.devices.enumerated() {
        let spans = devices.spanOffsets[index]..<devices.spanOffsets[index + 1]
        let sightings = devices.profileOffsets[index]..<devices.profileOffsets[index + 1]
        lines.append(
          "\(device) \(devices.channels[index]) \(devices.spanStarts[spans]) \(devices.spanEnds[spans]) "
            + "\(devices.births[index]) \(devices.birthTimes[index]) \(devices.running[index]) "
            + "\(devices.profiles[sightings]) \(devices.profileTimes[sightings]) \(devices.bucket(index) ?? 255) "
            + "\(page.platforms[index]) \(page.emulators[index])")
      }
    }.joined()
  }.sorted()
}
