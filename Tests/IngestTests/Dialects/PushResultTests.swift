import Lifecycle
import Testing

@testable import Ingest

/// What gateways answered becomes sent pushes, accepted or rejected by reason.
@Suite struct PushResultTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var name: String
    var body: String
    var events: [String]
    var unclear = 0
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
      events: ["pushSent - unknown accepted"], unclear: 1),
    // firebase/firebase-admin-node, src/messaging/messaging-api.ts, BatchResponse and MessagingDevicesResponse.
    Row(
      name: "FCM's counts without answers: all failed",
      body: #"{"app":"a","devices":["d1","d2"],"response":{"responses":[],"successCount":0,"failureCount":2}}"#,
      events: ["pushSent - unknown because failed rejected", "pushSent - unknown because failed rejected"]),
    Row(
      name: "FCM's counts without answers: all were taken",
      body: #"{"app":"a","devices":["d1","d2"],"response":{"success":2,"failure":0,"results":[]}}"#,
      events: ["pushSent - unknown accepted", "pushSent - unknown accepted"]),
    Row(
      name: "FCM's counts without answers: nobody knows which",
      body: #"{"app":"a","devices":["d1","d2"],"response":{"responses":[],"successCount":1,"failureCount":1}}"#,
      events: [], unclear: 2),
    Row(
      name: "FCM's counts without answers: of fewer than were sent to",
      body: #"{"app":"a","devices":["d1","d2"],"response":{"failureCount":1,"responses":[]}}"#,
      events: [], unclear: 2),
    // expo/expo-server-sdk-node, src/ExpoClient.ts: ExpoPushTicket and ExpoPushReceipt.
    Row(
      name: "Expo's tickets in the order of the devices",
      body: """
        {"app":"a","devices":["d1","d2"],"response":{"data":[{"status":"ok","id":"T1"},
         {"status":"error","message":"not registered","details":{"error":"DeviceNotRegistered"}}]}}
        """,
      events: ["pushSent - unknown accepted", "pushSent - unknown because DeviceNotRegistered rejected"]),
    Row(
      name: "an Expo ticket each",
      body: """
        [{"app":"a","device":"d1","ticket":{"status":"error","message":"too big"}},
         {"app":"a","device":"d2","receipt":{"status":"ok"}},{"app":"a","device":"d3","status":"error"}]
        """,
      events: [
        "pushSent - unknown because too big rejected", "pushSent - unknown accepted",
        "pushSent - unknown because error rejected",
      ]),
    // The same file, `getPushNotificationReceiptsAsync` (expo/expo-server-sdk-node at 01438d33): a map by ticket.
    Row(
      name: "Expo's receipts by ticket",
      body: """
        {"app":"a","push":"p","tokens":{"T1":"d1","T2":"d2"},"receipts":{"T1":{"status":"ok"},"T2":{"status":"error",
         "message":"\\"Expo[x]\\" is not registered","details":{"error":"DeviceNotRegistered"}}}}
        """,
      events: ["pushSent - unknown accepted", "pushSent - unknown because DeviceNotRegistered rejected"]),
    Row(
      name: "Expo's receipts as its server sends them",
      body: #"{"app":"a","push":"p","response":{"data":{"T1":{"status":"ok"}}}}"#,
      events: ["pushSent - unknown accepted"]),
    // OneSignal's REST API, "Create notification": `errors` is a list of words, or the ids that were not reached.
    Row(
      name: "OneSignal took nobody",
      body: #"{"app":"a","devices":["d1"],"response":{"id":"","errors":["All included players are not subscribed"]}}"#,
      events: ["pushSent - unknown because All included players are not subscribed rejected"]),
    Row(
      name: "OneSignal took some",
      body: """
        {"app":"a","devices":["d1","d2"],"response":{"id":"N1","recipients":1,"errors":{"invalid_player_ids":["d2"]}}}
        """,
      events: ["pushSent - unknown accepted", "pushSent - unknown because invalid_player_ids rejected"]),
    Row(
      name: "OneSignal names aliases",
      body: """
        {"app":"a","devices":["d1","d2"],"response":{"id":"N1","external_id":null,
         "errors":{"invalid_aliases":{"external_id":["d2"]}}}}
        """,
      events: ["pushSent - unknown accepted", "pushSent - unknown because invalid_aliases rejected"]),
    Row(
      name: "OneSignal says what is wrong without saying with whom",
      body: #"{"app":"a","devices":["d1"],"response":{"id":"N1","errors":{"invalid_aliases":"some"}}}"#,
      events: [], unclear: 1),
    Row(
      name: "OneSignal names devices by ids of its own",
      body: #"{"app":"a","devices":["d1"],"response":{"id":"N1","errors":{"invalid_player_ids":["other"]}}}"#,
      events: [], unclear: 1),
    Row(
      name: "OneSignal took all", body: #"{"app":"a","devices":["d1"],"response":{"id":"N1","recipients":1}}"#,
      events: ["pushSent - unknown accepted"]),
    // @parse/node-apn 7.1.0 (parse-community/node-apn at 1db632db), lib/provider.js `send` and lib/client.js `write`,
    // `request`: what `provider.send` resolves to. An error is a VError, whose own fields JSON shows.
    Row(
      name: "node-apn 7's lists, with the ids of APNs",
      body: """
        {"app":"a","release":"2.0.1",
         "sent":[{"device":"d1","apns-unique-id":"U1","apns-id":"A1"},{"device":"d2","apns-id":"A2"}],
         "failed":[{"device":"d3","apns-id":"A3","status":410,"response":{"reason":"Unregistered","timestamp":1709539200000}},
          {"device":"d4","apns-id":"A4","status":403,"error":{"jse_shortmsg":"ExpiredProviderToken","jse_info":{},
           "message":"ExpiredProviderToken"}},
          {"device":"d5","error":{"jse_shortmsg":"apn write timeout","jse_info":{},"message":"apn write timeout"}}]}
        """,
      events: [
        "pushSent 2.0.1 unknown accepted", "pushSent 2.0.1 unknown accepted",
        "pushSent 2.0.1 unknown because Unregistered rejected",
        "pushSent 2.0.1 unknown because ExpiredProviderToken rejected",
        "pushSent 2.0.1 unknown because apn write timeout rejected",
      ]),
    Row(
      name: "node-apn's lists",
      body: """
        {"app":"a","push":"p1","sent":[{"device":"d1"}],"failed":[{"device":"d2","status":"410",
         "response":{"reason":"Unregistered","timestamp":1}},{"device":"d3","error":{"message":"socket closed"}}]}
        """,
      events: [
        "pushSent - unknown accepted", "pushSent - unknown because Unregistered rejected",
        "pushSent - unknown because socket closed rejected",
      ]),
    Row(
      name: "node-apn's lists in a logger's line",
      body: """
        {"level":30,"time":1709539200000,"msg":"pushed","app":"a","push":"p1","release":"2.0.1",
         "result":{"sent":[{"device":"d1"}],"failed":[{"device":"d2","status":"410","response":{"reason":"Unregistered"}}]}}
        """,
      events: [
        "pushSent 2.0.1 unknown accepted at 2024-03-04T08:00:00Z",
        "pushSent 2.0.1 unknown because Unregistered rejected at 2024-03-04T08:00:00Z",
      ]),
    Row(
      name: "an APNs body kept as text",
      body: """
        [{"app":"a","device":"d1","apns":{"apns-id":"A","body":"{\\"reason\\":\\"BadDeviceToken\\"}"}},
         {"app":"a","device":"d2","apns":"{\\"reason\\":\\"Unregistered\\"}"},
         {"app":"a","device":"d3","apns":{"status":200,"body":""}}]
        """,
      events: [
        "pushSent - unknown because BadDeviceToken rejected", "pushSent - unknown because Unregistered rejected",
        "pushSent - unknown accepted",
      ]),
    Row(
      name: "what nobody understands beside what is",
      body: """
        [{"app":"a","device":"d1","answer":"perhaps"},{"app":"a","device":"d2","answer":{"apns-id":"A"}},
         {"app":"a","device":"d3","answer":7},{"app":"a","device":"d4","answer":"ok"}]
        """,
      events: ["pushSent - unknown accepted"], unclear: 3),
  ]

  @Test(arguments: [
    #"{"app":"a","devices":["d1"]}"#, #"{"app":"a","device":"d1"}"#,
    #"{"app":"a","devices":["d1"],"answer":"perhaps"}"#,
    #"{"app":"a","devices":["d1"],"response":{}}"#,
  ]) func answersThatNobodyUnderstandsAreRefused(_ body: String) throws {
    let asked = try #require(ask("POST", "/v1/push-results", body))
    #expect(asked.reply.status == 400 && asked.text.contains(#""error":{"code":"all_rejected""#))
    #expect(asked.text.contains("neither accepted nor rejected"), "\(asked.text)")
  }

  @Test(arguments: rows) func answersOfGatewaysBecomeSentPushes(_ row: Row) throws {
    let asked = try #require(ask("POST", "/v1/push-results", row.body))
    #expect(asked.events == row.events)
    #expect(asked.reply.status == (row.events.isEmpty ? 400 : 200))
    #expect(asked.decoded.rejections.map(\.code) == Array(repeating: .unknownOutcome, count: row.unclear))
    #expect(asked.text.contains(#""rejected":\#(row.unclear),"#), "\(asked.text)")
  }

  @Test func aPushIsKnownByItsNameOrByTheGateways() throws {
    let named = try #require(
      ask("POST", "/v1/push-results", #"{"app":"a","push":"p1","devices":["d1"],"answer":"ok"}"#))
    #expect(named.decoded.batch.events.map(\.push) == [keys.push(app: "a", id: "p1")])
    let gateway = try #require(
      ask("POST", "/v1/push-results", #"{"app":"a","device":"d1","apns":{"status":200,"apns-id":"A1"}}"#))
    #expect(gateway.decoded.batch.events.map(\.push) == [keys.push(app: "a", id: "A1")])
    let listed = try #require(
      ask("POST", "/v1/push-results", #"{"app":"a","sent":[{"device":"d1","apns-id":"A1"}],"failed":[]}"#))
    #expect(listed.decoded.batch.events.map(\.push) == [keys.push(app: "a", id: "A1")])
  }

  /// An answer names tokens; the app sends the installation's id.
  @Test(arguments: [
    #""sent":[{"device":"t1"}],"failed":[{"device":"t2","status":410,"response":{"reason":"Unregistered"}}]"#,
    #""devices":["t1","t2"],"response":{"id":"N1","errors":{"invalid_player_ids":["t2"]}}"#,
    #""results":[{"device":"t1","apns":{"status":200}},{"device":"t2","apns":"BadDeviceToken"}]"#,
  ]) func tokensAreTheDevicesThatHaveThem(_ answer: String) throws {
    let asked = try #require(
      ask("POST", "/v1/push-results", #"{"app":"a","push":"p","tokens":{"t1":"d1","t2":"d2","t3":"d3"},\#(answer)}"#))
    #expect(asked.decoded.batch.events.map(\.outcome) == [.accepted, .rejected])
    #expect(asked.decoded.batch.events.map(\.device) == ["d1", "d2"].map { keys.device(app: "a", id: $0) })
  }

  @Test(arguments: ["7", "{}", "[]", #"{"results":[]}"#]) func nobodyToTellOfIsRefused(_ body: String) throws {
    let asked = try #require(ask("POST", "/v1/push-results", body))
    #expect(asked.reply.status == 400 && asked.text.contains(#""error":{"code":"malformed""#))
  }
}
