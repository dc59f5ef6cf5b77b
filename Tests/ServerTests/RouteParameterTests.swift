import Foundation
import HTTP
import Ingest
import Lifecycle
import Store
import Testing

@testable import Server

/// A parameter that is not understood asks for something else than what would be answered, or done: it is refused.
struct RouteParameterTests {
  private let served: ServedDatabase

  init() throws {
    served = try ServedDatabase()
    for app in ["a", "b"] {
      _ = served.ask("PUT", "/v1/releases/1.0", #"{"app":"\#(app)","publishedAt":"2025-03-01T00:00:00Z"}"#)
      _ = served.ask("POST", "/v1/events", #"{"device":"d","stage":"check","app":"\#(app)","release":"1.0"}"#)
    }
  }

  private func apps() -> [String] {
    let object = try? JSONSerialization.jsonObject(with: Data(served.ask("GET", "/v1/releases").body)) as? [String: Any]
    return (object?["data"] as? [[String: Any]] ?? []).compactMap { $0["app"] as? String }
  }

  private func events(_ app: String) throws -> Int { try Snapshot(path: served.path).eventCount(after: 0, app: app) }

  static let unkeyed: [(method: String, path: String, status: Int, says: String)] = [
    ("GET", "/v1/releases?app=a", 200, #""app":"a""#), ("GET", "/v1/releases?app=a&app=b", 400, "app is given twice"),
    ("GET", "/v1/releases?ap=a", 400, "there is no parameter \\\"ap\\\"; known: app"),
    ("GET", "/v1/releases?app=%ff", 400, "cannot be decoded"),
    ("GET", "/v1/releases?channel=beta", 400, "there is no parameter"),
    ("PUT", "/v1/releases/2.0?channel=beta", 400, "there is no parameter \\\"channel\\\"; the body says it"),
    ("PUT", "/v1/releases/2.0?app=a", 400, "there is no parameter \\\"app\\\"; the body says it"),
    ("DELETE", "/v1/releases/2.0?app=a&chanel=b", 400, "known: app, channel, platform"),
    ("DELETE", "/v1/releases/2.0", 400, "app is missing, and no key names one"),
    ("DELETE", "/v1/releases/2.0?app=a&channel=beta", 404, "2.0 is not registered on beta"),
    ("PUT", "/v1/releases/", 400, "release has 1 to 128 bytes"),
    ("DELETE", "/v1/devices/d", 400, "the app is missing"), ("DELETE", "/v1/devices/", 400, "1 to 128 bytes"),
    ("DELETE", "/v1/devices/d?app=a&app=b", 400, "app is given twice"),
    ("DELETE", "/v1/devices/d?app=a&dry-run=true", 400, "there is no parameter \\\"dry-run\\\"; known: app"),
    ("DELETE", "/v1/devices/nobody?app=a", 404, "nothing is known"),
    ("DELETE", "/v1/devices/" + String(repeating: "x", count: 129) + "?app=a", 400, "1 to 128 bytes"),
    ("GET", "/v1/devices/d/breadcrumbs?app=a&format=json&format=sentry", 400, "format is given twice"),
    ("GET", "/v1/devices/d/breadcrumbs?app=a&limit=1&limit=2", 400, "given twice"),
    ("GET", "/v1/answers/releases?app=a&app=b", 400, "given twice"),
    ("GET", "/v1/answers/releases?app=a&", 200, "uptake.releases"), ("GET", "/healthz?x=1&x=2", 200, "ok"),
    ("GET", "/readyz?x", 200, "ready"),
  ]

  @Test(arguments: unkeyed) func withoutKeys(_ row: (method: String, path: String, status: Int, says: String)) throws {
    let body = row.method == "PUT" ? #"{"app":"a"}"# : ""
    let response = served.ask(row.method, row.path, body)
    #expect(response.status == row.status && response.text.contains(row.says), "\(response.status) \(response.text)")
    if row.status == 400 { #expect(response.code == "bad_request") }
    #expect(try apps() == ["a", "b"] && events("a") == 1 && events("b") == 1, "nothing was done")
  }

  /// Whoever names an app that the key is not for learns so; nothing is done to the key's own app in its place.
  @Test(arguments: [
    ("GET", "/v1/releases?app=b", ""), ("DELETE", "/v1/devices/d?app=b", ""),
    ("PUT", "/v1/releases/2.0", #"{"app":"b"}"#), ("DELETE", "/v1/releases/1.0?app=b", ""),
    ("GET", "/v1/devices/d/breadcrumbs?app=b", ""), ("GET", "/v1/answers/releases?app=b", ""),
  ]) func aKeyIsForItsApp(_ method: String, _ path: String, _ body: String) throws {
    let key = try served.key(.admin, app: "a")
    let response = served.ask(method, path, body, key: key)
    #expect((response.status, response.code) == (403, "wrong_app"), "\(response.text)")
    #expect(try events("a") == 1 && events("b") == 1)
  }

  @Test func aKeyMayNameItsApp() throws {
    let key = try served.key(.admin, app: "a")
    for path in ["/v1/releases?app=a", "/v1/devices/d/breadcrumbs?app=a", "/v1/answers/releases?app=a"] {
      #expect(served.ask("GET", path, key: key).status == 200, "\(path)")
    }
    #expect(served.ask("DELETE", "/v1/devices/d?app=a", key: key).status == 200)
    #expect(try events("a") == 0 && events("b") == 1)
    #expect(served.ask("DELETE", "/v1/devices/d", key: key).status == 404, "nor does it learn of the other app's")
  }

  /// A slip in a name publishes to everybody on production, or at once: it is told.
  @Test(arguments: [
    (#"{"app":"a","chanel":"beta"}"#, "there is no field \\\"chanel\\\"; did you mean channel?"),
    (#"{"app":"a","rolout":[]}"#, "did you mean rollout?"),
    (#"{"app":"a","x":1}"#, "known: app, channel, mandatory, platform, publishedAt, release, rollout"),
    (#"{"app":"a","release":"2.1"}"#, "the path says 2.0, the body says 2.1"),
    (#"{"app":"a","mandatory":"yes"}"#, "mandatory: "), (#"[{"app":"a"}]"#, "not a JSON object"),
    ("", "not a JSON object"),
    (#"{"app":"a","rollout":[{"at":"2025-03-01T08:00:00Z","percent":10},{"percent":20}]}"#, "at is missing"),
  ]) func aPublicationIsWhatItsFieldsSay(_ body: String, _ says: String) {
    let response = served.ask("PUT", "/v1/releases/2.0", body)
    #expect(response.code == "bad_request" && response.text.contains(says), "\(response.text)")
    #expect(apps() == ["a", "b"])
  }

  /// What is answered may be sent again as it is.
  @Test func aPublicationIsTakenAsItIsPrinted() throws {
    let body =
      #"{"app":"a","channel":"beta","platform":"ios","publishedAt":"2025-03-01T08:00:00Z","rollout":[{"at":"2025-03-01T08:00:00Z","percent":10}],"mandatory":true}"#
    let printed = served.ask("PUT", "/v1/releases/3%20%C3%A9", body)
    #expect(printed.status == 200)
    let again = served.ask("PUT", "/v1/releases/3%20%C3%A9", printed.text)
    #expect(again.status == 200 && again.body == printed.body, "\(again.text)")
    let packed = try #require(gzipped(Array(body.utf8)))
    let request = Request(
      method: "PUT", target: try #require(Target("/v1/releases/4")), headers: Headers([("content-encoding", "gzip")]),
      body: packed)
    #expect(served.answer { served.service.handle(request, $0) }.status == 200)
    let other = served.ask("PUT", "/v1/releases/5", body, headers: [("content-encoding", "compress")])
    #expect((other.status, other.code) == (415, "unsupported_encoding"))
  }

  /// A device that only ever asked, and whose question could not be stored, is remembered nowhere either.
  @Test func aDeviceThatIsOnlyRememberedIsForgotten() throws {
    let device = served.service.log.identityKeys.device(app: "a", id: "asker")
    served.service.channels.remember("beta", of: device, app: "a")
    served.service.offers.remember("2.0", of: device, app: "a")
    #expect(served.ask("DELETE", "/v1/devices/asker?app=a").status == 200)
    try served.service.channels.save()
    try served.service.offers.save()
    #expect(served.service.channels.word(of: device, app: "a") == nil)
    #expect(served.service.offers.release(offeredTo: device, app: "a") == nil)
    for table in RememberedWords.Table.allCases {
      #expect(try RememberedWords(served.service.registry, table).word(of: device, app: "a") == nil)
    }
    #expect(served.ask("DELETE", "/v1/devices/asker?app=a").status == 404)
  }

  /// Whoever asks learns no path of this machine; whoever runs it finds the reason in the log.
  @Test(arguments: [
    ("GET", "/v1/releases", ""), ("PUT", "/v1/releases/2.0", #"{"app":"a"}"#), ("DELETE", "/v1/devices/d?app=a", ""),
    ("GET", "/v1/answers/releases?app=a", ""), ("GET", "/v1/devices/d/breadcrumbs?app=a", ""),
  ]) func aDatabaseThatIsGoneIsToldWithoutItsPath(_ method: String, _ path: String, _ body: String) throws {
    try FileManager.default.moveItem(atPath: served.path, toPath: served.path + ".aside")
    let response = served.ask(method, path, body)
    #expect(response.status == 503 && response.code != nil, "\(response.status) \(response.text)")
    #expect(response.headers.contains { $0.name == "Retry-After" })
    #expect(!response.text.contains(served.folder.path) && !response.text.contains("--db"), "\(response.text)")
    #expect(served.log.text.contains(#""event":"request_failed""#) && served.log.text.contains("there is no database"))
  }

  @Test func aDamagedDatabaseIsToldWithoutItsPath() {
    let error = StoreError(.corrupt, path: "/secret/place/x.db", reason: "table event: is not a table")
    let answers = [
      served.service.response { throw error },
      served.service.response { throw StoreError(.full, path: "/secret/place") },
      served.service.response { throw CancellationError() },
    ]
    #expect(answers.map(\.status) == [503, 503, 500])
    #expect(answers.allSatisfy { !$0.text.contains("secret") && !$0.text.contains("doctor") })
    #expect(answers[1].text.contains("no space"))
    #expect(served.log.text.contains("/secret/place/x.db is damaged"), "\(served.log.text)")
  }

  static let bodies: [(headers: [(String, String)], status: Int, code: String?)] = [
    ([("content-type", "application/xml")], 415, "unsupported_type"),
    ([("content-type", "multipart/form-data; boundary=x")], 415, "unsupported_type"),
    ([("content-encoding", "br")], 415, "unsupported_encoding"),
    ([("content-encoding", "gzip, gzip")], 415, "unsupported_encoding"),
    ([("content-encoding", "gzip")], 400, "bad_compression"),
    ([("content-encoding", "deflate")], 400, "bad_compression"),
    ([("content-encoding", "zstd")], 400, "bad_compression"),
    ([("x-uptake-sent-at", "soon")], 400, "bad_sent_at"),
    ([("x-uptake-sent-at", "9223372036854775807")], 400, "bad_sent_at"),
    ([("x-uptake-sent-at", "-1")], 400, "bad_sent_at"), ([("x-uptake-sent-at", "")], 400, "bad_sent_at"),
    ([("content-type", "APPLICATION/JSON ; charset=utf-8")], 200, nil), ([("content-encoding", "IDENTITY")], 200, nil),
    ([("x-uptake-trigger", "nonsense")], 200, nil), ([("x-uptake-trigger", "push")], 200, nil),
    ([("x-uptake-trigger", "")], 200, nil), ([("x-uptake-trigger", "Unknown")], 200, nil),
    ([("x-uptake-channel", String(repeating: "c", count: 65))], 400, "too_long"),
    ([("x-uptake-app", "b")], 200, nil), ([("content-type", "")], 200, nil),
  ]

  @Test(arguments: bodies) func eventsAreReadAsTheirHeadersSay(
    _ row: (headers: [(String, String)], status: Int, code: String?)
  ) {
    let response = served.ask("POST", "/v1/events", #"{"device":"e","stage":"check","app":"a"}"#, headers: row.headers)
    #expect((response.status, response.code) == (row.status, row.code), "\(response.text)")
  }

  static let addresses: [(query: String, says: String)] = [
    ("trigger=magic", "unknown trigger"), ("triger=silentPush", "did you mean"),
    ("release=2.0", "put it into the events"),
    ("sentAt=1", "X-Uptake-Sent-At"), ("os_version=1", "put it into the events"), ("app=%00", ""),
    ("v=2&_=17&ts=1740950000", ""), ("trigger=bg_refresh&channel=beta&platform=ios", ""),
  ]

  /// What is nearly read, or is read elsewhere, is told in the log; the events are taken: who sends them cannot mend the address.
  @Test(arguments: addresses) func theAddressOfEventsIsRead(_ row: (query: String, says: String)) throws {
    let served = try ServedDatabase()
    let response = served.ask("POST", "/v1/events?" + row.query, #"{"device":"e","stage":"check","app":"a"}"#)
    let log = served.log.text
    #expect(response.status == 200 && log.contains("aside_ignored") == !row.says.isEmpty, "\(response.text) \(log)")
    #expect(row.says.isEmpty || log.contains(row.says), "\(log)")
  }

  @Test func gzipThatNothingSaysIsRecognised() throws {
    let packed = try #require(gzipped(Array(#"{"device":"e","stage":"check","app":"a"}"#.utf8)))
    let request = Request(
      method: "POST", target: try #require(Target("/v1/events")), headers: Headers([]), body: packed)
    let response = served.answer { served.service.handle(request, $0) }
    #expect((response.status, response.code) == (400, "bad_compression"))
    #expect(response.text.contains("this is gzip: send Content-Encoding: gzip"), "\(response.text)")
  }

  /// The log tells of a slip once, and of no field that a client has for itself.
  @Test func aSlipIsToldOnce() {
    for device in ["e", "f"] {
      let event = #"{"device":"\#(device)","stage":"check","app":"a","chanel":"beta","screen":"home"}"#
      let response = served.ask("POST", "/v1/events", event)
      #expect(response.text.contains(#""ignored":["chanel","screen"]"#), "\(response.text)")
    }
    let told = served.log.text.split(separator: "\n").filter { $0.contains("field_ignored") }
    #expect(told.count == 1 && told[0].contains("chanel") && told[0].contains("channel"), "\(told)")
  }

  /// A megabyte of nothing in a kilobyte is not unpacked.
  @Test func aBodyThatSwellsIsRefused() throws {
    let packed = try #require(gzipped([UInt8](repeating: 0x20, count: 1 << 20)))
    #expect(packed.count < 1 << 13)
    let request = Request(
      method: "POST", target: try #require(Target("/v1/events")), headers: Headers([("content-encoding", "gzip")]),
      body: packed)
    let response = served.answer { served.service.handle(request, $0) }
    #expect((response.status, response.code) == (413, "body_too_large"))
  }
}
