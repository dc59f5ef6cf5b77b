import Foundation
import Ingest
import Lifecycle
import Query
import Testing

@testable import Store

/// A database in a directory of its own, loaded through the door that `uptake import` uses.
final class Fleet {
  let directory: String
  var path: String { directory + "/fleet.db" }

  /// More than any fleet here has events; that of a service takes longer to fill than most fleets to load.
  private static let window = 1 << 18

  init() throws {
    directory = NSTemporaryDirectory() + "uptake-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    _ = try EventLog(path: path, window: Self.window)
    try takeKnownKeys()
  }

  /// Which devices a random part holds is the same at each run.
  private func takeKnownKeys() throws {
    let connection = try Connection(path: path, mode: .write)
    let keys = (0..<32).map { UInt8($0) }
    try connection.prepare("UPDATE meta SET value = ? WHERE key = 'identity_keys'").run(.blob(keys))
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  /// Stores NDJSON lines; every one must be taken.
  func load(_ lines: String, fold: Bool = true, app: String? = "com.example.demo") throws {
    let log = try EventLog(path: path, window: Self.window)
    let bytes = Array(lines.utf8)
    let decoded = NativeDecoder(keys: log.identityKeys).decode(
      bytes.span.bytes, as: .ndjson, .file(app: app, now: Timestamp(rawValue: 1_800_000_000_000)))
    #expect(decoded.rejections == [])
    _ = try log.append([decoded.batch])
    if fold { try Folder(path: path).foldAll() }
  }

  func publish(_ publications: [Publication]) throws {
    let registry = try Registry(path: path)
    for publication in publications { try registry.publish(publication, now: publication.publishedAt) }
  }

  func chosen(_ release: String, now: Timestamp, _ change: (inout Selection) -> Void = { _ in }) throws -> ReleaseScope
  {
    let snapshot = try Snapshot(path: path)
    var chosen = try ReleaseScope(snapshot.vocabulary, app: nil, release: ReleaseLabel(rawValue: release), now: now)
    change(&chosen.selection)
    return chosen
  }

  func timeToUpdate(_ chosen: ReleaseScope, _ options: TimeToUpdate.Options = .init()) throws
    -> Query.Answer<TimeToUpdate>
  {
    try TimeToUpdate.answer(try Snapshot(path: path), chosen, options)
  }
}

/// A file of the Reference folder.
func reference(_ name: String) throws -> Data {
  let folder = try #require(Bundle.module.url(forResource: "Reference", withExtension: nil))
  return try Data(contentsOf: folder.appendingPathComponent(name))
}

func referenceText(_ name: String) throws -> String { String(decoding: try reference(name), as: UTF8.self) }

/// What a `.releases.json` registers.
struct ReferenceReleases: Decodable {
  struct Release: Decodable {
    struct Step: Decodable {
      var at: String
      var percent: Double
    }
    var release: String
    var app: String
    var channel: String
    var platform: String
    var published: String
    var rollout: [Step]
    var mandatory: Bool
  }
  var t0: String
  var cutoff: String
  var releases: [Release]
  var buckets: [String: Int]?

  init(_ name: String) throws { self = try JSONDecoder().decode(Self.self, from: reference(name)) }

  var publications: [Publication] {
    get throws {
      try releases.map { row in
        Publication(
          app: row.app, release: ReleaseLabel(rawValue: row.release), channel: row.channel, platform: row.platform,
          publishedAt: try Timestamp(rfc3339: row.published),
          rollout: try row.rollout.map { RolloutStep(at: try Timestamp(rfc3339: $0.at), percent: $0.percent) },
          mandatory: row.mandatory)
      }
    }
  }
}

/// JSON as plain values, for reading what R wrote.
func json(_ name: String) throws -> [String: Any] {
  try #require(try JSONSerialization.jsonObject(with: reference(name)) as? [String: Any])
}

extension [String: Any] {
  func object(_ path: String...) -> [String: Any] {
    path.reduce(self) { $0[$1] as? [String: Any] ?? [:] }
  }
  func numbers(_ key: String) -> [Double?] { (self[key] as? [Any])?.map { ($0 as? NSNumber)?.doubleValue } ?? [] }
}

extension IdentityKeys {
  /// The hash that stands for a push: that of an event about it.
  func push(app: String, id: String) -> UInt64 {
    var draft = Draft(.pushSent, device: "d", release: "1")
    (draft.app, draft.push) = (app, id)
    let reception = Reception.request(app: nil, received: Timestamp(rawValue: 1_709_553_600_000))
    return NativeDecoder(keys: self).decode([draft], reception).batch.events.first?.push ?? 0
  }
}
