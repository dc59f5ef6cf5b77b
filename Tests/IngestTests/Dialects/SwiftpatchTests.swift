import Lifecycle
import Testing

@testable import Ingest

/// Swiftpatch's own shapes inside native bodies.
@Suite struct SwiftpatchTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var body: String
    var event: String
    var testDescription: String { body }
  }

  static let rows = [
    Row(
      body: #"{"device":"d","id":"e1","eventType":"INSTALLED_PROD","timestamp":1709542800,"releaseHash":"h2"}"#,
      event: "ready h2 unknown at 2024-03-04T09:00:00Z"),
    Row(
      body: """
        {"device":"d","eventType":"DOWNLOAD_PROD_FAILED","timestamp":1709542800250,"releaseHash":"h2",\
        "errorMessage":"no space","metadata":{"trigger":"silentPush"}}
        """,
      event: "failed h2 silentPush because no space at 2024-03-04T09:00:00.250Z"),
    Row(
      body: #"{"device":"d","type":"update-ready","update":{"id":"r9","hash":"h9"},"trigger":"bgRefresh"}"#,
      event: "ready h9 bgRefresh"),
    Row(body: #"{"device":"d","stage":"update-applied","update":{"id":"r9"}}"#, event: "applied r9 unknown"),
    Row(body: #"{"device":"d","stage":"ready","release":"h1","update":{"hash":"h2"}}"#, event: "ready h1 unknown"),
    Row(
      body: """
        {"device":"d","swiftpatch":{"event":"release","appId":"com.example.demo","releaseHash":"h2"},\
        "appState":"background"}
        """,
      event: "pushReceived h2 silentPush"),
    Row(
      body: """
        {"device":"d","swiftpatch_event":"release","swiftpatch_appId":"com.example.demo","swiftpatch_releaseHash":"h2",\
        "appState":"inactive","appIsStarting":true}
        """,
      event: "pushReceived h2 foreground"),
    Row(
      body: #"{"device":"d","userInfo":{"aps":{},"swiftpatch":{"event":"release","releaseHash":"h2"}}}"#,
      event: "pushReceived h2 unknown"),
    Row(
      body: #"{"device":"d","swiftpatch":{"event":"release","releaseHash":"h2"},"outcome":"accepted"}"#,
      event: "pushSent h2 unknown accepted"),
    Row(
      body: #"{"device":"d","stage":"pushSent","swiftpatch":{"releaseHash":"h2"},"apns":"rejected"}"#,
      event: "pushSent h2 unknown rejected"),
    Row(body: #"{"device":"d","stage":"check","update":"none"}"#, event: "check - unknown"),
    Row(
      body:
        #"{"device":"d","data":{"swiftpatch_event":"release","swiftpatch_releaseHash":"h2"},"appState":"background"}"#,
      event: "pushReceived h2 silentPush"),
    Row(
      body:
        #"{"device":"d","data":{"swiftpatch_event":"release","swiftpatch_release_hash":"h2"},"from":"/topics/all"}"#,
      event: "pushReceived h2 unknown from /topics/all"),
    Row(
      body: #"{"device":"d","data":{"swiftpatch":{"event":"release","releaseHash":"h2"}},"fcm":"accepted"}"#,
      event: "pushSent h2 unknown accepted"),
    Row(body: #"{"device":"d","stage":"check","data":{"anything":1}}"#, event: "check - unknown"),
  ]

  /// A payload that shows nobody anything woke the app, wherever the client puts it. What is shown may have been tapped,
  /// and what the app's state tells goes first.
  static let payloads = [
    Row(
      body: #"{"device":"d","userInfo":{"aps":{"content-available":1},"swiftpatch":{"releaseHash":"h2"}}}"#,
      event: "pushReceived h2 silentPush"),
    Row(
      body: #"{"device":"d","aps":{"content-available":1},"swiftpatch":{"event":"release","releaseHash":"h2"}}"#,
      event: "pushReceived h2 silentPush"),
    Row(
      body: #"{"device":"d","stage":"pushReceived","release":"h2","payload":{"aps":{"content-available":1}}}"#,
      event: "pushReceived h2 silentPush"),
    Row(
      body:
        #"{"device":"d","userInfo":{"aps":{"content-available":1,"alert":"new"},"swiftpatch":{"releaseHash":"h2"}}}"#,
      event: "pushReceived h2 unknown"),
    Row(
      body: #"{"device":"d","userInfo":{"aps":{"content-available":0},"swiftpatch":{"releaseHash":"h2"}}}"#,
      event: "pushReceived h2 unknown"),
    Row(
      body: #"{"device":"d","appState":"active","aps":{"content-available":1},"swiftpatch":{"releaseHash":"h2"}}"#,
      event: "pushReceived h2 foreground"),
    Row(
      body: #"{"device":"d","trigger":"location","aps":{"content-available":1},"swiftpatch":{"releaseHash":"h2"}}"#,
      event: "pushReceived h2 location"),
    Row(
      body: #"{"device":"d","apns":"accepted","aps":{"content-available":1},"swiftpatch":{"releaseHash":"h2"}}"#,
      event: "pushSent h2 unknown accepted"),
    Row(
      body: #"{"device":"d","stage":"ready","release":"h2","aps":{"content-available":1}}"#, event: "ready h2 unknown"),
  ]

  @Test(arguments: rows + payloads) func itsShapesAreUnderstood(_ row: Row) {
    let decoded = decode(row.body)
    #expect(decoded.rejections == [])
    #expect(Asked(reply: .json("{}"), decoded: decoded).events == [row.event])
  }

  /// The vendor's number of an app is no app of ours: a key says which app it is for, and nothing in a payload changes it.
  @Test func theVendorsIdOfTheAppIsNotComparedWithTheKeys() {
    for place in [
      "\"swiftpatch\":{\"appId\":\"app_1\",\"releaseHash\":\"h2\"}",
      "\"swiftpatch_event\":\"release\",\"swiftpatch_appId\":\"app_1\",\"swiftpatch_releaseHash\":\"h2\"",
      "\"data\":{\"swiftpatch_event\":\"release\",\"swiftpatch_app_id\":\"app_1\",\"swiftpatch_releaseHash\":\"h2\"}",
    ] {
      let known = decode("{\"device\":\"d\",\(place)}", app: "com.example.demo")
      #expect(known.rejections == [] && known.batch.contexts.map(\.app) == ["com.example.demo"])
      let open = decode("{\"device\":\"d\",\(place)}", app: nil)
      #expect(open.batch.contexts.map(\.app) == ["app_1"], "where nothing else names one")
      let other = decode("{\"device\":\"d\",\"app\":\"com.example.other\",\(place)}", app: "com.example.demo")
      #expect(other.rejections.map(\.code) == [.wrongApp])
    }
  }

  @Test func inListsAndLinesAndEnvelopesToo() {
    let (old, new) = (#"{"device":"d","stage":"check"}"#, Self.rows[0].body)
    for body in [
      "[\(old),\(new)]", "\(old)\n\(new)\n", #"{"sentAt":"2024-03-04T12:00:00Z","events":[\#(old),\#(new)]}"#,
    ] {
      let decoded = decode(body)
      #expect(Asked(reply: .json("{}"), decoded: decoded).events == ["check - unknown", Self.rows[0].event])
    }
  }

  /// `data` and `timestamp` are fields that clients grow: what another event, or a word somewhere, is about is not theirs.
  @Test func othersFieldsStayWhatTheyAre() {
    let odd = #"{"device":"d","stage":"check","timestamp":12,"hash":"x","data":{"screen":"update"}}"#
    for body in [odd, "[\(odd),\(Self.rows[0].body)]"] {
      let decoded = decode(body)
      #expect(decoded.rejections == [])
      #expect(Asked(reply: .json("{}"), decoded: decoded).events.first == "check - unknown")
    }
  }

  /// What a request says of all its events is not guessed otherwise.
  @Test func theTriggerOfARequestCounts() {
    let body = Array(#"{"device":"d","app":"a","stage":"pushReceived","aps":{"content-available":1}}"#.utf8)
    for (said, kept) in [(Trigger.foreground, Trigger.foreground), (.unknown, .silentPush)] {
      let reception = Reception.request(app: nil, received: noon, sentAt: nil, trigger: said)
      let decoded = NativeDecoder(keys: keys).decode(body.span.bytes, as: .json, reception)
      #expect(decoded.batch.events.map(\.trigger) == [kept])
    }
  }

  @Test func whatIsWrongBesideItIsStillSaid() {
    let decoded = decode(#"[{"device":"d","stage":"instaled"},\#(Self.rows[0].body),{"eventType":"INSTALLED_PROD"}]"#)
    #expect(decoded.batch.events.count == 1)
    #expect(decoded.rejections.map(\.index) == [0, 2])
    #expect(decoded.rejections.map(\.code) == [.unknownStage, .missingField])
  }
}
