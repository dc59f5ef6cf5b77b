import Lifecycle
import Testing

@testable import Ingest

@Suite struct ClockTests {
  static func at(_ body: String, sentAt: Timestamp? = nil) -> [String] {
    decode(body, sentAt: sentAt).batch.events.map(\.at.rfc3339)
  }
  static let check = #"{"device":"d","stage":"check","at":"2024-03-04T08:00:00Z"}"#

  @Test func anEventWithoutTimeIsOfItsReceipt() {
    #expect(Self.at(#"{"device":"d","stage":"check"}"#) == ["2024-03-04T12:00:00Z"])
  }

  /// The client's clock is an hour behind: it sent at noon and its clock said eleven.
  @Test(arguments: [
    #"{"sentAt":"2024-03-04T11:00:00Z","events":[\#(check)]}"#, #"{"events":[\#(check)],"sentAt":1709550000000}"#,
    #"{"events":[\#(check)],"sent_at":"2024-03-04T13:00:00+02:00","more":{"a":[]}}"#,
    #"{"device":"d","sentAt":"2024-03-04T11:00:00Z","stage":"check","at":"2024-03-04T08:00:00Z"}"#,
    #"[{"device":"d","stage":"check","at":"2024-03-04T08:00:00Z","sentAt":"2024-03-04T11:00:00Z"}]"#,
  ])
  func takesTheSkewOff(_ body: String) {
    #expect(Self.at(body) == ["2024-03-04T09:00:00Z"])
    // What the body says wins over the header.
    #expect(Self.at(body, sentAt: noon) == ["2024-03-04T09:00:00Z"])
  }

  @Test func theHeaderCountsForAllEvents() {
    let eleven = noon - .hours(1)
    #expect(
      Self.at("[\(Self.check),\(Self.check)]", sentAt: eleven) == Array(repeating: "2024-03-04T09:00:00Z", count: 2))
  }

  @Test(arguments: [(86_400_000, false), (86_400_001, true)]) func setsTheFarFutureBack(_ ahead: Int, _ isSet: Bool) {
    let decoded = decode(#"{"device":"d","stage":"check","at":\#(Int(noon.rawValue) + ahead)}"#)
    #expect(decoded.clockAhead == (isSet ? 1 : 0))
    #expect(decoded.batch.events.map(\.at) == [isSet ? noon : noon + Milliseconds(rawValue: Int64(ahead))])
  }

  /// The clock that is a day and an hour ahead says so itself: nothing is left to set back.
  @Test func skewGoesFirst() {
    let decoded = decode(
      #"{"sentAt":"2024-03-05T13:00:00Z","events":[{"device":"d","stage":"check","at":"2024-03-05T13:00:00Z"}]}"#)
    #expect(decoded.clockAhead == 0 && decoded.batch.events.map(\.at) == [noon])
  }

  @Test func clientsCannotSayWhenTheyWereReceived() {
    let decoded = decode(#"{"device":"d","stage":"check","received":"2024-01-01T00:00:00Z"}"#)
    #expect(decoded.batch.events.map(\.at) == [noon] && decoded.ignoredFields == 1)
    #expect(decoded.batch.received(at: 0) == noon)
  }

  @Test func filesCan() {
    let lines = """
      {"device":"d","stage":"check","at":"2024-01-01T00:00:00Z"}
      {"device":"d","stage":"check","received":"2024-01-01T02:00:00Z"}
      {"device":"d","stage":"check","at":"2024-01-03T00:00:00Z","received":"2024-01-01T02:00:00Z"}
      {"device":"d","stage":"check","at":"2024-01-01T00:00:00Z","received":"2024-01-01T02:00:00Z","sentAt":"2024-01-01T01:00:00Z"}
      """
    let decoder = NativeDecoder(keys: keys)
    let decoded = decoder.decode(Array(lines.utf8).span.bytes, as: .ndjson, .file(app: "a", now: noon))
    let times = decoded.batch.events.map(\.at.rfc3339)
    #expect(times == ["2024-01-01T00:00:00Z", "2024-01-01T02:00:00Z", "2024-01-01T02:00:00Z", "2024-01-01T01:00:00Z"])
    #expect(
      (0..<4).map { decoded.batch.received(at: $0)?.rfc3339 ?? "-" } == ["-"]
        + Array(repeating: "2024-01-01T02:00:00Z", count: 3))
    #expect(decoded.clockAhead == 1)
  }
}
