import Foundation
import Lifecycle
import Query
import Simulate
import Store
import Testing

/// What is said of each shipped scenario while it goes on, beside what is known to be the matter with its releases.
struct VerdictTableTests {
  private static let table = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "Recorded/verdicts.txt")
  /// Hours after a publication; many where the verdict on the newest release is the point.
  private static func ages(_ scenario: Scenario, _ start: Timestamp) -> [Int64] {
    isJudged(scenario.name) && start > scenario.start + .days(3)
      ? [1, 2, 3, 4, 6, 9, 12, 18, 24, 30, 36, 48, 60, 72, 96] : [6, 24, 72]
  }

  /// `RECORD=1` writes the table and fails once.
  @Test func verdictsAreAsRecorded() async throws {
    let parts = try await withThrowingTaskGroup(of: (Int, String).self) { group in
      for (place, scenario) in BuiltInScenario.ordinary.enumerated() {
        group.addTask { (place, try Self.lines(scenario).joined(separator: "\n")) }
      }
      return try await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
    }
    let text = parts.sorted { $0.key < $1.key }.map(\.value).joined(separator: "\n\n") + "\n"
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try FileManager.default.createDirectory(
        at: Self.table.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: Self.table)
      Issue.record("recorded \(Self.table.lastPathComponent); look at it, then run again without RECORD")
      return
    }
    let known = (try? String(contentsOf: Self.table, encoding: .utf8)) ?? ""
    let changed = zip(known.split(separator: "\n"), text.split(separator: "\n")).filter { $0 != $1 }
    #expect(known == text, "\(changed.prefix(3).map { "\($0)\n→ \($1)" }.joined(separator: "\n"))")
  }

  private static func isJudged(_ name: String) -> Bool {
    ["healthy", "healthy-but-slow", "stalls", "crashes-on", "rolls-back-late"].contains(name)
  }

  private static func lines(_ shipped: BuiltInScenario) throws -> [String] {
    var scenario = try Scenario(parsing: shipped.text, file: shipped.name)
    scenario.devices = isJudged(shipped.name) ? 1200 : shipped.name == "bad-release" ? 2000 : 500
    let fleet = try SimulatedFleet(scenario, "verdicts-\(shipped.name)")
    let snapshot = try Snapshot(path: fleet.path)
    var lines = ["\(shipped.name): \(scenario.devices) devices. \(scenario.about)"]
    for (at, age) in instants(scenario) {
      let scope = try FleetScope(snapshot.vocabulary, app: nil, now: at)
      lines += try Verdict.answer(snapshot, scope).data.map { line($0, age, at) }
    }
    return lines
  }

  private static func instants(_ scenario: Scenario) -> [(at: Timestamp, age: Int64)] {
    let starts = Set(scenario.releases.flatMap(\.publications).map { scenario.start + $0.at }).sorted()
    return starts.enumerated().flatMap { place, start in
      let end = place + 1 < starts.count ? starts[place + 1] : scenario.until
      return ages(scenario, start).map { (start + .hours($0), $0) }.filter { $0.0 < end }
    }
  }

  private static func line(_ row: Verdict, _ age: Int64, _ at: Timestamp) -> String {
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(0, width - text.count))
    }
    return
      "  \(at.rfc3339.prefix(16))  \(padded(row.channel, 10)) \(padded(row.release, 7)) \(padded(row.decision.words, 6))"
      + " \(padded(row.condition.words, 15)) \(row.reasons[0].sentence)"
  }
}
