import Foundation
import Lifecycle
import Testing

@testable import Store

/// A directory that goes when the test ends.
final class Scratch {
  let path: String
  init() throws {
    path = NSTemporaryDirectory() + "uptake-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }
  deinit { try? FileManager.default.removeItem(atPath: path) }
  var database: String { path + "/test.db" }
}

/// What tests of a registry begin with: an empty database of their own.
class RegistryTests {
  let scratch: Scratch
  let registry: Registry

  init() throws {
    scratch = try Scratch()
    registry = try Registry(path: scratch.database)
  }
}

extension Registry {
  func publish(_ publication: Publication) throws { try publish(publication, now: publication.publishedAt) }
}

func batch(_ identities: [UInt64], release: String? = "2.0.0", app: String = "com.example.demo") -> EventBatch {
  var batch = EventBatch(received: Timestamp(rawValue: 1_709_540_000_500))
  batch.contexts = [Context(app: app, platform: "ios", appVersion: "1.4")]
  if let release { batch.names.append(release) }
  batch.events = identities.map {
    Event(
      at: Timestamp(rawValue: 1_709_540_000_000 + Int64($0 % 1000)),
      device: DeviceHash(rawValue: $0 &* 0x9e37_79b9_7f4a_7c15),
      identity: $0 &* 0xbf58_476d_1ce4_e5b9, context: 0, stage: .applied, trigger: .silentPush,
      release: release == nil ? .none : NameIndex(rawValue: 1))
  }
  return batch
}

func count(_ path: String, _ sql: StaticString) throws -> Int64 {
  try Connection(path: path, mode: .read).integer(sql)
}

extension Snapshot {
  /// Calls `body` with every shard of the app's devices, in device order, beside the journeys of the releases.
  func walk(app: String, releases: Set<Int64>, _ body: (DeviceShard, [Journeys]) throws -> Void) throws {
    guard let appID = appID(app) else { return }
    let stored = try StoredShards(connection)
    let (places, ranks) = (try journeyPlaces(releases, app: appID), nameRanks)
    for shard in 0..<Shards.count {
      let facts = try facts(shard)
      let devices = try devices(DevicePlace(shard: shard, app: appID), stored, facts)
      if !devices.devices.isEmpty { try body(devices, try journeys(shard, places, stored, facts, ranks)) }
    }
  }
}

extension Snapshot {
  /// The columns of a summary that are about one release.
  func summary(app: String, release: Int64, _ numbers: Range<Int64>) throws -> [SummaryPart] {
    try summary(app: app, releases: [release], numbers) ?? []
  }
}
