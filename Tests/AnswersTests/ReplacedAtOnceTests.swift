import Console
import Lifecycle
import Query
import Store
import Testing

@testable import Answers

/// Two releases on one channel, minutes apart: each is no half of a test, as the later one takes the earlier one's place.
struct ReplacedAtOnceTests {
  private static let now = "2025-03-03T20:00:00Z"

  private static func database(apart: Milliseconds, on channel: String, platforms: [String?] = [nil, nil]) throws
    -> Database
  {
    let phones = (0..<60).map { number in
      func line(_ stage: String, _ release: String, _ at: String) -> String {
        #"{"device":"d\#(number)","platform":"ios","stage":"\#(stage)","release":"\#(release)","at":"2025-\#(at):00:00Z"}"#
      }
      return [line("check", "1.0", "03-01T07"), line("applied", number % 2 == 0 ? "2.0-a" : "2.0-b", "03-03T09")]
        .joined(
          separator: "\n")
    }
    let database = try Database(phones.joined(separator: "\n"))
    let start = try Timestamp(rfc3339: "2025-03-03T08:00:00Z")
    let all = [("2.0-a", "production", start, platforms[0]), ("2.0-b", channel, start + apart, platforms[1])]
    for (label, channel, at, platform) in all {
      try Registry(path: database.path).publish(
        Publication(
          app: "a", release: ReleaseLabel(rawValue: label), channel: channel, platform: platform, publishedAt: at),
        now: at)
    }
    return database
  }

  @Test(
    arguments: [
      (Milliseconds.minutes(1), "production", [nil, nil], true), (.minutes(1), "b", [nil, nil], false),
      (.hours(1), "production", [nil, nil], false), (.minutes(1), "production", ["ios", "android"], false),
      (.minutes(1), "production", ["ios", nil], true),
    ] as [(Milliseconds, String, [String?], Bool)])
  func isTold(_ apart: Milliseconds, _ channel: String, _ platforms: [String?], _ isTold: Bool) throws {
    let database = try Self.database(apart: apart, on: channel, platforms: platforms)
    let snapshot = try Snapshot(path: database.path)
    let said =
      "2.0-b was published on production 60s after 2.0-a, and ends its turn: adoption of 2.0-a is counted up to then alone;"
    for question in [["adoption", "2.0-a"], ["verdict", "2.0-b"]] {
      let answer = try ask(question + ["--now", Self.now], snapshot)
      #expect(answer.contains(said) == isTold, "\(answer)")
    }
    let status = try Status(
      snapshot, app: nil, channels: [], Verdict.Options(), now: try Timestamp(rfc3339: Self.now))
    #expect(status.text(width: 600, glyphs: .ascii, colour: false).contains("! a: " + said) == isTold)
  }
}
