import Foundation
import Testing

/// A database made through the program: events imported, publications registered.
final class QuestionsFleet: Sendable {
  let database: String
  let now: String

  /// - Parameter publications: what follows `uptake release publish`.
  init(_ events: String, publications: [[String]], now: String) throws {
    try FileManager.default.createDirectory(atPath: fixtures, withIntermediateDirectories: true)
    database = fixtures + "/" + UUID().uuidString + ".db"
    self.now = now
    let stored = try Binary.start(
      Binary.path, ["import", "-", "--db", database, "--now", now], input: events)
    try #require(stored.status == 0, "\(stored.errors)")
    for words in publications {
      let published = try Binary.start(Binary.path, ["release", "publish", "--db", database] + words)
      try #require(published.status == 0, "\(published.errors)")
    }
  }

  func ask(_ words: String...) throws -> Binary.Result { try ask(words) }
  func ask(_ words: [String]) throws -> Binary.Result {
    try Binary.start(Binary.path, words + ["--db", database, "--now", now])
  }

  /// The document that the question prints; it must have been answered.
  func json(_ words: String...) throws -> [String: Any] {
    let result = try ask(words + ["--format", "json"])
    try #require([0, 3, 4].contains(result.status) && !result.output.isEmpty, "\(words): \(result.errors)")
    return try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
  }

  /// Public survival data as lifecycle events: an hour of the rollout is a day of the trial.
  static let lung = Result {
    let places = ["beta", "production"].flatMap { channel in ["android", "ios"].map { (channel, $0) } }
    return try QuestionsFleet(
      String(contentsOf: reference("lung.events.ndjson"), encoding: .utf8),
      publications: places.map { channel, platform in
        [
          "2.0.0", "--app", "com.example.demo", "--channel", channel, "--platform", platform, "--at",
          "2024-03-04T08:00:00Z", "--rollout", "100%@0h",
        ]
      }, now: "2024-04-15T22:00:00Z")
  }

  /// A month of a few phones with pushes, wake-ups and several releases.
  static let simulated = Result {
    let folder = fixtures + "/simulated"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let made = try Binary.run(
      "simulate", "--devices", "80", "--out", folder + "/events.ndjson", "--publications", folder + "/publications.json"
    )
    try #require(made.status == 0, "\(made.errors)")
    return try QuestionsFleet(
      String(contentsOfFile: folder + "/events.ndjson", encoding: .utf8),
      publications: [["--from", folder + "/publications.json"]], now: "2025-06-30T00:00:00Z")
  }

  static func reference(_ name: String) -> URL { repository.appending(path: "Tests/QueryTests/Reference/" + name) }
}

/// The root of the sources that the tests were built from.
let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

/// Databases of this run; removed as it ends.
private let fixtures: String = {
  atexit { try? FileManager.default.removeItem(atPath: folder) }
  return folder
}()
private let folder = NSTemporaryDirectory() + "uptake-questions-\(ProcessInfo.processInfo.processIdentifier)"

/// Steps through a JSON document: `at(answer, "data", 0, "events")`.
func at(_ json: Any?, _ path: Any...) -> Any? {
  path.reduce(json) { value, step in
    switch step {
    case let name as String: (value as? [String: Any])?[name]
    case let index as Int: (value as? [Any]).flatMap { $0.indices.contains(index) ? $0[index] : nil }
    default: nil
    }
  }
}
