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

  /// A clock at the end of time says nothing about skew, whoever says it; nor does one that would lead there.
  @Test(arguments: [Int64.min, -1, 0, 946_684_799_999, 253_402_300_800_000, .max])
  func aSentAtThatNobodyCanMeanSaysNothing(_ sent: Int64) {
    let sentAt = Timestamp(rawValue: sent)
    #expect(Self.at("[\(Self.check)]", sentAt: sentAt) == ["2024-03-04T08:00:00Z"])
    #expect(Self.at(#"{"sentAt":\#(sent),"events":[\#(Self.check)]}"#) == ["2024-03-04T08:00:00Z"])
    #expect(
      Self.at(#"{"sentAt":\#(sent),"events":[\#(Self.check)]}"#, sentAt: noon - .hours(1)) == ["2024-03-04T09:00:00Z"])
  }

  @Test func noSkewLeadsOutOfTheYearsThatCanBeMeant() throws {
    let end = try Timestamp(rfc3339: "9999-12-31T23:59:59Z")
    #expect(Self.at("[\(Self.check)]", sentAt: end) == ["2024-03-04T08:00:00Z"])
    let alike = #"{"device":"d","stage":"check","at":"9999-12-31T22:59:59Z"}"#
    #expect(Self.at("[\(alike)]", sentAt: end) == ["2024-03-04T11:00:00Z"], "a clock that is wrong throughout")
  }

  @Test(arguments: [
    ("at", "-9223372036854775808"), ("at", "9223372036854775807"), ("at", "92233720368547758070"), ("at", "-1"),
    ("at", "\"1999-12-31T23:59:59Z\""), ("at", "\"0000-01-01T00:00:00+14:00\""), ("at", "1e300"),
    ("sentAt", "-9223372036854775808"), ("sentAt", "9223372036854775807"), ("sentAt", "\"1999-12-31T23:59:59Z\""),
  ])
  func aTimeThatNobodyCanMeanIsRefused(_ field: String, _ value: String) {
    let decoded = decode(#"{"device":"d","stage":"check","\#(field)":\#(value)}"#)
    #expect(decoded.rejections.map(\.field) == [field] && decoded.rejections.map(\.code) == [.badTime])
    #expect(decoded.batch.events.isEmpty)
  }

  /// A client of another system whose clock is absurd is refused like any; 0 is its word for not knowing.
  @Test(arguments: [-.greatestFiniteMagnitude, -1, 1e-300, 1, 9e11 - 1e11 + 1e30, .greatestFiniteMagnitude])
  func aDialectsTimeThatNobodyCanMeanIsRefused(_ number: Double) {
    for time in [Draft.time(epoch: number), Draft.time(nanoseconds: number), Draft.time(.decimal(number))] {
      var draft = Draft(.check, device: "d", at: time)
      draft.app = "a"
      let decoded = NativeDecoder(keys: keys).decode([draft], .request(app: nil, received: noon))
      #expect(decoded.rejections.map(\.field) == ["at"] && decoded.batch.events.isEmpty, "\(number)")
    }
    for unknown in [0, -0.0, .nan, .infinity] { #expect(Draft.time(epoch: unknown) == nil) }
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
