import Foundation
import Testing

/// Where nothing is known up to the instant that is asked about, but something after it.
@Suite struct AheadTests {
  /// Three devices at nine in the morning, by whichever clock.
  private static func fleet(now: String) throws -> QuestionsFleet {
    let lines = (0..<2).flatMap { device in
      [("check", "1.0.0", "08:0\(device)"), ("applied", "1.1.0", "09:0\(device)")].map { stage, release, time in
        #"{"app":"a","device":"d\#(device)","stage":"\#(stage)","at":"2025-03-01T\#(time):00Z","release":"\#(release)","platform":"ios"}"#
      }
    }
    let late =
      #"{"app":"a","device":"d2","stage":"check","at":"2025-03-01T09:30:00Z","release":"1.0.0","platform":"android"}"#
    return try QuestionsFleet(
      (lines + [late]).joined(separator: "\n"),
      publications: [["1.1.0", "--app", "a", "--at", "2025-03-01T00:30:00Z"]], now: now)
  }

  private static func status(now: String) throws -> String {
    let status = try fleet(now: now).ask("status")
    return status.output + status.errors
  }

  /// It said that no device was ever heard of.
  @Test func localTimesSentAsUTCAreTold() throws {
    let words = try Self.status(now: "2025-03-01T01:00:00Z")
    #expect(words.contains("no device was heard of yet"), "\(words)")
    #expect(
      words.contains(
        "nothing is known up to 2025-03-01 01:00 UTC, and 5 events say that they happened after it, from 2025-03-01 08:00 UTC to"
          + " 2025-03-01 09:30 UTC: are local times sent as UTC, or does --now lie in the past?"), "\(words)")
  }

  /// Amid them nothing is amiss that other concerns do not tell.
  @Test func whereAnythingIsKnownNothingIsSaid() throws {
    let words = try Self.status(now: "2025-03-01T08:30:00Z")
    #expect(words.contains("1.1.0") && !words.contains("nothing is known"), "\(words)")
  }
}
