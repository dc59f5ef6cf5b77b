import Lifecycle
import Query
import Store
import Testing

@testable import Answers

/// How many devices run a release stands beside how many launched it: both are of one instant.
struct StillRunInstantTests {
  /// 40 devices take 2.0 on one day and 40 two hours before now, and events arrive three hours late: only the first are known whole.
  private static func database(haltedAt: String) throws -> Database {
    let phones = (0..<80).map { number in
      func line(_ stage: String, _ release: String, _ day: String, _ hour: Int) -> String {
        func time(_ hour: Int) -> String { "2025-\(day)T\(hour < 10 ? "0" : "")\(hour):00:00Z" }
        return
          #"{"device":"d\#(number)","platform":"ios","stage":"\#(stage)","release":"\#(release)","at":"\#(time(hour))","#
          + #""received":"\#(time(hour + 3))"}"#
      }
      let (day, hour) = number < 40 ? ("03-03", 9) : ("03-04", 7)
      return [line("check", "1.0", "03-02", 7), line("applied", "2.0", day, hour)].joined(separator: "\n")
    }
    let database = try Database(phones.joined(separator: "\n"))
    let registry = try Registry(path: database.path)
    func publish(_ label: String, _ at: String, until end: String? = nil) throws {
      let at = try Timestamp(rfc3339: at)
      let halt = try end.map { RolloutStep(at: try Timestamp(rfc3339: $0), percent: 0) }
      try registry.publish(
        Publication(
          app: "a", release: ReleaseLabel(rawValue: label), channel: "production", publishedAt: at,
          rollout: halt.map { [RolloutStep(at: at, percent: 100), $0] } ?? []), now: at)
    }
    try publish("1.0", "2025-01-01T08:00:00Z")
    try publish("2.0", "2025-03-03T08:00:00Z", until: haltedAt)
    return database
  }

  @Test(arguments: [
    (
      "2025-03-04T07:30:00Z", "2025-03-04T07:45:00Z",
      "80 of 80 devices that launched it still run it as of 2025-03-04 07:45 UTC, of those heard of in the 28 days before; it was halted"
        + " at 2025-03-04 07:30 UTC\""
    ),
    (
      "2025-03-04T12:00:00Z", "2025-03-04T20:00:00Z",
      "80 of 80 devices that launched it ran it as of 2025-03-04 07:00 UTC, when a device was heard of last, of those heard of since"
        + " 2025-02-04 20:00 UTC; it was halted at 2025-03-04 12:00 UTC, and nothing is known since\""
    ),
  ])
  func bothAreOfOneInstant(_ halt: String, _ now: String, _ sentence: String) throws {
    let database = try Self.database(haltedAt: halt)
    let snapshot = try Snapshot(path: database.path)
    let verdict = try ask(["verdict", "2.0", "--now", now], snapshot)
    #expect(verdict.contains(sentence), "\(verdict)")
  }
}
