import Lifecycle
import Testing

@testable import Ingest

/// A row for every way in which an event is refused.
@Suite struct RejectionTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var body: String
    var field: String?
    var code: RejectionCode
    var message: String
    var app: String? = "com.example.demo"
    var testDescription: String { "\(code.rawValue) \(field ?? "") \(body.prefix(60))" }
  }

  static let stages =
    "wakeStarted, check, available, downloadStarted, downloadCompleted, verified, ready, applied, confirmed, "
    + "pushSent, pushReceived, wakeFinished, dismissed, failed, rolledBack, crashed"
  static let remedy = "send RFC 3339 like 2024-03-04T08:00:00Z or epoch milliseconds"
  static let long = String(repeating: "x", count: 129)

  static let rows = [
    Row(
      body: event().replacing(#""ready""#, with: #""instaled""#), field: "stage", code: .unknownStage,
      message: #"unknown stage "instaled"; did you mean "ready"? Permitted: "# + stages),
    Row(
      body: event().replacing(#""ready""#, with: #""Downloadstarted""#), field: "stage", code: .unknownStage,
      message: #"unknown stage "Downloadstarted"; did you mean "downloadStarted"? Permitted: "# + stages),
    Row(
      body: event().replacing(#""ready""#, with: #""zebra\n\u001b""#), field: "stage", code: .unknownStage,
      message: #"unknown stage "zebra\n\u{1B}". Permitted: "# + stages),
    Row(
      body: event(#""trigger":"silentpush""#), field: "trigger", code: .unknownTrigger,
      message: #"unknown trigger "silentpush"; did you mean "silentPush"? "#
        + "Permitted: silentPush, bgRefresh, foreground, location, unknown"),
    Row(
      body: event(#""outcome":"gone""#), field: "outcome", code: .unknownOutcome,
      message: #"unknown outcome "gone". Permitted: newData, noData, failed, expired, accepted, rejected"#),
    Row(
      body: #"{"device":"d","stage":"pushSent","fcm":"newData"}"#, field: "gateway", code: .unknownOutcome,
      message: #"unknown outcome "newData". Permitted: accepted, rejected"#),
    Row(
      body: #"{"device":"d","stage":"pushSent","push":"p","outcome":"newData"}"#, field: "outcome",
      code: .unknownOutcome, message: #"unknown outcome "newData" of "pushSent". Permitted: accepted, rejected"#),
    Row(
      body: #"{"device":"d","stage":"pushSent","push":"p","outcome":"sent"}"#, field: "outcome",
      code: .unknownOutcome,
      message: #"unknown outcome "sent" of "pushSent"; did you mean "accepted"? Permitted: accepted, rejected"#),
    Row(
      body: #"{"device":"d","stage":"wakeFinished","result":"rejected"}"#, field: "outcome", code: .unknownOutcome,
      message: #"unknown outcome "rejected" of "wakeFinished". Permitted: newData, noData, failed, expired"#),
    Row(
      body: #"{"device":"d","stage":"wakeFinished","outcome":"timed_out"}"#, field: "outcome", code: .unknownOutcome,
      message: #"unknown outcome "timed_out" of "wakeFinished"; did you mean "expired"? "#
        + "Permitted: newData, noData, failed, expired"),
    Row(
      body: event(#""appState":"activ""#), field: "appState", code: .unknownAppState,
      message: #"unknown appState "activ"; did you mean "active"? Permitted: background, inactive, active, notRunning"#),
    Row(
      body: #"{"stage":"check"}"#, field: "device", code: .missingField, message: #""device" is missing or empty"#),
    Row(
      body: #"{"device":"","stage":"check"}"#, field: "device", code: .missingField,
      message: #""device" is missing or empty"#),
    Row(
      body: #"{"device":null,"stage":"check"}"#, field: "device", code: .missingField,
      message: #""device" is missing or empty"#),
    Row(body: #"{"device":"d"}"#, field: "stage", code: .missingField, message: #""stage" is missing or empty"#),
    Row(
      body: #"{"device":"d","stage":"applied"}"#, field: "release", code: .missingField,
      message: #"an event "applied" needs "release": the release that it is about"#),
    Row(
      body: event(), field: "app", code: .missingField,
      message: #""app" is missing, and no key, nor --app of an import, names a single one"#, app: nil),
    Row(
      body: event(#""app":"com.example.other""#), field: "app", code: .wrongApp,
      message: #"the key is for the app "com.example.demo", the event says "com.example.other""#),
    Row(
      body: event().replacing("d1", with: long), field: "device", code: .tooLong,
      message: #""device" has 129 bytes; at most 128 are permitted"#),
    Row(
      body: event(#""channel":"\#(long)""#), field: "channel", code: .tooLong,
      message: #""channel" has 129 bytes; at most 64 are permitted"#),
    Row(
      body: event(#""platform":17"#), field: "platform", code: .wrongType,
      message: #""platform" must be a string, not an integer"#),
    Row(
      body: event(#""id":{"a":[1,2,{}]}"#), field: "id", code: .wrongType,
      message: #""id" must be a string, not an object"#),
    Row(
      body: event(#""stage":["ready"]"#).replacing(#","stage":"ready""#, with: ""), field: "stage", code: .wrongType,
      message: #""stage" must be a string, not an array"#),
    Row(
      body: event(#""emulator":"yes""#), field: "emulator", code: .wrongType,
      message: #""emulator" must be true or false, not a string"#),
    Row(
      body: event(#""durationMs":1.5"#), field: "durationMs", code: .wrongType,
      message: #""durationMs" must be an integer, not a number with a fraction"#),
    Row(
      body: event(#""bytes":-1"#), field: "bytes", code: .outOfRange,
      message: #""bytes" is -1; it must be an integer from 0 to 9223372036854775806"#),
    Row(
      body: event(#""bytes":9223372036854775808"#), field: "bytes", code: .outOfRange,
      message: #""bytes" must be an integer from 0 to 9223372036854775806"#),
    Row(
      body: event(#""bytes":1e400"#), field: "bytes", code: .outOfRange,
      message: #""bytes" must be an integer from 0 to 9223372036854775806"#),
    Row(
      body: event(#""bucket":100"#), field: "bucket", code: .outOfRange,
      message: #""bucket" is 100; it must be an integer from 0 to 99"#),
    Row(
      body: #"{"device":"d","stage":"check","at":1709539200}"#, field: "at", code: .badTime,
      message: #""at" is 1709539200, before the year 2000: epoch seconds? Send milliseconds"#),
    Row(
      body: #"{"device":"d","stage":"check","at":0}"#, field: "at", code: .badTime,
      message: #""at" is 0, before the year 2000; "# + remedy),
    Row(
      body: #"{"device":"d","stage":"check","at":"1970-01-01T00:00:00Z"}"#, field: "at", code: .badTime,
      message: #""at" is 0, before the year 2000; "# + remedy),
    Row(
      body: #"{"device":"d","stage":"check","at":1709539200000000}"#, field: "at", code: .badTime,
      message: #""at" is 1709539200000000, after the year 9999: epoch microseconds? Send milliseconds"#),
    Row(
      body: #"{"device":"d","stage":"check","at":1709539200000.5}"#, field: "at", code: .badTime,
      message: #""at" is not a whole number of milliseconds; "# + remedy),
    Row(
      body: #"{"device":"d","stage":"check","at":"2024-03-04T08:00:00"}"#, field: "at", code: .badTime,
      message: #""at" has no zone; append Z for UTC or an offset like +02:00"#),
    Row(
      body: #"{"device":"d","stage":"check","at":"yesterday"}"#, field: "at", code: .badTime,
      message: #""at" is "yesterday", which is no time; "# + remedy),
    Row(
      body: #"{"device":"d","stage":"check","at":"1709539200000"}"#, field: "at", code: .badTime,
      message: #""at" is the text "1709539200000"; send epoch milliseconds as a number"#),
    Row(
      body: #"{"device":"d","stage":"check","at":true}"#, field: "at", code: .wrongType,
      message: #""at" must be a time (RFC 3339 or epoch milliseconds), not true or false"#),
    Row(body: "[7]", field: nil, code: .notAnObject, message: "an event must be a JSON object"),
    Row(
      body: event(#""note":"\ud800""#), field: nil, code: .invalidJSON,
      message: "a string has an escape that JSON does not know, or half a surrogate pair"),
    Row(
      body: event("\"note\":\"a\tb\""), field: nil, code: .invalidJSON,
      message: "a string has a control character; write line breaks as \\n and tabs as \\t"),
    Row(
      body: event(#""note":"# + String(repeating: "[", count: 80) + String(repeating: "]", count: 80)), field: nil,
      code: .tooDeep, message: "the event nests more than 64 levels"),
  ]

  @Test(arguments: rows) func refuses(_ row: Row) throws {
    let decoded = decode(row.body, app: row.app)
    let rejection = try #require(decoded.rejections.first)
    #expect(decoded.batch.events.isEmpty && decoded.rejected.total == 1 && decoded.rejected[row.code] == 1)
    #expect(rejection.field == row.field && rejection.code == row.code)
    #expect(rejection.message == row.message)
  }

  /// In an array only the refused event is lost, and its index says which.
  @Test(arguments: rows) func leavesTheNeighboursAlone(_ row: Row) {
    guard row.app != nil, !row.body.hasPrefix("[") else { return }
    let decoded = decode("[\(event()),\(row.body),\(event())]")
    #expect(decoded.batch.events.count == 2 && decoded.rejections.map(\.index) == [1])
    #expect(decoded.rejections.map(\.code) == [row.code])
  }

  /// What people type who do not know our word.
  @Test(arguments: [
    ("stage", "downloaded", "downloadCompleted"), ("stage", "downloading", "downloadStarted"),
    ("stage", "apply", "applied"), ("stage", "launched", "applied"), ("stage", "crash", "crashed"),
    ("stage", "Rollback", "rolledBack"), ("stage", "checked", "check"), ("trigger", "push", "silentPush"),
    ("trigger", "silent", "silentPush"), ("trigger", "backgroundRefresh", "bgRefresh"),
    ("trigger", "background_fetch", "bgRefresh"), ("trigger", "user", "foreground"),
    ("trigger", "geofence", "location"),
  ])
  func suggestsTheWordOfTheSameMeaning(_ field: String, _ word: String, _ meant: String) throws {
    let members = field == "stage" ? #""stage":"\#(word)""# : #""stage":"check","\#(field)":"\#(word)""#
    let rejection = try #require(decode(#"{"device":"d","release":"2.0.0",\#(members)}"#).rejections.first)
    #expect(rejection.field == field)
    #expect(rejection.message.contains("unknown \(field) \"\(word)\"; did you mean \"\(meant)\"? Permitted: "))
  }

  @Test func keepsTheFirstHundredAndCountsAll() {
    let decoded = decode(Array(repeating: #"{"device":"d"}"#, count: 250).joined(separator: "\n"), as: .ndjson)
    #expect(decoded.rejections.count == 100 && decoded.rejected[.missingField] == 250)
    #expect(decoded.rejections.last?.index == 99 && decoded.rejections.last?.line == 100)
  }
}

extension String {
  func replacing(_ part: String, with other: String) -> String {
    var (result, rest) = ("", self[...])
    while let found = rest.firstIndex(of: part) {
      result += rest[..<found] + other
      rest = rest[found...].dropFirst(part.count)
    }
    return result + rest
  }
}
extension Substring {
  fileprivate func firstIndex(of part: String) -> Index? { indices.first { self[$0...].hasPrefix(part) } }
}
