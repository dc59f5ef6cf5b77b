import Lifecycle
import Store
import Testing

@testable import Query

/// What is known of how events come in, by receipts.
@Suite struct DataHealthTests {
  private static let received = instant("2024-03-10T10:00:00Z")

  /// Of five devices in turn.
  private static func line(_ number: Int, at: Timestamp, received: Timestamp?, release: String = "1.0") -> String {
    let receipt = received.map { #","received":\#($0.rawValue)"# } ?? ""
    return
      #"{"device":"d\#(number % 5)","id":"\#(number)","stage":"applied","release":"\#(release)","at":\#(at.rawValue)\#(receipt)}"#
  }

  private static func health(
    _ lines: [String], now: Timestamp = received + .minutes(30), _ published: [String] = []
  ) throws -> DataHealth {
    let fleet = try Fleet()
    try fleet.load(lines.joined(separator: "\n"))
    try fleet.publish(
      published.map {
        Publication(
          app: "com.example.demo", release: ReleaseLabel(rawValue: $0), channel: "production",
          publishedAt: received - .days(9))
      })
    let snapshot = try Snapshot(path: fleet.path)
    let app = "com.example.demo"
    let question = try Diagnosis.Question(
      snapshot.vocabulary, try FleetScope(snapshot.vocabulary, app: app, now: now))
    let ledger = Ledger()
    try snapshot.count([question.counts], into: ledger)
    return DataHealth(
      snapshot.vocabulary, app: app, now: now, receipt: try snapshot.newestReceipts(now: now)[app],
      repeats: question.repeats(ledger), glance: try Releases.answer(snapshot, app: app, now: now),
      findings: try snapshot.ask(question, ledger))
  }

  @Test func countsByTheDayOfReceipt() throws {
    let at = Self.received
    let lines = [
      Self.line(0, at: at, received: at), Self.line(1, at: at - .hours(2), received: at),
      Self.line(2, at: at - .minutes(20), received: at), Self.line(3, at: at + .hours(2), received: at),
      Self.line(4, at: at - .days(2), received: at - .days(2)),
      Self.line(5, at: at - .days(12), received: at - .days(12)), Self.line(6, at: at, received: nil),
    ]
    let health = try Self.health(lines)
    #expect(health.days.map(\.events) == [4, 0, 1, 0, 0, 0, 0], "the one that says no receipt is in no day")
    #expect(health.days.first.map { [$0.late, $0.ahead, $0.timeless] } == [1, 1, 0])
    #expect(health.days.map(\.lateShare) == [0.25, nil, 0, nil, nil, nil, nil])
    #expect(health.lastReceived == .init(at: at, isOnlyDay: false, isBeforeImports: true))
  }

  /// What is kept of a day is the whole of it: of an earlier present nobody knows what had come by then.
  @Test func anEarlierPresentLeavesItsDayOut() throws {
    let at = Self.received
    let times = [-30, -4, -3, 2].map { at + .hours($0) }
    let lines = times.enumerated().map { Self.line($0, at: $1, received: $1) }
    let open = try Self.health(lines, now: at + .hours(3))
    #expect((open.days.map(\.events), open.cutDay) == ([3, 1], nil))
    for later in [at, at - .hours(1)] {
      let past = try Self.health(lines, now: later)
      #expect(past.days.map(\.events) == [1])
      #expect(past.cutDay == instant("2024-03-10T00:00:00Z"))
      #expect(past.lastReceived == .init(at: at - .hours(3), isOnlyDay: false, isBeforeImports: false))
    }
  }

  @Test func ofAnImportWithoutReceiptsNothingIsKnown() throws {
    let health = try Self.health([Self.line(0, at: Self.received, received: nil)])
    #expect(health.days.isEmpty && health.lastReceived == nil)
    #expect(health.repeats == .init(count: 0, of: 1))
  }

  /// In the order of what matters, and as `status` says it.
  @Test func silenceLowersTrust() throws {
    let lines = [Self.line(0, at: Self.received, received: Self.received)]
    #expect(!(try Self.health(lines).warnings.contains { $0.code == "silence" }))
    let silent = try Self.health(lines, now: Self.received + .hours(5))
    #expect(silent.warnings.first?.message == "no device was heard of for 5.0h, since 2024-03-10 10:00 UTC")
  }

  @Test func countsReleasesThatNobodyRegistered() throws {
    let lines = ["1.0", "2.0", "3.0"].enumerated().map {
      Self.line($0, at: Self.received, received: Self.received, release: $1)
    }
    let health = try Self.health(lines, ["1.0", "4.0"])
    #expect((health.releases, health.unregistered) == (3, 2))
    #expect(health.warnings.contains { $0.code == Warning.inferredPublication })
  }

  /// The same instant and stage of one device under another id.
  @Test func countsWhatComesAgain() throws {
    let at = Self.received - .minutes(9)
    let lines = [0, 5, 10, 1].map { Self.line($0, at: at, received: Self.received) }
    #expect(try Self.health(lines).repeats == .init(count: 2, of: 4))
  }
}
