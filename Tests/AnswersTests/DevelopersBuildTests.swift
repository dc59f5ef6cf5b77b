import Console
import Lifecycle
import Query
import Store
import Testing

@testable import Answers

/// Nobody registers releases, and one device has a newer build: what the others have is judged all the same.
struct DevelopersBuildTests {
  private static let now = "2025-03-04T12:00:00Z"

  /// - Parameters:
  ///   - newer: how many devices took 2.1.
  ///   - fleet: how many took 2.0, of which every second crashed.
  @Test(arguments: [(1, 40, true), (4, 40, true), (5, 40, false), (1, 4, false), (0, 40, true)])
  func doesNotHideAStop(_ newer: Int, _ fleet: Int, _ isStopped: Bool) throws {
    let database = try Self.database(newer, fleet)
    let status = try Status(
      Snapshot(path: database.path), app: nil, channels: [], Verdict.Options(), now: Timestamp(rfc3339: Self.now))
    let text = status.text(width: 400, glyphs: .ascii, colour: false)
    #expect((status.decision == .stop) == isStopped, "\(text)")
    #expect(text.contains("production 2.0") == isStopped && text.contains("production 2.1") == (newer > 0), "\(text)")
    let verdict = try ask(["verdict", "--now", Self.now], Snapshot(path: database.path))
    let said = "of a release that nobody registered fewer than 5 devices on production took it since"
    #expect(verdict.contains("20 of 40 devices that launched it crashed") == isStopped, "\(verdict)")
    #expect(verdict.contains(said) == (isStopped && newer > 0), "\(verdict)")
  }

  /// What somebody registered since is what the channel gets, whoever has it.
  @Test func whatIsRegisteredReplacesIt() throws {
    let (database, at) = (try Self.database(1, 40), try Timestamp(rfc3339: "2025-03-04T10:00:00Z"))
    try Registry(path: database.path).publish(
      Publication(app: "a", release: ReleaseLabel(rawValue: "2.1"), channel: "production", publishedAt: at), now: at)
    let status = try Status(
      Snapshot(path: database.path), app: nil, channels: [], Verdict.Options(), now: Timestamp(rfc3339: Self.now))
    #expect(status.decision != .stop)
  }

  private static func database(_ newer: Int, _ fleet: Int) throws -> Database {
    func event(_ device: String, _ at: String, _ stage: String, _ release: String) -> String {
      #"{"device":"\#(device)","at":"2025-03-0\#(at):00Z","stage":"\#(stage)","release":"\#(release)"}"#
    }
    let phones = (0..<fleet).flatMap { number in
      let own = "d\(number)"
      return [
        event(own, "2T08:00", "applied", "1.0"), event(own, "4T08:00", "downloadStarted", "2.0"),
        event(own, "4T09:00", "applied", "2.0"),
      ] + (number % 2 == 0 ? [event(own, "4T09:30", "crashed", "2.0")] : [])
    }
    let developers = (0..<newer).flatMap { number in
      [("4T10:00", "downloadStarted"), ("4T10:05", "applied")].map { event("x\(number)", $0, $1, "2.1") }
    }
    return try Database((phones + developers).joined(separator: "\n"))
  }
}
