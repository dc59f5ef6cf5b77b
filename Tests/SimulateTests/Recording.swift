import Foundation
import Lifecycle

@testable import Simulate

/// One line that a fleet sent, read back with somebody else's JSON reader.
struct Line {
  let fields: [String: Any]
  let received: Timestamp

  subscript(_ name: String) -> String? { fields[name] as? String }
  var device: String { self["device"] ?? "" }
  var stage: String { self["stage"] ?? "" }
  var trigger: String? { self["trigger"] }
  var release: String? { self["release"] }
  var platform: String? { self["platform"] }
  var at: Timestamp {
    if let text = self["at"] { return (try? Timestamp(rfc3339: text)) ?? Timestamp(rawValue: 0) }
    return Timestamp(rawValue: (fields["at"] as? NSNumber)?.int64Value ?? 0)
  }
}

struct Recording {
  var lines: [Line] = []
  var truth: Truth?
  var bytes: [UInt8] = []
  var requests: [Request] = []

  init(_ scenario: Scenario, seed: UInt64 = 1, slice: Milliseconds = .hours(6), reading: Bool = true) throws {
    var (lines, bytes, requests) = ([Line](), [UInt8](), [Request]())
    truth = try Fleet(scenario, seed: seed, slice: slice).run { request in
      bytes += request.body
      requests.append(request)
      guard reading else { return }
      for line in request.body.split(separator: UInt8(ascii: "\n")) {
        let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
        lines.append(Line(fields: object ?? [:], received: request.received))
      }
    }
    (self.lines, self.bytes, self.requests) = (lines, bytes, requests)
  }

  /// One fleet for all tests that only look. Never written to once it is made, which the compiler cannot see in `Any`.
  nonisolated(unsafe) static let criticalFix = Result {
    try Recording(try Scenario.small("critical-fix-with-push", devices: 200))
  }

  var byDevice: [String: [Line]] {
    Dictionary(grouping: lines, by: \.device).mapValues { $0.sorted { $0.at < $1.at } }
  }
}

extension Scenario {
  /// A built-in scenario with few devices.
  static func small(_ name: String, devices: Int = 250) throws -> Scenario {
    let builtIn = BuiltInScenario.all.first { $0.name == name }
    var scenario = try builtIn.map { try Scenario(parsing: $0.text, file: name) } ?? Scenario()
    scenario.devices = devices
    return scenario
  }

  /// Every event arrives, once, with a right clock.
  mutating func makePerfect() {
    transport = Transport(duplicates: 0, retries: 0, loss: 0, offline: 0, wrongClocks: 0, queue: 100_000)
    habits.emulators = 0
  }
}
