import Foundation
import Lifecycle
import Statistics
import Store
import Testing

@testable import Query

/// A first step is not the fleet: `compare` goes by the same ages as the verdict does.
@Suite struct FirstStepComparedTests {
  @Test func limitsOfFewAreNone() throws {
    let folder = try #require(Bundle.module.url(forResource: "Scenarios", withExtension: nil))
    let name = "a-first-step-is-not-the-fleet.scenario"
    let scenario = try Scenario(
      String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8), file: name)
    let (fleet, now) = (try scenario.fleet(), scenario.epoch + .hours(12))
    let snapshot = try Snapshot(path: fleet.path)
    let chosen = try fleet.chosen("2.0.0", now: now)
    var options = Compare.Options()
    options.ages = [.hours(1), .hours(12)]
    let row = try #require(
      try Compare.answer(snapshot, chosen, with: fleet.chosen("1.5.0", now: now).target, options).data.first)
    let (first, last) = (try #require(row.ages.first), try #require(row.ages.last))
    #expect(first.difference.lo != nil && !first.isOfFew, "\(first)")
    #expect(last.isOfFew && (last.difference.value ?? 0) < -0.1 && last.difference.lo == nil, "\(last)")
    #expect(last.relevance == .undecided && row.verdict != .behind, "\(row.verdict)")
    #expect(MaxDrop(0.02).judge(last.difference) == .cannotBeJudged(.tooFew))
  }
}
