import Foundation
import Testing

/// A folder of its own, gone with the test.
final class TemporaryFolder {
  let path = NSTemporaryDirectory() + "uptake-server-" + UUID().uuidString

  init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
  }
}
