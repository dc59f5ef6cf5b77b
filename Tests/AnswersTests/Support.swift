import Foundation
import Ingest
import Lifecycle
import Store

extension IdentityKeys {
  func device(of app: String, _ id: String) -> DeviceHash { device(app: app, id: id) }
}

/// A database in a folder of its own, with some phones that updated.
final class Database: Sendable {
  let folder = NSTemporaryDirectory() + "uptake-answers-" + UUID().uuidString
  var path: String { folder + "/x.db" }

  /// - Parameter app: of lines that name none; nil where each names its own.
  init(_ lines: String = Database.phones, app: String? = "a") throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let log = try EventLog(path: path)
    let decoded = NativeDecoder(keys: log.identityKeys).decode(
      Array(lines.utf8).span.bytes, as: .ndjson, .file(app: app, now: Timestamp(rawValue: 1_800_000_000_000)))
    _ = try log.append([decoded.batch])
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  static let phones = (0..<40).map { number in
    let (day, stage) = (number % 2 == 0 ? "01" : "02", number % 4 == 0 ? "failed" : "applied")
    return """
      {"device":"d\(number)","stage":"check","release":"1.0","at":"2025-02-28T00:00:00Z"}
      {"device":"d\(number)","stage":"\(stage)","release":"2.0","at":"2025-03-\(day)T0\(number % 10):00:00Z"}
      {"device":"d\(number)","stage":"check","release":"2.0","at":"2025-03-03T00:00:00Z"}
      """
  }.joined(separator: "\n")
}
