import Lifecycle
import Synchronization
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

  /// The nine members of the union of events on docs.swiftpatch.io/sdk/events: only four of them have an `update`.
  @Test func itsJavaScriptEventsAreUnderstood() {
    let update = #""update":{"hash":"h2"}"#
    let told = [
      (#""type":"update-available",\#(update)"#, "available h2"),
      (#""type":"download-started","hash":"h2","sizeBytes":9"#, "downloadStarted h2"),
      (#""type":"download-progress","hash":"h2","loaded":1,"total":9"#, "downloadStarted h2"),
      (#""type":"download-complete","hash":"h2""#, "downloadCompleted h2"),
      (#""type":"update-ready",\#(update)"#, "ready h2"), (#""type":"update-applied",\#(update)"#, "applied h2"),
      (#""type":"update-dismissed",\#(update)"#, "dismissed h2"),
      (#""type":"rollback","reason":"boot loop""#, "failed - because rollback: boot loop"),
      (#""type":"error","error":{"code":"PATCH_ERROR","message":"m"}"#, "failed - because PATCH_ERROR"),
    ]
    for (members, event) in told {
      let decoded = decode(#"{"device":"d","trigger":"bgRefresh",\#(members)}"#)
      #expect(decoded.rejections == [])
      let words = event.split(separator: " ", maxSplits: 2).map(String.init)
      let expected = (words[0...1] + ["bgRefresh"] + words[2...]).joined(separator: " ")
      #expect(Asked(reply: .json("{}"), decoded: decoded).events == [expected])
    }
  }

  /// A word for a trigger stays one, and a slip is still one.
  @Test func aTypeThatIsNoStageIsNone() {
    for body in [#"{"device":"d","type":"bgRefresh"}"#, #"{"device":"d","type":"unheard-of"}"#] {
      #expect(decode(body).rejections.map(\.field) == ["stage"])
    }
    let decoded = decode(#"{"device":"d","stage":"check","type":"bgRefresh"}"#)
    #expect(Asked(reply: .json("{}"), decoded: decoded).events == ["check - bgRefresh"])
  }

  /// Beside fields of its own a word that nobody knows is one for a stage: the answer says which it may be.
  @Test func aWordForAStageThatNobodyKnowsIsNamed() throws {
    for body in [
      #"{"device":"d","type":"download_complete","hash":"abc","timestamp":1709542800}"#,
      #"{"device":"d","eventType":"download_complete","hash":"abc","timestamp":1709542800}"#,
    ] {
      let decoded = decode(body)
      #expect(decoded.rejections.map(\.code) == [.unknownStage])
      #expect(try #require(decoded.rejections.first).message.contains("did you mean"))
    }
  }

  /// A rollback is of what was installed last, an error of what is being fetched, and of nothing else.
  @Test func whatNamesNoReleaseIsAboutTheLast() {
    let memory = Mutex<[String: String]>([:])
    let named = NamedReleases(
      last: { _, device in memory.withLock { $0[device] } },
      note: { naming, _, device in memory.withLock { $0[device] = naming.words(after: $0[device]) ?? $0[device] } })
    func told(_ members: String) -> [String] {
      let body = Array(#"{"app":"a","device":"d",\#(members)}"#.utf8)
      let decoded = NativeDecoder(keys: keys).decode(
        body.span.bytes, .request(app: nil, received: noon, named: named))
      return Asked(reply: .json("{}"), decoded: decoded).events.map { $0.replacing(" unknown", with: "") }
    }
    let error = #""type":"error","error":{"code":"E"}"#
    #expect(told(error) == ["failed - because E"])
    _ = told(#""type":"download-started","hash":"h2""#)
    #expect(told(error) == ["failed h2 because E"] && told(error) == ["failed - because E"])
    _ = told(#""type":"update-applied","update":{"hash":"h2"}"#)
    _ = told(#""type":"update-available","update":{"hash":"h3"}"#)
    #expect(told(#""type":"rollback","reason":"crash""#) == ["rolledBack h2 because crash"])
    #expect(told(#""type":"rollback","reason":"crash""#) == ["rolledBack h2 because crash"], "sent again")
    #expect(told(error) == ["failed h3 because E"])
  }

  @Test func whatIsWrongBesideItIsStillSaid() {
    let decoded = decode(#"[{"device":"d","stage":"instaled"},\#(Self.rows[0].body),{"eventType":"INSTALLED_PROD"}]"#)
    #expect(decoded.batch.events.count == 1)
    #expect(decoded.rejections.map(\.index) == [0, 2])
    #expect(decoded.rejections.map(\.code) == [.unknownStage, .missingField])
  }
}
