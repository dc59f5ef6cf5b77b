import Console
import Lifecycle
import Query
import Store
import Testing

@testable import Answers

/// A release that devices take and that is not registered as of then: `status` and `diagnose` say so.
struct StrayPublicationTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var name: String
    /// When 2.0 is registered for, if at all.
    var registered: String?
    var place = "production"
    /// When that was taken back, if it was.
    var withdrawn: String?
    /// What devices take.
    var taken = "2.0"
    var devices = 6
    /// The hour, before noon, at which the first of them speaks of it; the others do in minutes after 8.
    var first = "08"
    /// Of `status`, behind the name of the app; nil where there is none.
    var says: String?
    var testDescription: String { name }
  }

  private static let rows = [
    Row(
      name: "nobody registered it",
      says: "6 devices on production took 2.0 since 2025-03-04 08:01 UTC, which nobody registered there:"
        + " verdicts are about 1.0: uptake release publish 2.0 --app a --channel production --at 2025-03-04T08:01:00Z"),
    Row(
      name: "for a time ahead", registered: "2025-03-05T20:00:00Z",
      says:
        "6 devices on production took 2.0 since 2025-03-04 08:01 UTC, and it is registered for 2025-03-05 20:00 UTC,"
        + " which lies ahead, as a local time may: uptake release publish 2.0 --app a --channel production"
        + " --at 2025-03-04T08:01:00Z --rollout '10%@0h,100%@24h'"),
    Row(
      name: "for a time before the release in its place", registered: "2025-03-01T08:00:00Z",
      says:
        "6 devices on production took 2.0 since 2025-03-04 08:01 UTC, and it is registered as of 2025-03-01 08:00 UTC,"
        + " so 1.0 counts as what replaced it: uptake release publish 2.0 --app a --channel production"
        + " --at 2025-03-04T08:01:00Z --rollout '10%@0h,100%@24h'"),
    Row(
      name: "under another name", registered: "2025-03-04T06:00:00Z", taken: "20",
      says: "6 devices on production took 20 since 2025-03-04 08:01 UTC, which nobody registered there; 2.0, which is"
        + " registered there, no device names: verdicts are about 2.0: uptake release publish 20 --app a"
        + " --channel production --at 2025-03-04T08:01:00Z"),
    Row(
      name: "with a slow clock", first: "01",
      says: "6 devices on production took 2.0 since 2025-03-04 08:01 UTC, which nobody registered there:"
        + " verdicts are about 1.0: uptake release publish 2.0 --app a --channel production --at 2025-03-04T08:01:00Z"),
    Row(
      name: "withdrawn, and out all the same", registered: "2025-03-04T07:00:00Z", withdrawn: "2025-03-04T12:00:00Z",
      says: "6 devices on production took 2.0 since 2025-03-04 08:01 UTC, and its publication was withdrawn at"
        + " 2025-03-04 12:00 UTC: verdicts are about 1.0, and an update server may still offer it:"
        + " uptake reach 2.0 --app a --channel production"),
    Row(
      name: "withdrawn from another channel", registered: "2025-03-04T07:00:00Z", place: "beta",
      withdrawn: "2025-03-04T12:00:00Z",
      says: "6 devices on production took 2.0 since 2025-03-04 08:01 UTC, and its publication on beta was withdrawn at"
        + " 2025-03-04 12:00 UTC: verdicts are about 1.0, and an update server may still offer it:"
        + " uptake reach 2.0 --app a --channel production"),
    Row(name: "as it should be", registered: "2025-03-04T07:00:00Z"),
    Row(name: "a developer's build", devices: 4),
    Row(name: "an old one that comes back", taken: "0.9"),
  ]

  @Test(arguments: rows) func says(_ row: Row) throws {
    let database = try Self.database(row)
    let snapshot = try Snapshot(path: database.path)
    let now = try Timestamp(rfc3339: "2025-03-05T08:00:00Z")
    let found = try snapshot.strayPublications(of: "a", channels: [], now: now).map { Concern.publication($0) }
    #expect(found.map(\.message) == row.says.map { ["a: " + $0] } ?? [])
    #expect(try snapshot.strayPublications(of: "a", channels: ["beta"], now: now).isEmpty)
    let status = try Status(snapshot, app: nil, channels: [], Verdict.Options(), now: now)
    let text = status.text(width: 600, glyphs: .ascii, colour: false)
    // What was withdrawn there its successor's line says.
    let said = text.contains("since 2025-03-04 08:01") || text.contains(" it as of ")
    #expect(said == (row.says != nil), "\(text)")
    let diagnosis = try ask(["diagnose", "--now", now.rfc3339], snapshot)
    #expect(diagnosis.contains("publicationWrong") == (row.says != nil), "\(diagnosis)")
    #expect(row.withdrawn == nil || !(text + diagnosis).contains("release publish 2.0"), "\(text)\(diagnosis)")
    // Who asks about all releases hears of it; who names one has that judged.
    let asked = [["verdict"], ["verdict", "1.0"], ["verdict", "--min-cell", "50"]].map { $0 + ["--now", now.rfc3339] }
    let warned = try asked.map { try ask($0, snapshot).contains("stray_publication") }
    // Of what was withdrawn there the row of its successor tells.
    let isTold = row.withdrawn != nil && row.place == "production"
    #expect(warned == [row.says != nil && !isTold, false, false], "\(warned)")
  }

  /// The release that is judged is healthy; the one that nobody registered crashes on every second device, or on none.
  @Test(arguments: [2, 0]) func itsOwnVerdictIsTold(_ nth: Int) throws {
    let (database, now) = (try Self.crashing(nth), try Timestamp(rfc3339: "2025-03-04T12:00:00Z"))
    let snapshot = try Snapshot(path: database.path)
    let status = try Status(snapshot, app: nil, channels: [], Verdict.Options(), now: now)
    let lines = status.text(width: 600, glyphs: .ascii, colour: false).split(separator: "\n")
    let found = "40 devices on production took 2.0 since 2025-03-04 08:00 UTC, which nobody registered there: "
    let newest = nth > 0 ? "1.0 counts as the newest: uptake release publish 2.0" : "verdicts are about 1.0; its own"
    #expect(lines[0].hasPrefix("x production 2.0  CRASHING") == (nth > 0), "\(lines)")
    #expect(lines.contains { $0.hasPrefix("! a: \(found)\(newest)") }, "\(lines)")
    #expect(lines.contains { $0.contains("its own verdict is wait: 0 of 40") } == (nth == 0), "\(lines)")
    #expect((status.decision == .stop) == (nth > 0))
    let json = try status.presentation.text()
    #expect(json.contains(#""decision":"stop","release":"2.0""#) == (nth > 0), "\(json)")
  }

  /// Who names no release is told to stop as well; where it harms nobody, or hardly anybody has it, it is a warning at most.
  @Test(arguments: [(2, 40), (0, 40), (1, 4)]) func whoNamesNoReleaseIsToldToStop(_ nth: Int, _ devices: Int) throws {
    let database = try Self.crashing(nth, devices)
    let snapshot = try Snapshot(path: database.path)
    let now = "2025-03-04T12:00:00Z"
    let shown = try answer(["verdict", "--now", now], snapshot)
    let said = try shown.presentation.document().text(.compact)
    let isStopped = nth > 0 && devices > 4
    #expect(shown.exit == (isStopped ? .gateNotMet : .notEnoughData), "\(said)")
    #expect(said.contains(#""release":"2.0""#) == isStopped, "\(said)")
    #expect(
      said.contains("1.0 counts as the newest; what registers it stands in uptake status") == isStopped, "\(said)")
    #expect(said.contains("verdicts are about 1.0; what registers it") == (nth == 0), "\(said)")
    #expect(try !ask(["verdict", "--min-cell", "50", "--now", now], snapshot).contains(#""release":"2.0""#))
  }

  private static func crashing(_ nth: Int, _ devices: Int = 40) throws -> Database {
    let phones = (0..<devices).flatMap { number in
      let who = #"{"device":"d\#(number)","channel":"production","at":"2025-03-0"#
      let crash = #"4T09:30:00Z","stage":"crashed","release":"2.0"}"#
      return [
        #"2T08:00:00Z","stage":"applied","release":"1.0"}"#,
        #"4T08:00:00Z","stage":"downloadStarted","release":"2.0"}"#,
      ]
      .map { who + $0 } + [who + #"4T09:00:00Z","stage":"applied","release":"2.0"}"#]
        + (nth > 0 && number % nth == 0 ? [who + crash] : [])
    }
    let database = try Database(phones.joined(separator: "\n"))
    try publish("1.0", "2025-03-02T07:00:00Z", [], database)
    return database
  }

  private static func database(_ row: Row) throws -> Database {
    let phones = (0..<row.devices).map { number in
      let who = #"{"device":"d\#(number)","channel":"production","at":"2025-03-0"#
      return who + #"2T08:0\#(number):00Z","stage":"applied","release":"1.0"}"# + "\n" + who
        + #"4T\#(number == 0 ? row.first : "08"):0\#(number):00Z","stage":"downloadStarted","release":"\#(row.taken)"}"#
        + "\n" + who
        + #"4T09:0\#(number):00Z","stage":"applied","release":"\#(row.taken)"}"#
    }.joined(separator: "\n")
    let database = try Database(phones)
    try publish("1.0", "2025-03-02T07:00:00Z", [], database)
    if let at = row.registered { try publish("2.0", at, [10, 100], database, on: row.place) }
    if let at = row.withdrawn {
      let place = PublicationPlace(app: "a", release: ReleaseLabel(rawValue: "2.0"), channel: row.place, platform: nil)
      #expect(try Registry(path: database.path).withdraw(place, now: Timestamp(rfc3339: at)) != nil)
    }
    return database
  }

  private static func publish(
    _ release: String, _ at: String, _ steps: [Double], _ database: Database, on channel: String = "production"
  ) throws {
    let at = try Timestamp(rfc3339: at)
    let rollout = steps.enumerated().map { RolloutStep(at: at + .days(Int64($0)), percent: $1) }
    try Registry(path: database.path).publish(
      Publication(
        app: "a", release: ReleaseLabel(rawValue: release), channel: channel, publishedAt: at, rollout: rollout),
      now: at)
  }
}
