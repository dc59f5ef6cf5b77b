import Foundation
import Lifecycle
import Query
import Simulate
import Store
import Testing

/// What is said of each shipped scenario at every hour while it goes on, beside what is known to be the matter with its
/// releases.
struct VerdictTableTests {
  private static let table = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "Recorded/verdicts.txt")
  private static let headline =
    "A line wherever the verdict, or what its reasons are about, is another than at the hour before."

  /// `RECORD=1` writes the table and fails once.
  @Test func verdictsAreAsRecorded() async throws {
    let parts = try await withThrowingTaskGroup(of: (Int, String).self) { group in
      for (place, scenario) in BuiltInScenario.ordinary.enumerated() {
        group.addTask { (place, try VerdictStory(scenario).lines().joined(separator: "\n")) }
      }
      return try await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
    }
    let text = ([Self.headline] + parts.sorted { $0.key < $1.key }.map(\.value)).joined(separator: "\n\n") + "\n"
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
}

/// A scenario's fleet, asked hour by hour.
private struct VerdictStory {
  let scenario: Scenario
  let path: String
  /// After publications: four days where the verdict on the newest release is the point.
  let followed: Int64
  private let isJudged: Bool
  /// So many hours are asked about in one scan.
  private static let atOnce = 24

  init(_ shipped: BuiltInScenario) throws {
    var scenario = try Scenario(parsing: shipped.text, file: shipped.name)
    (scenario.devices, followed) = Self.size(shipped.name)
    self.scenario = scenario
    isJudged = BuiltInScenario.judgedRollouts.contains { $0.name == shipped.name }
    path = try SimulatedFleet(scenario, "verdicts-\(shipped.name)").path
  }

  /// As few as tell the scenarios apart. Below two hundred settled first attempts nothing is called healthy.
  private static func size(_ name: String) -> (devices: Int, hours: Int64) {
    switch name {
    case "healthy": (600, 96)
    case "demo": (150, 12)
    case "bad-release": (600, 36)
    case _ where BuiltInScenario.judgedRollouts.contains { $0.name == name }: (450, 96)
    default: (200, 24)
    }
  }

  func lines() throws -> [String] {
    let hours = hours
    var (said, changes, asked): ([String: String], [String], Int) = ([:], [], 0)
    for part in stride(from: 0, to: hours.count, by: Self.atOnce).map({ hours[$0..<min($0 + Self.atOnce, hours.count)] }
    ) {
      for (at, rows) in try verdicts(Array(part)) {
        for row in rows {
          asked += 1
          if said.updateValue(row.story, forKey: row.channel) != row.story { changes.append(row.line(at)) }
        }
      }
    }
    let publications = isJudged ? "the last publication" : "each publication"
    return [
      "\(scenario.name): \(scenario.about)",
      "  \(scenario.devices) devices, asked at every hour until \(followed) h after \(publications): \(hours.count) hours, \(asked) verdicts",
    ] + changes
  }

  private var hours: [Timestamp] {
    let starts = Set(scenario.releases.flatMap(\.publications).map { scenario.start + $0.at }).sorted()
    let hours = starts.suffix(isJudged ? 1 : starts.count).flatMap { start in (1...followed).map { start + .hours($0) }
    }
    return Set(hours).filter { $0 <= scenario.until }.sorted()
  }

  private func verdicts(_ hours: [Timestamp]) throws -> [(Timestamp, [Verdict])] {
    let snapshot = try Snapshot(path: path)
    let questions = try hours.map { at in
      try Verdict.Question(snapshot.vocabulary, FleetScope(snapshot.vocabulary, app: nil, now: at))
    }
    let ledger = Ledger()
    try snapshot.count(questions.map(\.counts), into: ledger)
    return try zip(hours, questions).map { ($0, try snapshot.ask($1, ledger).data) }
  }
}

extension Verdict {
  /// What is decided, for which release, and what about: figures alone are no change.
  fileprivate var story: String {
    "\(release) \(decision) " + reasons.map { "\($0.subject) \($0.condition)" }.joined(separator: " ")
  }

  fileprivate func line(_ at: Timestamp) -> String {
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(0, width - text.count))
    }
    return
      "  \(at.rfc3339.prefix(16))  \(padded(channel, 10)) \(padded(release, 7)) \(padded(decision.words, 6))"
      + " \(padded(condition.words, 15)) \(reasons[0].sentence)"
  }
}
