import HTTP
import Lifecycle
import Report
import Store
import Synchronization
import Testing

@testable import Server

/// After hours in which a receiver took nothing: what it is told then, and in which order.
struct ExportRoundTests {
  private let fixture: ExportFixture
  private let noon = ExportFixture.noon

  init() throws { fixture = try ExportFixture() }

  /// One more fact, noticed and happened at an instant.
  private func notice(_ order: ExportOrder, at instant: Timestamp) throws {
    var fact = try #require(try fixture.unsent(order).first?.decoded)
    (fact.id, fact.at) = ("\(instant.rawValue)", instant)
    #expect(try fixture.exporter(order, at: instant).remember([fact]) == 1)
  }

  private func send(_ order: ExportOrder, at now: Timestamp) throws -> Exporter.Tally {
    try fixture.exporter(order, at: now).send(ExportFixture.client())
  }

  private func times(_ requests: some Sequence<String>) -> [Int] {
    requests.compactMap { $0.firstMatch(of: /"time":(\d+)/).flatMap { Int($0.1) } }
  }

  /// The word that was told last is the one that holds, also of what was noticed before the others were due again.
  @Test func whatWaitedIsToldInTheOrderInWhichItHappened() throws {
    let isWell = Atomic(false)
    let receiver = Receiver { _, _ in .status(isWell.load(ordering: .relaxed) ? 200 : 503) }
    let order = try fixture.order(to: receiver.url)
    let facts = try fixture.ready(order).facts
    var now = noon
    for _ in 0..<9 { now = try #require(try send(order, at: now).nextAt) }
    let tried = receiver.requests.count
    isWell.store(true, ordering: .relaxed)
    try notice(order, at: now - .seconds(1))
    #expect(try send(order, at: now - .seconds(1)).sent == facts + 1)
    let told = times(receiver.requests.dropFirst(tried))
    #expect(told.count == facts + 1 && told == told.sorted(), "\(told)")
  }

  /// A receiver is told of news at once when it is well again, and what waits is not put off for longer by each piece of news before.
  @Test func newsDoesNotPutOffWhatWaits() throws {
    let receiver = Receiver { _, _ in .status(503) }
    let order = try fixture.order(to: receiver.url)
    _ = try fixture.ready(order)
    var due = noon
    for _ in 0..<5 { due = try #require(try send(order, at: due).nextAt) }
    for second in 1...6 {
      try notice(order, at: due - .seconds(10) + .seconds(Int64(second)))
      #expect(try send(order, at: due - .seconds(10) + .seconds(Int64(second))).nextAt == due)
    }
    #expect(try fixture.unsent(order).map(\.attempts).max() == 5)
  }

  /// The next piece of news waits, too; who asks for it does not.
  @Test(arguments: [503, 404]) func newsWaitsWhereAReceiverSaysForHowLong(_ status: Int) throws {
    let isWell = Atomic(false)
    let receiver = Receiver { _, _ in
      isWell.load(ordering: .relaxed) ? .status(200) : .status(status, status == 503 ? ["Retry-After: 300"] : [])
    }
    let order = try fixture.order(to: receiver.url)
    let facts = try fixture.ready(order).facts
    #expect(try send(order, at: noon).nextAt == noon + .minutes(5))
    try notice(order, at: noon + .seconds(60))
    let tally = try send(order, at: noon + .seconds(60))
    #expect(tally.sent == 0 && tally.nextAt == noon + .minutes(5) && receiver.requests.count == 1)
    isWell.store(true, ordering: .relaxed)
    let asked = fixture.exporter(order, at: noon + .seconds(61))
    #expect(try asked.send(ExportFixture.client(), isUrgent: true).sent == facts + 1)
  }

  /// A receiver that stumbles over one fact gets the others, and what is news goes there at once.
  @Test func aFactThatIsNeverTakenHoldsUpNoOther() throws {
    let bad = Mutex("")
    let receiver = Receiver { _, request in .status(bad.withLock { request.contains($0) } ? 500 : 200) }
    let order = try fixture.order(to: receiver.url)
    let facts = try fixture.ready(order).facts
    let first = try #require(try fixture.unsent(order).first)
    bad.withLock { $0 = "\"time\":\(first.at.rawValue)}" }
    var now = noon
    for round in 1...5 {
      let tally = try send(order, at: now)
      #expect(tally.sent == (round < 5 ? 0 : facts - 1), "\(tally)")
      now = try #require(tally.nextAt)
    }
    #expect(try fixture.unsent(order).map(\.id) == [first.id])
    let tried = receiver.requests.count
    try notice(order, at: now - .seconds(1))
    #expect(try send(order, at: now - .seconds(1)).sent == 1 && receiver.requests.count == tried + 1)
  }

  /// Of two entries for one place each has its own names, and pages of its own to point to.
  @Test func anEntrySendsWhatIsOfItsOwnChoice() throws {
    #expect(
      fixture.served.ask("PUT", "/v1/releases/1.0", #"{"app":"b","publishedAt":"2025-03-02T00:00:00Z"}"#).status == 200)
    let receiver = Receiver { _, _ in .status(200) }
    var (one, other) = (try fixture.order(to: receiver.url), try fixture.order(to: receiver.url))
    (one.choice.app, other.choice.app) = ("a", "b")
    let facts = try fixture.ready(one).facts
    let exporter = fixture.exporter(other)
    let more = try exporter.remember(exporter.news(other.choice.rollouts(path: fixture.served.path, now: noon)))
    let tally = try send(one, at: noon)
    #expect(tally.sent == facts && tally.waiting == 0 && receiver.requests.allSatisfy { $0.contains("\"app:a\"") })
    #expect(try send(other, at: noon).sent == more && more > 0)
  }

  /// RFC 9110 has seconds, and a date.
  @Test(arguments: [429, 503]) func aDateToTryAgainAfterIsObeyed(_ status: Int) throws {
    let receiver = Receiver { _, _ in .status(status, ["Retry-After: Mon, 03 Mar 2025 00:15:00 GMT"]) }
    let order = try fixture.order(to: receiver.url)
    _ = try fixture.ready(order)
    #expect(try send(order, at: noon).nextAt == noon + .minutes(15))
  }

  /// Datadog takes nothing that is older than 17 hours: a verdict is told all the same, as of now.
  @Test func whatWaitedForTooLongIsToldAsOfNow() throws {
    let receiver = Receiver { _, _ in .status(202) }
    let order = try fixture.order("datadog", to: receiver.url)
    let facts = try fixture.ready(order).facts
    let verdicts = try fixture.unsent(order).filter { $0.kind == "verdict" }.count
    let now = noon + .hours(20)
    let tally = try send(order, at: now)
    #expect(tally.sent == verdicts && tally.refused == facts - verdicts && verdicts > 0, "\(tally)")
    #expect(receiver.requests.count == verdicts)
    for request in receiver.requests {
      #expect(request.contains("\"date_happened\":\(now.seconds),"), "\(request)")
      #expect(request.contains("Of 2025-03-03T00:00:00Z, told late. "), "\(request)")
    }
  }
}
