import Console
import Foundation
import Lifecycle
import Query
import Store
import Testing

@testable import Answers

/// The whole of `uptake status`, of houses with more channels than a screen has lines.
struct StatusTests {
  /// As of a deletion log that another user wrote: the lines are shown all the same.
  @Test func whoIsToBeForgottenIsNotKnown() throws {
    let database = try Database(#"{"device":"d","stage":"applied","release":"1.0","at":"2025-03-03T08:00:00Z"}"#)
    try FileManager.default.createDirectory(
      atPath: database.path + ".forgotten", withIntermediateDirectories: false)
    let status = try Status(
      Snapshot(path: database.path), app: nil, channels: [], Verdict.Options(),
      now: Timestamp(rfc3339: "2025-03-03T12:00:00Z"))
    let text = status.text(width: 200, glyphs: .unicode, colour: false)
    #expect(text.contains("production") && text.contains("which devices are to be forgotten cannot be read"), "\(text)")
  }

  @Test(arguments: [(20, false), (21, true)]) func aScreenfulIsCounted(_ channels: Int, _ isCounted: Bool) throws {
    // By name: of those that nobody registered a release on twenty are looked at unasked.
    let names = (0..<channels).map { "customer-\($0)" }
    let phones = names.map { name in
      #"{"device":"d-\#(name)","stage":"applied","channel":"\#(name)","release":"1.0","at":"2025-03-03T08:00:00Z"}"#
    }.joined(separator: "\n")
    let (database, now) = (try Database(phones), try Timestamp(rfc3339: "2025-03-03T12:00:00Z"))
    let snapshot = try Snapshot(path: database.path)
    let status = try Status(snapshot, app: nil, channels: names, Verdict.Options(), now: now)
    let lines = status.text(width: 80, glyphs: .unicode, colour: false).split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("\(channels) releases: 0 stop, ") } == isCounted, "\(lines)")
    #expect(lines.allSatisfy { displayWidth(String($0)) <= 80 || $0.hasPrefix("  ") }, "\(lines)")
  }
}
