import Lifecycle
import Testing

@testable import Ingest

/// What gateways answered becomes sent pushes, accepted or rejected by reason.
@Suite struct PushResultTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var name: String
    var body: String
    var events: [String]
    var testDescription: String { name }
  }

  static let rows = [
    Row(
      name: "FCM's multicast answer beside the devices",
      body: """
        {"app":"a","push":"p1","release":"h2","devices":["d1","d2"],"response":{"successCount":1,"failureCount":1,
         "responses":[{"success":true,"messageId":"m1"},
                      {"success":false,"error":{"code":"messaging/registration-token-not-registered"}}]}}
        """,
      events: [
        "pushSent h2 unknown accepted",
        "pushSent h2 unknown because messaging/registration-token-not-registered rejected",
      ]),
    Row(
      name: "FCM's old answer",
      body: #"{"app":"a","devices":["d1","d2"],"fcm":{"results":[{"message_id":"0:1"},{"error":"NotRegistered"}]}}"#,
      events: ["pushSent - unknown accepted", "pushSent - unknown because NotRegistered rejected"]),
    Row(
      name: "FCM's answer to one message",
      body: """
        {"app":"a","results":[{"device":"d1","fcm":{"name":"projects/x/messages/1"}},{"device":"d2","fcm":{"error":
         {"code":404,"status":"NOT_FOUND","details":[{"@type":"…FcmError","errorCode":"UNREGISTERED"}]}}}]}
        """,
      events: ["pushSent - unknown accepted", "pushSent - unknown because UNREGISTERED rejected"]),
    Row(
      name: "APNs, status and reason",
      body: """
        [{"app":"a","device":"d1","at":"2024-03-04T09:00:00Z","apns":{"status":200,"apns-id":"A1"}},
         {"app":"a","device":"d2","apns":{"status":410,"apns-id":"A2","body":{"reason":"Unregistered"}}},
         {"app":"a","device":"d3","status":400,"reason":"BadDeviceToken"},{"app":"a","device":"d4","apns":{"status":503}}]
        """,
      events: [
        "pushSent - unknown accepted at 2024-03-04T09:00:00Z", "pushSent - unknown because Unregistered rejected",
        "pushSent - unknown because BadDeviceToken rejected", "pushSent - unknown because status 503 rejected",
      ]),
    Row(
      name: "a word for all", body: #"{"app":"a","push":"p1","devices":["d1","d2"],"answer":"accepted"}"#,
      events: ["pushSent - unknown accepted", "pushSent - unknown accepted"]),
    Row(
      name: "fewer answers than devices",
      body: #"{"app":"a","push":"p1","devices":["d1","d2"],"responses":[{"success":true}]}"#,
      events: ["pushSent - unknown accepted", "pushSent - unknown accepted"]),
  ]

  @Test(arguments: rows) func answersOfGatewaysBecomeSentPushes(_ row: Row) throws {
    let asked = try #require(ask("POST", "/v1/push-results", row.body))
    #expect(asked.events == row.events)
    #expect(asked.reply.status == 200)
  }

  @Test func aPushIsKnownByItsNameOrByTheGateways() throws {
    let named = try #require(
      ask("POST", "/v1/push-results", #"{"app":"a","push":"p1","devices":["d1"],"answer":"ok"}"#))
    #expect(named.decoded.batch.events.map(\.push) == [keys.push(app: "a", id: "p1")])
    let gateway = try #require(
      ask("POST", "/v1/push-results", #"{"app":"a","device":"d1","apns":{"status":200,"apns-id":"A1"}}"#))
    #expect(gateway.decoded.batch.events.map(\.push) == [keys.push(app: "a", id: "A1")])
  }

  @Test(arguments: ["7", "{}", "[]", #"{"results":[]}"#]) func nobodyToTellOfIsRefused(_ body: String) throws {
    let asked = try #require(ask("POST", "/v1/push-results", body))
    #expect(asked.reply.status == 400 && asked.text.contains(#""error":{"code":"malformed""#))
  }
}
