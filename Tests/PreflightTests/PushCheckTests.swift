import Ingest
import Testing

@testable import Preflight

/// What each rule says of a push: a row a way to break it, with what is said, and nothing else.
struct PushCheckTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var name: String
    var payload: String
    var headers: [String: String]? = background
    /// `rule verdict place` of everything that does not hold.
    var says: [String]
    var testDescription: String { name }
  }

  private static let background = [
    "apns-push-type": "background", "apns-priority": "5", "apns-topic": "com.example.demo",
    "apns-expiration": "1900000000",
  ]
  private static func with(_ name: String, _ value: String?) -> [String: String] {
    var headers = background
    headers[name] = value
    return headers
  }
  private static let silent = #"{"aps": {"content-available": 1}}"#

  @Test(arguments: apns + fcm + swiftpatch) func says(_ row: Row) throws {
    let message = PushMessage(try JSONReader.read(Array(row.payload.utf8)), headers: row.headers)
    #expect(
      rulings(on: message).filter { $0.verdict != .pass }.map { "\($0.rule) \($0.verdict) \($0.place)" } == row.says)
    for ruling in rulings(on: message) where [.warn, .fail].contains(ruling.verdict) {
      #expect(ruling.fix?.isEmpty == false && !ruling.found.isEmpty && !ruling.why.isEmpty, "\(ruling)")
    }
  }

  /// A rule without a row that breaks it would be a rule that nobody has seen at work.
  @Test func everyRuleHasARow() throws {
    let names =
      (APNsRules.payload + APNsRules.headers).map(\.name) + FCMRules.all.map(\.name) + SwiftpatchRules.all.map(\.name)
      + ["apns-json", "apns-headers", "fcm-json"]
    let said = Set(
      (Self.apns + Self.fcm + Self.swiftpatch).flatMap(\.says).map { $0.prefix { $0 != " " } }.map(String.init))
    #expect(said == Set(names))
    #expect(Set(names).count == names.count)
  }

  private static let apns = [
    Row(name: "right", payload: silent, says: []),
    Row(name: "right, with keys of its own", payload: #"{"aps": {"content-available": 1}, "job": "sync"}"#, says: []),
    Row(name: "a list", payload: "[1]", says: ["apns-json fail payload"]),
    Row(
      name: "no aps", payload: #"{"job": "sync"}"#,
      says: ["apns-aps fail aps", "apns-content-available fail aps.content-available"]),
    Row(
      name: "aps is a text", payload: #"{"aps": "content-available"}"#,
      says: ["apns-aps fail aps", "apns-content-available fail aps.content-available"]),
    Row(
      name: "a text for the number", payload: #"{"aps": {"content-available": "1"}}"#,
      says: ["apns-content-available fail aps.content-available"]),
    Row(
      name: "true for the number", payload: #"{"aps": {"content-available": true}}"#,
      says: ["apns-content-available fail aps.content-available"]),
    Row(
      name: "0", payload: #"{"aps": {"content-available": 0}}"#,
      says: ["apns-content-available fail aps.content-available"]),
    Row(
      name: "outside aps", payload: #"{"aps": {}, "content-available": 1}"#,
      says: ["apns-content-available fail content-available"]),
    Row(
      name: "as libraries spell it", payload: #"{"aps": {"content_available": 1}}"#,
      says: ["apns-content-available fail aps.content_available"]),
    Row(
      name: "an alert", payload: #"{"aps": {"content-available": 1, "alert": "New!", "badge": 0}}"#,
      says: ["apns-only-content-available fail aps.alert", "apns-only-content-available fail aps.badge"]),
    Row(
      name: "an empty sound", payload: #"{"aps": {"content-available": 1, "sound": ""}}"#,
      says: ["apns-only-content-available fail aps.sound"]),
    Row(
      name: "keys for what is shown", payload: #"{"aps": {"content-available": 1, "mutable-content": 1}}"#,
      says: ["apns-other-keys note aps.mutable-content"]),
    Row(
      name: "4,096 bytes",
      payload: #"{"aps":{"content-available":1},"a":""#
        + String(repeating: "a", count: 4096 - 38) + #""}"#, says: []),
    Row(
      name: "4,097 bytes",
      payload: #"{"aps":{"content-available":1},"a":""#
        + String(repeating: "a", count: 4096 - 37) + #""}"#, says: ["apns-size fail payload"]),
    Row(
      name: "twice", payload: #"{"aps": {"content-available": 0, "content-available": 1}}"#,
      says: ["apns-repeated-keys fail aps.content-available"]),
    Row(name: "no headers given", payload: silent, headers: nil, says: ["apns-headers note headers"]),
    Row(
      name: "as an alert", payload: silent, headers: with("apns-push-type", "alert"),
      says: ["apns-push-type fail header apns-push-type"]),
    Row(
      name: "no type", payload: silent, headers: with("apns-push-type", nil),
      says: ["apns-push-type fail header apns-push-type"]),
    Row(
      name: "priority 10", payload: silent, headers: with("apns-priority", "10"),
      says: ["apns-priority fail header apns-priority"]),
    Row(
      name: "priority 1", payload: silent, headers: with("apns-priority", "1"),
      says: ["apns-priority fail header apns-priority"]),
    Row(
      name: "no priority", payload: silent, headers: with("apns-priority", nil),
      says: ["apns-priority fail header apns-priority"]),
    Row(
      name: "the topic of VoIP", payload: silent, headers: with("apns-topic", "com.example.demo.voip"),
      says: ["apns-topic fail header apns-topic"]),
    Row(
      name: "no topic", payload: silent, headers: with("apns-topic", nil), says: ["apns-topic fail header apns-topic"]),
    Row(
      name: "kept nowhere", payload: silent, headers: with("apns-expiration", "0"),
      says: ["apns-expiration warn header apns-expiration"]),
    Row(
      name: "expires tomorrow", payload: silent, headers: with("apns-expiration", "tomorrow"),
      says: ["apns-expiration fail header apns-expiration"]),
    Row(
      name: "no expiration", payload: silent, headers: with("apns-expiration", nil),
      says: ["apns-expiration note header apns-expiration"]),
    Row(
      name: "a long collapse id", payload: silent,
      headers: with("apns-collapse-id", String(repeating: "c", count: 65)),
      says: ["apns-collapse-id fail header apns-collapse-id"]),
  ]

  private static func message(_ rest: String, android: String = #""priority": "HIGH", "ttl": "86400s""#) -> String {
    #"{"message": {"token": "t", "android": {"# + android + "}, " + rest + "}}"
  }

  private static let fcm = [
    Row(name: "data", payload: message(#""data": {"job": "sync"}"#), says: []),
    Row(
      name: "data, as an Admin SDK takes it",
      payload: #"{"topic": "all", "data": {"job": "sync"}, "android": {"priority": "high", "ttl": "1s"}}"#, says: []),
    Row(name: "a list as a message", payload: #"{"token": "t", "message": [1]}"#, says: ["fcm-json fail message"]),
    Row(
      name: "the legacy API", payload: #"{"to": "t", "data": {"job": "sync"}}"#,
      says: [
        "fcm-api fail to", "fcm-target note token", "fcm-priority note android.priority", "fcm-ttl note android.ttl",
      ]),
    Row(
      name: "nobody", payload: #"{"message": {"data": {"a": "b"}, "android": {"priority": "HIGH", "ttl": "60s"}}}"#,
      says: ["fcm-target note message.token"]),
    Row(
      name: "a notification", payload: message(#""notification": {"title": "New"}, "data": {"job": "sync"}"#),
      says: ["fcm-data-message fail message.notification"]),
    Row(
      name: "a notification for Android",
      payload: message(
        #""data": {"job": "sync"}"#, android: #""priority": "HIGH", "ttl": "60s", "notification": {"title": "New"}"#),
      says: ["fcm-data-message fail message.android.notification"]),
    Row(name: "no data", payload: message(#""fcm_options": {}"#), says: ["fcm-data fail message.data"]),
    Row(
      name: "numbers and objects", payload: message(#""data": {"n": 1, "o": {}, "t": "x"}"#),
      says: ["fcm-data fail message.data.n", "fcm-data fail message.data.o"]),
    Row(
      name: "reserved keys", payload: message(#""data": {"from": "x", "google.a": "x", "gcm.b": "x", "fromage": "x"}"#),
      says: [
        "fcm-data-keys fail message.data.from", "fcm-data-keys fail message.data.google.a",
        "fcm-data-keys fail message.data.gcm.b",
      ]),
    Row(
      name: "normal priority",
      payload: message(#""data": {"a": "b"}"#, android: #""priority": "NORMAL", "ttl": "60s""#),
      says: ["fcm-priority note message.android.priority"]),
    Row(
      name: "no such priority", payload: message(#""data": {"a": "b"}"#, android: #""priority": 10, "ttl": "60s""#),
      says: ["fcm-priority fail message.android.priority"]),
    Row(
      name: "never stored", payload: message(#""data": {"a": "b"}"#, android: #""priority": "HIGH", "ttl": "0s""#),
      says: ["fcm-ttl warn message.android.ttl"]),
    Row(
      name: "a number of seconds", payload: message(#""data": {"a": "b"}"#, android: #""priority": "HIGH", "ttl": 60"#),
      says: ["fcm-ttl fail message.android.ttl"]),
    Row(
      name: "five weeks", payload: message(#""data": {"a": "b"}"#, android: #""priority": "HIGH", "ttl": "3024000s""#),
      says: ["fcm-ttl fail message.android.ttl"]),
    Row(
      name: "4,097 bytes", payload: message(#""data": {"a": ""# + String(repeating: "b", count: 4096) + #""}"#),
      says: ["fcm-size fail message.data"]),
    Row(
      name: "its part for APNs",
      payload: message(
        #""data": {"a": "b"}, "apns": {"headers": {"apns-push-type": "background", "apns-priority": "10", "apns-expiration": "1900000000"}, "payload": {"aps": {"contentAvailable": true}}}"#
      ),
      says: [
        "apns-content-available fail message.apns.payload.aps.contentAvailable",
        "apns-priority fail message.apns.headers.apns-priority",
      ]),
    Row(
      name: "its part for APNs without headers",
      payload: message(
        #""data": {"a": "b"}, "apns": {"payload": {"aps": {"content-available": 1}}}"#),
      says: ["apns-headers note message.apns.headers"]),
  ]

  private static let swiftpatch = [
    Row(
      name: "nested",
      payload:
        #"{"aps": {"content-available": 1}, "swiftpatch": {"event": "release", "appId": "app_1", "releaseHash": "h"}}"#,
      says: []),
    Row(
      name: "flat",
      payload: message(
        #""data": {"swiftpatch_event": "release", "swiftpatch_appId": "app_1", "swiftpatch_releaseHash": "h"}"#),
      says: []),
    Row(
      name: "nested as a text",
      payload: #"{"aps": {"content-available": 1}, "swiftpatch": "release"}"#, says: ["swiftpatch-form fail swiftpatch"]
    ),
    Row(
      name: "both forms",
      payload:
        #"{"aps": {"content-available": 1}, "swiftpatch": {"event": "release", "appId": "a", "releaseHash": "h"}, "swiftpatch_event": "release"}"#,
      says: ["swiftpatch-form warn swiftpatch"]),
    Row(
      name: "no event",
      payload: #"{"aps": {"content-available": 1}, "swiftpatch": {"appId": "a", "releaseHash": "h"}}"#,
      says: ["swiftpatch-event fail swiftpatch.event"]),
    Row(
      name: "no release, and a number for the app",
      payload: #"{"aps": {"content-available": 1}, "swiftpatch_event": "release", "swiftpatch_appId": 7}"#,
      says: ["swiftpatch-release warn swiftpatch_releaseHash", "swiftpatch-app fail swiftpatch_appId"]),
  ]

  @Test(arguments: [
    (#"{"message": {}}"#, Gateway.fcm), (#"{"token": "t"}"#, .fcm), (#"{"aps": {}}"#, .apns), ("{}", .apns),
    (#"{"aps": {}, "data": {"a": "b"}}"#, .apns), (#"{"data": {"a": "b"}}"#, .fcm),
  ]) func tellsTheGateway(_ payload: String, _ gateway: Gateway) throws {
    #expect(PushMessage(try JSONReader.read(Array(payload.utf8))).gateway == gateway)
  }

  @Test(arguments: [
    ("apns-priority: 5", "apns-priority", "5"), ("APNs-Priority=5", "apns-priority", "5"), ("a:b:c", "a", "b:c"),
  ]) func readsHeaders(_ text: String, _ name: String, _ value: String) throws {
    let header = try #require(PushMessage.header(text))
    #expect(header == (name, value))
    #expect(PushMessage.header("apns-priority") == nil)
    #expect(PushMessage.header(": 5") == nil)
  }
}
