import Foundation
import Ingest
import Lifecycle
import Store

/// Sixty phones that check every eight hours and say nothing else; one more runs 2.0.0 in each hour. Another release may follow after four
/// days, in the same way.
final class PolledFleet {
  static let published = "2025-06-20T00:00:00Z"
  static let end = "2025-06-24T00:00:00Z"
  let path = NSTemporaryDirectory() + "uptake-polled-\(UUID().uuidString).db"

  static let endOfBoth = "2025-06-28T00:00:00Z"

  init(hasNext: Bool = false) throws {
    let start = try Timestamp(rfc3339: Self.published)
    let lines = (0..<60).flatMap { device in
      stride(from: device % 8 - 24, to: hasNext ? 186 : 90, by: 8).map { hour in
        let release = hour >= device + 96 ? "3.0.0" : hour >= device ? "2.0.0" : "1.0.0"
        let at = (start + .hours(Int64(hour))).rfc3339
        return #"{"device":"d\#(device)","stage":"check","release":"\#(release)","platform":"ios","at":"\#(at)"}"#
      }
    }
    let log = try EventLog(path: path)
    let decoded = NativeDecoder(keys: log.identityKeys).decode(
      Array(lines.joined(separator: "\n").utf8).span.bytes, as: .ndjson,
      .file(app: "com.example.polled", now: try Timestamp(rfc3339: Self.endOfBoth)))
    _ = try log.append([decoded.batch])
    _ = try log.foldAll()
    for (label, hours) in [("2.0.0", 0), ("3.0.0", 96)].prefix(hasNext ? 2 : 1) {
      try Registry(path: path).publish(
        Publication(
          app: "com.example.polled", release: ReleaseLabel(rawValue: label), channel: "production",
          publishedAt: start + .hours(Int64(hours))), now: start)
    }
  }
  deinit { try? FileManager.default.removeItem(atPath: path) }
}
