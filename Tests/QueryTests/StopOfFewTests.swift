import Foundation
import Lifecycle
import Query
import Store
import Testing

/// The first minutes of a release, of an app that few events are known of.
@Suite struct StopOfFewTests {
  private static let published = instant("2024-03-04T10:00:00Z")

  /// Of 90 devices 60 fail to get 3.0 within minutes; nine minutes later all is told.
  private static let tried = (0..<90).flatMap { device in
    [("check", 1), ("downloadStarted", 2), (device < 60 ? "failed" : "ready", 3)].map { stage, minutes in
      line("d\(device)", stage, at: published + .minutes(Int64(minutes)), received: published + .minutes(4))
    }
  }
  /// One more that was off line says what it did before.
  private static let late = (0..<5).map {
    line("q", "check", at: published - .minutes(Int64(45 - $0)), received: published + .minutes(5))
  }

  private static func line(_ device: String, _ stage: String, at: Timestamp, received: Timestamp) -> String {
    #"{"device":"\#(device)","stage":"\#(stage)","release":"\#(stage == "check" ? "2.0" : "3.0")","#
      + #""at":\#(at.rawValue),"received":\#(received.rawValue)}"#
  }

  @Test(arguments: [false, true]) func oneLatePhoneTakesNoStopBack(_ isLate: Bool) throws {
    let fleet = try Fleet()
    try fleet.load((Self.tried + (isLate ? Self.late : [])).joined(separator: "\n"))
    try fleet.publish([
      Publication(
        app: "com.example.demo", release: ReleaseLabel(rawValue: "3.0"), channel: "production",
        publishedAt: Self.published)
    ])
    let snapshot = try Snapshot(path: fleet.path)
    let extent = try FleetScope(
      snapshot.vocabulary, app: nil, release: ReleaseLabel(rawValue: "3.0"), now: Self.published + .minutes(9))
    var options = Verdict.Options()
    options.limit = 0.1
    let answer = try Verdict.answer(snapshot, extent, options)
    let row = try #require(answer.data.first)
    #expect(row.decision == .stop && row.condition == .failing, "\(row.reasons.map(\.sentence))")
    #expect(answer.warnings.contains { $0.code == "cutoff_of_few" } == isLate)
  }
}
