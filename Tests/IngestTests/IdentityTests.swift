import Lifecycle
import Testing

@testable import Ingest

@Suite struct IdentityTests {
  static func identity(_ body: String, received: Timestamp = noon, app: String = "a") -> UInt64? {
    let decoder = NativeDecoder(keys: keys)
    return decoder.decode(Array(body.utf8).span.bytes, .request(app: app, received: received)).batch.events.first?
      .identity
  }
  static let plain = #"{"device":"d","stage":"ready","release":"r","at":1709539200000}"#

  @Test func anIdIsTheIdentity() {
    let first = Self.identity(#"{"id":"e1","device":"d","stage":"check"}"#)
    #expect(first != nil && first == Self.identity(#"{"id":"e1","device":"other","stage":"failed"}"#))
    #expect(first != Self.identity(#"{"id":"e2","device":"d","stage":"check"}"#))
    #expect(first != Self.identity(#"{"id":"e1","device":"d","stage":"check"}"#, app: "b"))
  }

  @Test func withoutIdItIsWhatTheClientSent() {
    let first = Self.identity(Self.plain)
    #expect(
      first
        == Self.identity(
          #"{"ts":"2024-03-04T08:00:00Z","release":"r","channel":"production","stage":"ready","device":"d"}"#))
    #expect(first == Self.identity(Self.plain, received: noon + .days(3)))
  }

  /// Each field alone tells two events apart.
  @Test(arguments: [
    #""device":"d2""#, #""stage":"applied""#, #""release":"r2""#, #""at":1709539200001"#, #""trigger":"location""#,
    #""channel":"beta""#, #""from":"r0""#, #""platform":"ios""#, #""osVersion":"1""#, #""appVersion":"1""#,
    #""sdkVersion":"1""#, #""network":"wifi""#, #""durationMs":0"#, #""bytes":0"#, #""outcome":"failed""#,
    #""reason":"x""#, #""push":"p""#, #""emulator":false"#, #""bucket":0"#, #""arm":"a""#,
  ])
  func everyFieldMatters(_ members: String) {
    #expect(Self.identity(Self.plain.dropLast() + "," + members + "}") != Self.identity(Self.plain))
  }

  @Test func theTimeOfSendingDoesNot() {
    #expect(Self.identity(Self.plain.dropLast() + #","sentAt":1709553599000}"#) == Self.identity(Self.plain))
  }

  @Test func anUndatedEventIsOneForTenMinutes() {
    let body = #"{"device":"d","stage":"check"}"#
    let first = Self.identity(body)
    #expect(first == Self.identity(body, received: noon + .minutes(9)))
    #expect(first != Self.identity(body, received: noon + .minutes(10)))
  }

  /// SipHash-2-4 over kind, length-prefixed app and id, keys 00…0f and 10…1f; by another implementation, which gives
  /// 0xa129ca6149be45e5 for the test vector of Aumasson and Bernstein (2012), appendix A.
  @Test func hashesAreThoseOfEarlierDatabases() {
    #expect(keys.device(app: "com.example.demo", id: "d1").rawValue == 0xb02f9f11af9d5ab3)
    #expect(Self.identity(#"{"id":"e1","device":"d","stage":"check"}"#, app: "com.example.demo") == 0x260247b7365a396e)
  }
}
