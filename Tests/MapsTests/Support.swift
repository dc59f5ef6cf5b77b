import Console
import Foundation
import Ingest
import Lifecycle
import Store

@testable import Maps

let noon = Timestamp(rawValue: 1_709_553_600_000)

/// A file read by a map, as `uptake import` reads it.
struct Mapped {
  var decoded: [Decoded] = []

  /// - Parameter pieces: how many bytes a file has before it is read on; nil: all at once.
  init(_ file: String, _ map: String, path: String = "map.toml", app: String? = "com.example.demo") throws {
    try self.init(Array(file.utf8), EventMap(toml: map, path: path), app: app)
  }

  init(_ file: String, shipped name: String, app: String? = "com.example.demo") throws {
    try self.init(Array(file.utf8), EventMap(name), app: app)
  }

  init(_ bytes: [UInt8], _ map: EventMap, app: String?) throws {
    let path = NSTemporaryDirectory() + "uptake-maps-\(UUID().uuidString)"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { unlink(path) }
    var options = ImportOptions(app: app, now: noon)
    options.map = map
    let keys = IdentityKeys(device: Array(0..<16), event: Array(16..<32))
    let reader = try ChunkReader(path: path, keys: keys, options: options)
    while let chunk = try reader.next() { decoded.append(chunk.decoded) }
  }

  var skipped: Int { decoded.reduce(0) { $0 + $1.skipped } }
  /// Each refusal with its line.
  var refusals: [String] {
    decoded.flatMap(\.rejections).map { "\($0.line ?? 0): \($0.message)" }
  }

  /// Each event in a line: what a reader compares.
  var events: [String] {
    decoded.flatMap { decoded in
      decoded.batch.events.map { event in
        func name(_ index: NameIndex) -> String? { index == .none ? nil : decoded.batch.names[Int(index.rawValue)] }
        let context = decoded.batch.contexts[Int(event.context)]
        var words = [event.stage.rawValue, name(event.release) ?? "-"]
        if event.trigger != .unknown { words.append(event.trigger.rawValue) }
        if let from = name(event.from) { words.append("from \(from)") }
        if let reason = name(event.reason) { words.append("because \(reason)") }
        if event.at != noon { words.append("at \(event.at.rfc3339)") }
        if context.channel != "production" { words.append("on \(context.channel)") }
        return words.joined(separator: " ")
      }
    }
  }

  var contexts: [Context] { decoded.flatMap(\.batch.contexts) }
  var devices: Int { Set(decoded.flatMap { $0.batch.events.map(\.device) }).count }
}
