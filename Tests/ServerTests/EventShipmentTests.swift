import HTTP
import Lifecycle
import Report
import Store
import Synchronization
import Testing

@testable import Server

/// Single events to receivers that take none of them, or want quiet. No event is passed over for that.
struct EventShipmentTests {
  private let fixture: ExportFixture
  private let noon = ExportFixture.noon

  init() throws {
    fixture = try ExportFixture(releases: 1)
    for device in 0..<50 {
      _ = fixture.served.ask("POST", "/v1/events", #"{"device":"\#(device)","stage":"check","app":"a"}"#)
    }
  }

  private func shipment(to receiver: Receiver, at now: Timestamp = ExportFixture.noon) throws -> EventShipment {
    EventShipment(
      order: try fixture.order("otlp", to: receiver.url), registry: fixture.registry, path: fixture.served.path,
      clock: { now })
  }

  private func drops(_ count: Int) -> Receiver.Reply {
    .status(
      200, ["Content-Type: application/json"],
      body: #"{"partialSuccess":{"rejectedLogRecords":"\#(count)","errorMessage":"too old"}}"#)
  }

  /// A receiver that drops whatever it is sent accepts each request all the same.
  @Test func whereNoneIsTakenNoneIsPassedOver() throws {
    let isWell = Atomic(false)
    let dropped = drops(1000)
    let receiver = Receiver { _, _ in isWell.load(ordering: .relaxed) ? .status(200) : dropped }
    let shipment = try shipment(to: receiver)
    var tally = EventShipment.Tally()
    try shipment.send(ExportFixture.client(), &tally)
    #expect(tally.sent == 0 && tally.refused == 0 && receiver.requests.count < 40)
    #expect(tally.reason?.hasPrefix("it refuses one event after another") == true, "\(tally.reason ?? "")")
    #expect(tally.reason?.hasSuffix("1 of 1 event dropped: too old") == true, "\(tally.reason ?? "")")
    #expect(try shipment.left() == 50)
    isWell.store(true, ordering: .relaxed)
    var again = EventShipment.Tally()
    try shipment.send(ExportFixture.client(), &again)
    #expect(try again.sent == 50 && shipment.left() == 0)
  }

  @Test func whatIsDroppedWhileOthersAreTakenIsPassedOver() throws {
    let dropped = drops(3)
    let receiver = Receiver { _, _ in dropped }
    let shipment = try shipment(to: receiver)
    var tally = EventShipment.Tally()
    try shipment.send(ExportFixture.client(), &tally)
    #expect(tally.sent == 47 && tally.refused == 3 && tally.refusal == "3 of 50 events dropped: too old")
    #expect(try shipment.left() == 0 && receiver.requests.count == 1)
  }

  /// With a key of one app, what is of another is refused; `service.name` alone gives way to the key, as everywhere.
  @Test func noEventIsTakenForOneOfTheKeysApp() throws {
    _ = fixture.served.ask("POST", "/v1/events", #"{"device":"x","stage":"check","app":"b"}"#)
    let receiver = Receiver { _, _ in .status(200) }
    let body = String(decoding: try #require(try shipment(to: receiver).next()).parcel.body, as: UTF8.self)
    let other = try ExportFixture(releases: 0).served
    let key = try other.key(.ingest, app: "b")
    let json = [("content-type", "application/json")]
    let answer = other.ask("POST", "/v1/logs", body, key: key, headers: json)
    #expect(answer.text.contains(#""rejectedLogRecords":"50""#), "\(answer.text)")
    #expect(answer.text.contains(#"the key is for the app \"b\", the event says \"a\""#), "\(answer.text)")
    #expect(try Snapshot(path: other.path).events(after: 0, app: nil, limit: 99).map(\.app) == ["b"])
    let named = body.replacing(#""key":"uptake.app""#, with: #""key":"other.app""#)
    #expect(other.ask("POST", "/v1/logs", named, key: key, headers: json).text == "{}")
  }

  @Test func whoeverMayBeAskedAtOnceIsAskedEverMoreRarely() throws {
    let receiver = Receiver { _, _ in .status(429, ["Retry-After: 0"]) }
    var (tally, now, pauses) = (EventShipment.Tally(), noon, [Int64]())
    for _ in 0..<4 {
      try shipment(to: receiver, at: now).send(ExportFixture.client(), &tally)
      let next = try #require(tally.nextAt)
      pauses.append((next - now).rawValue / 1000)
      now = next
    }
    #expect(pauses == [2, 4, 8, 16] && receiver.requests.count == 4)
  }

  @Test(arguments: [
    (429, "quiet until 2025-03-04T00:00:00Z, as it asked (429)"),
    (503, "quiet until 2025-03-04T00:00:00Z, after 503 {}"),
  ]) func aRunThatKeepsQuietSaysWhy(_ status: Int, _ reason: String) throws {
    let receiver = Receiver { _, _ in .status(status, ["Retry-After: 99999999999"]) }
    var (first, second) = (EventShipment.Tally(), EventShipment.Tally())
    try shipment(to: receiver).send(ExportFixture.client(), &first)
    try shipment(to: receiver, at: noon + .hours(1)).send(ExportFixture.client(), &second)
    #expect(receiver.requests.count == 1 && second.nextAt == noon + .days(1))
    #expect(second.reason == reason)
  }
}
