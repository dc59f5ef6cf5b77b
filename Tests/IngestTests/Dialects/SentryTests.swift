import Lifecycle
import Testing

@testable import Ingest

/// Which breadcrumbs are events, and how envelopes are taken apart.
@Suite struct SentryTests {
  static let envelope = "/api/42/envelope/"

  static func event(_ crumbs: String, _ more: String = "") -> String {
    """
    {"event_id":"9ec79c33ec9942ab8353589fcb2e04dc","release":"com.example.app@4.2.0+120","user":{"id":"install-7"},\
    "contexts":{"os":{"name":"iOS","version":"17.4"}},\(more)"breadcrumbs":{"values":[\(crumbs)]}}
    """
  }

  static func wrapped(_ payload: String, type: String = "event", headers: String = "{}") -> String {
    headers + "\n" + #"{"type":"\#(type)","length":\#(payload.utf8.count)}"# + "\n" + payload + "\n"
  }

  struct Crumb: CustomTestStringConvertible, Sendable {
    var crumb: String
    var event: String?
    var testDescription: String { crumb }
  }

  static let crumbs = [
    Crumb(
      crumb: #"{"type":"silentPush","category":"swiftpatch","data":{"event":"update-ready","releaseHash":"h2"}}"#,
      event: "ready h2 silentPush"),
    Crumb(
      crumb: #"{"type":"silentPush","category":"swiftpatch","message":"Silent push received"}"#,
      event: "pushReceived - silentPush"),
    Crumb(
      crumb: #"{"type":"bgRefresh","data":{"stage":"downloadCompleted","release":"h2"}}"#,
      event: "downloadCompleted h2 bgRefresh"),
    Crumb(crumb: #"{"type":"bgRefresh","category":"swiftpatch"}"#, event: "wakeStarted - bgRefresh"),
    Crumb(
      crumb: #"{"category":"ota.lifecycle","message":"applied","data":{"mechanism":"foreground","release":"h2"}}"#,
      event: "applied h2 foreground"),
    Crumb(
      crumb: #"{"category":"ota.ready","data":{"mechanism":"silent_push","update_id":"h2","from":"h1"}}"#,
      event: "ready h2 silentPush from h1"),
    Crumb(
      crumb: #"{"category":"swiftpatch","data":{"eventType":"DOWNLOAD_PROD_FAILED","releaseHash":"h2"}}"#,
      event: "failed h2 unknown because download"),
    Crumb(
      crumb: #"{"category":"swiftpatch","message":"rollback","data":{"hash":"h2","reason":"boot loop"}}"#,
      event: "rolledBack h2 unknown because boot loop"),
    Crumb(
      crumb: #"{"category":"updates","data":{"event":"update-ready","update":{"id":"r9","hash":"h9"}}}"#,
      event: "ready h9 unknown"),
    Crumb(crumb: #"{"category":"console","message":"ready"}"#, event: nil),
    Crumb(crumb: #"{"type":"error","category":"exception","message":"failed","data":{"code":3}}"#, event: nil),
    Crumb(crumb: #"{"type":"http","category":"http","data":{"url":"/check","status_code":200}}"#, event: nil),
    Crumb(crumb: #"{"type":"navigation","category":"navigation","data":{"from":"a","to":"b"}}"#, event: nil),
    Crumb(crumb: #"{"category":"update","message":"so much text that no stage is named by it"}"#, event: nil),
    Crumb(crumb: "7", event: nil),
  ]

  @Test(arguments: crumbs) func breadcrumbsThatNameStagesBecomeEvents(_ row: Crumb) throws {
    let asked = try #require(ask("POST", Self.envelope, Self.wrapped(Self.event(row.crumb))))
    #expect(asked.events == [row.event].compactMap(\.self))
    #expect(asked.text == #"{"id":"9ec79c33ec9942ab8353589fcb2e04dc"}"#)
    #expect(asked.heard?.dropped["other_breadcrumb"] == (row.event == nil ? 1 : nil))
  }

  @Test func theEventSaysWhoAndWhere() throws {
    let crumb = #"{"timestamp":1709542800.25,"category":"ota.applied","data":{"release":"h2"}}"#
    let tags = #""tags":[["ota.channel","beta"],["ota.mechanism","bgRefresh"]],"#
    let asked = try #require(ask("POST", Self.envelope, Self.wrapped(Self.event(crumb, tags))))
    #expect(asked.events == ["applied h2 bgRefresh at 2024-03-04T09:00:00.250Z on beta"])
    #expect(
      asked.context
        == Context(app: "com.example.app", channel: "beta", platform: "ios", osVersion: "17.4", appVersion: "4.2.0"))
  }

  /// `model` of the device's context, as SDKs send it (sentry-java at cb2f4614, DeviceInfoUtil.java; sentry-cocoa
  /// has the machine there, `iPhone14,3`); logs have it as an attribute.
  @Test func theModelIsThatOfTheDevicesContext() throws {
    let crumb = #"{"category":"ota.applied","data":{"release":"h2"}}"#
    let event = Self.event(crumb).replacing(
      #""os":{"#, with: #""device":{"model":"iPhone14,3","family":"iPhone"},"os":{"#)
    let asked = try #require(ask("POST", Self.envelope, Self.wrapped(event)))
    #expect(asked.context?.traits == "deviceModel=iPhone14,3")
    let said = [
      "device.id": "d", "device.model": "Pixel 8", "ota.mechanism": "foreground", "ota.release": "h2",
      "sentry.release": "a@1",
    ]
    let log = Self.log("applied", said)
    #expect(try #require(ask("POST", Self.envelope, log)).context?.traits == "deviceModel=Pixel 8")
  }

  @Test func aBreadcrumbOfTwoEventsIsOneEvent() throws {
    let first = #"{"timestamp":1709542800.25,"category":"ota.ready","data":{"release":"h2"}}"#
    let second = #"{"timestamp":1709542801.5,"category":"ota.applied","data":{"release":"h2"}}"#
    let one = try #require(ask("POST", Self.envelope, Self.wrapped(Self.event(first))))
    let both = try #require(ask("POST", Self.envelope, Self.wrapped(Self.event(first + "," + second))))
    #expect(both.decoded.batch.events.count == 2)
    #expect(one.decoded.batch.events[0].identity == both.decoded.batch.events[0].identity)
  }

  @Test func clocksAreSetRightByTheTimeOfSending() throws {
    let crumb = #"{"timestamp":"2024-03-04T11:00:00Z","category":"ota.ready","data":{"release":"h2"}}"#
    let late = Self.wrapped(Self.event(crumb), headers: #"{"sent_at":"2024-03-04T11:30:00Z"}"#)
    #expect(try #require(ask("POST", Self.envelope, late)).events == ["ready h2 unknown at 2024-03-04T11:30:00Z"])
  }

  struct Proof: Sendable {
    var target = SentryTests.envelope
    var headers: [String: String] = [:]
    var envelope = "{}"
    var key: String?
  }

  @Test(arguments: [
    Proof(headers: ["x-sentry-auth": "Sentry sentry_key=abc, sentry_version=7, sentry_client=x/1"], key: "abc"),
    Proof(headers: ["authorization": "Sentry sentry_version=7,sentry_key=abc"], key: "abc"),
    Proof(target: "/api/42/envelope/?sentry_version=7&sentry_key=abc", key: "abc"),
    Proof(envelope: #"{"dsn":"https://abc:secret@sentry.example/7/42"}"#, key: "abc"),
    Proof(envelope: #"{"dsn":"nonsense"}"#, key: nil),
    Proof(),
  ])
  func theKeyOfTheDSNComesInManyWays(_ proof: Proof) throws {
    let parts = proof.target.split(separator: "?").map(String.init)
    let query = (parts.count > 1 ? parts[1] : "").split(separator: "&").map {
      $0.split(separator: "=").map(String.init)
    }
    let request = ForeignRequest(query: query.map { (name: $0[0], value: $0[1]) }, headers: proof.headers)
    let route = try #require(Dialect.routes.first { $0.path == "/api/{project}/envelope/" })
    guard case .besideOrFirstLine(let beside, let inside) = route.dialect.proof else {
      Issue.record("an envelope may prove itself")
      return
    }
    #expect((beside(request) ?? inside(Array(proof.envelope.utf8)[...])) == proof.key)
  }

  static func log(_ body: String, _ attributes: [String: String]) -> String {
    let pairs = attributes.sorted { $0.key < $1.key }.map {
      #""\#($0.key)":{"value":"\#($0.value)","type":"string"}"#
    }
    let record = """
      {"timestamp":1709542800.25,"level":"info","body":"\(body)","attributes":{\(pairs.joined(separator: ","))}}
      """
    return wrapped(#"{"version":2,"items":[\#(record),{"body":"ready","attributes":{}}]}"#, type: "log")
  }

  @Test(arguments: [
    (body: "update went on", more: ["ota.stage": "ready", "ota.mechanism": "silentPush", "ota.release": "h2"]),
    (body: "ready", more: ["mechanism": "silent_push", "update_id": "h2"]),
  ])
  func logsThatNameStageAndMechanismBecomeEvents(_ row: (body: String, more: [String: String])) throws {
    let device = ["user.id": "install-7", "os.name": "iOS", "sentry.release": "com.example.app@4.2.0+120"]
    let asked = try #require(ask("POST", Self.envelope, Self.log(row.body, row.more.merging(device) { $1 })))
    #expect(asked.events == ["ready h2 silentPush at 2024-03-04T09:00:00.250Z"])
    #expect(asked.apps == ["com.example.app"] && asked.context?.platform == "ios")
    #expect(asked.heard?.dropped == ["item_log": 1])
    let nobody = try #require(ask("POST", Self.envelope, Self.log(row.body, row.more)))
    #expect(nobody.heard?.dropped == ["item_log": 1, "no_device": 1])
  }

  @Test(arguments: [
    (body: "ready", more: ["ota.release": "h2"]), (body: "hello", more: ["ota.mechanism": "bgRefresh"]),
    (body: "failed", more: ["os.name": "iOS"]),
  ])
  func otherLogsAreDropped(_ row: (body: String, more: [String: String])) throws {
    let asked = try #require(
      ask("POST", Self.envelope, Self.log(row.body, row.more.merging(["user.id": "i"]) { $1 })))
    #expect(asked.events == [] && asked.heard?.dropped == ["item_log": 2])
  }

  @Test func otherItemsAreCountedAndDropped() throws {
    let body =
      "{}\n" + #"{"type":"session"}"# + "\n" + #"{"sid":"1"}"# + "\n" + #"{"type":"client_report"}"# + "\n{}\n"
      + #"{"type":"from_the_future","length":3}"# + "\nabc\n"
    let asked = try #require(ask("POST", Self.envelope, body))
    #expect(asked.reply == .json("{}"))
    #expect(asked.heard?.dropped == ["item_session": 1, "item_client_report": 1, "item_other": 1])
  }

  @Test func whatIsGoodBeforeABrokenItemIsKept() throws {
    let good = Self.wrapped(Self.event(#"{"category":"ota.ready","data":{"release":"h2"}}"#))
    for broken in [#"{"type":"event","length":9999}"# + "\n{}", "nonsense\n", #"{"length":3}"# + "\nabc"] {
      let asked = try #require(ask("POST", Self.envelope, good + broken))
      #expect(asked.events == ["ready h2 unknown"])
      #expect(asked.heard?.dropped["malformed_item"] == 1)
      #expect(asked.reply.status == 200)
    }
  }

  @Test func storeTakesABareEvent() throws {
    let body = Self.event(#"{"category":"ota.ready","data":{"release":"h2"}}"#)
    #expect(try #require(ask("POST", "/api/42/store/", body)).events == ["ready h2 unknown"])
  }

  @Test(arguments: ["", "nonsense", "[]", "7\n"]) func whatIsNoEnvelopeIsRefusedInSentrysShape(_ body: String) throws {
    let asked = try #require(ask("POST", Self.envelope, body))
    #expect(asked.reply.status == 400 && asked.text.hasPrefix(#"{"detail":"invalid event envelope"#))
  }

  @Test func refusalsAreSaidAsSDKsExpect() throws {
    let route = try #require(Dialect.routes.first { $0.path == "/api/{project}/envelope/" })
    let busy = route.dialect.answer(ForeignRequest(), nil, .refused(DialectProblem(.busy(seconds: 2), "later")))
    #expect(busy.status == 429 && busy.headers["X-Sentry-Rate-Limits"] == "2::organization")
    let key = route.dialect.answer(ForeignRequest(), nil, .refused(DialectProblem(.wrongKey, "who?")))
    #expect(key.status == 403)
    let limited = route.dialect.answer(ForeignRequest(), nil, .refused(DialectProblem(.limited(seconds: 9), "slower")))
    #expect(limited.status == 429 && limited.headers["X-Sentry-Rate-Limits"] == "9::key")
    #expect(limited.headers["Retry-After"] == "9")
  }
}
