import Foundation
import Lifecycle
import Query
import Store
import Testing

/// Every file in Scenarios/: each question is asked of the events as written, and again of the same events turned
/// around, repeated, in batches, half of them not folded, the publications registered last. Both must answer the same
/// bytes, and what the file says.
@Suite struct ScenarioTests {
  static let files: [String] = {
    let folder = Bundle.module.url(forResource: "Scenarios", withExtension: nil)?.path ?? ""
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".scenario") }.sorted()
  }()

  @Test func areThere() { #expect(!Self.files.isEmpty) }

  @Test(arguments: files) func holds(_ file: String) throws {
    let folder = try #require(Bundle.module.url(forResource: "Scenarios", withExtension: nil))
    let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
    do {
      let scenario = try Scenario(text, file: file)
      let fleets = [try scenario.fleet(), try scenario.fleetTurnedAround()]
      for ask in scenario.asks { try check(ask, scenario, fleets) }
    } catch let problem as ScenarioProblem {
      record(problem)
    }
  }

  private func check(_ ask: Scenario.Ask, _ scenario: Scenario, _ fleets: [Fleet]) throws {
    let results = try fleets.map { try scenario.answer(ask, $0) }
    if results[0] != results[1] {
      record(ask.line.problem("the answer depends on the order in which events arrive"))
    }
    for expectation in ask.expectations {
      guard let mismatch = try results[0].mismatch(expectation) else { continue }
      record(expectation.line.problem("\(expectation.line.text)  — but \(mismatch)"))
    }
    if case .refused(let code, let message) = results[0], !ask.expectations.contains(where: \.isRefusal) {
      record(ask.line.problem("refused with \(code): \(message)"))
    }
  }

  private func record(_ problem: ScenarioProblem) {
    let path = #filePath.replacing("Runner/ScenarioTests.swift", with: "Scenarios/" + problem.file)
    Issue.record(
      "\(problem)",
      sourceLocation: SourceLocation(
        fileID: "QueryTests/" + problem.file, filePath: path, line: problem.line, column: 1))
  }
}

extension Scenario {
  func fleet() throws -> Fleet {
    let fleet = try Fleet()
    try fleet.publish(publications)
    if !events.isEmpty { try fleet.load(events.joined(separator: "\n"), app: nil) }
    return fleet
  }

  /// The last event first, some of them twice, and folded in between: in sevens, or in forty loads where that were more.
  func fleetTurnedAround() throws -> Fleet {
    let fleet = try Fleet()
    let reversed = Array(events.reversed())
    let size = max(7, (reversed.count + 39) / 40)
    for start in stride(from: 0, to: reversed.count, by: size) {
      let batch = reversed[start..<min(start + size, reversed.count)]
      try fleet.load((batch + batch.prefix(3)).joined(separator: "\n"), fold: start < reversed.count / 2, app: nil)
    }
    try fleet.publish(publications.reversed())
    return fleet
  }
}

extension Scenario.Expectation {
  var isRefusal: Bool {
    if case .refuses = kind { true } else { false }
  }
}
