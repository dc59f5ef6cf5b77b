import Foundation
import Ingest
import Lifecycle
import Store

/// Sixty phones that check every eight hours and say nothing else; one more runs 2.0.0 in each hour.
final class PolledFleet {
  static let published = "2025-06-20T00:00:00Z"
  static let end = "2025-06-24T00:00:00Z"
  let path = NSTemporaryDirectory() + "uptake-polled-\(UUID().uuidString).db"

  init() throws {
    let start = try Timestamp(rfc3339: Self.published)
    let lines = (0..<60).flatMap { device in
      stride(from: device % 8 - 24, to: 90, by: 8).map { hour in
        let release = hour >= device ? "2.0.0" : "1.0.0"
        let at = (start + .hours(Int64(hour))).rfc3339
        return #"{"device":"d\#(device)","stage":"check","release":"\#(release)","platform":"ios","at":"\#(at)"}"#
      }
    }
    let log = try EventLog(path: path)
    let decoded = NativeDecoder(keys: log.identityKeys).decode(
      Array(lines.joined(separator: "\n").utf8).span.bytes, as: .ndjson,
      .file(app: "com.example.polled", now: try Timestamp(rfc3339: Self.end)))
    _ = try log.append([decoded.batch])
    _ = try log.foldAll()
    try Registry(path: path).publish(
      Publication(
        app: "com.example.polled", release: ReleaseLabel(rawValue: "2.0.0"), channel: "production", publishedAt: start),
      now: start)
  }
  deinit { try? FileManager.default.removeItem(atPath: path) }
}
