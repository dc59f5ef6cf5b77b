import Foundation
import Testing

/// What is said of a release that half of its devices are never heard of again with, where all have it.
@Suite struct SilentReleaseTests {
  private static func fleet() throws -> QuestionsFleet {
    let before = (24...28).map { "2025-02-\($0)" } + (1...9).map { "2025-03-0\($0)" }
    let lines = (0..<120).flatMap { device in
      let since = device < 60 ? [] : ["2025-03-11T09:00:00Z", "2025-03-12T09:00:00Z", "2025-03-13T07:50:00Z"]
      return before.map { line(device, "check", "\($0)T09:00:00Z", "1.0.0") }
        + [line(device, "applied", "2025-03-10T10:00:00Z", "2.0.0")]
        + since.map { line(device, "check", $0, "2.0.0") }
    }
    let publications = [("1.0.0", "2025-02-20T08:00:00Z"), ("2.0.0", "2025-03-10T08:00:00Z")]
    return try QuestionsFleet(
      lines.joined(separator: "\n"), publications: publications.map { [$0, "--app", "a", "--at", $1] },
      now: "2025-03-13T08:00:00Z")
  }

  private static func line(_ device: Int, _ stage: String, _ at: String, _ release: String) -> String {
    #"{"app":"a","device":"d\#(device)","stage":"\#(stage)","at":"\#(at)","release":"\#(release)","platform":"ios"}"#
  }

  /// `failures` knows nothing of devices that say nothing.
  @Test func waitsAndLeadsToWhoKnowsOfIt() throws {
    let fleet = try Self.fleet()
    let said = try fleet.ask("verdict", "2.0.0", "--format", "table")
    let words = said.output + said.errors
    #expect(said.status == 4 && words.contains("likely falling silent"), "\(words)")
    #expect(words.contains("60 of 120 devices that took it in a week fell silent"), "\(words)")
    #expect(words.contains("next: uptake diagnose 2.0.0"), "\(words)")
    let status = try fleet.ask("status").output
    #expect(status.contains("60 of 120 devices that took it in a week fell silent"), "\(status)")
    let found = try fleet.ask("diagnose", "--format", "csv").output
    #expect(found.contains("releaseHarms"), "\(found)")
  }
}
