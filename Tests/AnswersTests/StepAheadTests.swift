import Console
import Lifecycle
import Query
import Store
import Testing

@testable import Answers

/// A plan goes on whatever is said of a release: where it is to be stopped, the step that opens next is told.
struct StepAheadTests {
  private static let now = "2025-03-03T20:00:00Z"

  /// 400 devices that launch 2.0, on which every fourth crashes; half of them may have it.
  private static func database(crashes: Bool, _ steps: [(hours: Int64, percent: Double)]) throws -> Database {
    let phones = (0..<400).map { number in
      func line(_ stage: String, _ release: String, _ at: String) -> String {
        #"{"device":"d\#(number)","platform":"ios","stage":"\#(stage)","release":"\#(release)","at":"2025-\#(at):00:00Z"}"#
      }
      let crash = number % 4 == 0 && crashes ? [line("crashed", "2.0", "03-03T10")] : []
      return ([line("check", "1.0", "03-01T07"), line("applied", "2.0", "03-03T09")] + crash).joined(separator: "\n")
    }
    let database = try Database(phones.joined(separator: "\n"))
    let start = try Timestamp(rfc3339: "2025-03-03T08:00:00Z")
    try Registry(path: database.path).publish(
      Publication(
        app: "a", release: ReleaseLabel(rawValue: "2.0"), channel: "production", publishedAt: start,
        rollout: steps.map { RolloutStep(at: start + .hours($0.hours), percent: $0.percent) }), now: start)
    return database
  }

  @Test(
    arguments: [
      (true, [(0, 50.0), (30, 100.0)], true), (false, [(0, 50), (30, 100)], false), (true, [(0, 50), (6, 100)], false),
      (true, [(0, 50), (6, 0)], false), (true, [(0, 50), (6, 0), (30, 50)], true),
    ] as [(Bool, [(hours: Int64, percent: Double)], Bool)])
  func isTold(_ crashes: Bool, _ steps: [(hours: Int64, percent: Double)], _ isTold: Bool) throws {
    let database = try Self.database(crashes: crashes, steps)
    let snapshot = try Snapshot(path: database.path)
    let last = steps.last.map { Int($0.percent) } ?? 0
    let said =
      "2.0 on production is to be stopped, and its rollout goes on by itself: the step to \(last)% at 2025-03-04 14:00 UTC opens"
      + " unless it is halted: uptake release halt 2.0 --app a --channel production"
    let verdict = try ask(["verdict", "2.0", "--now", Self.now], snapshot)
    #expect(verdict.contains(#""code":"step_ahead""#) == isTold && verdict.contains(said) == isTold, "\(verdict)")
    let status = try Status(
      snapshot, app: nil, channels: [], Verdict.Options(), now: try Timestamp(rfc3339: Self.now))
    let text = status.text(width: 600, glyphs: .ascii, colour: false)
    #expect(text.contains("! a: " + said) == isTold, "\(text)")
  }
}
