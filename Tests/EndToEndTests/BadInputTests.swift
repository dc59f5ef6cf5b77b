import Foundation
import Testing

/// Every wrong body gets a clear answer, loses nothing good beside it, and leaves the service standing.
@Suite struct BadInputTests {
  private static let good = #"{"device":"d1","app":"a","stage":"check","release":"1.0","id":"g"}"#

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var body: String
    var status = 400
    var accepted: Int? = 0
    /// The code of the error or of the first rejection.
    var code: String
    var headers: [String: String] = [:]
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(name: "not JSON", body: "hello", code: "invalid_json"),
    Case(name: "0 bytes", body: "", code: "empty_body"),
    Case(name: "truncated", body: "[\(good),{\"device\":", status: 200, accepted: 1, code: "truncated_json"),
    Case(
      name: "truncated NDJSON", body: good.replacing("\"g\"", with: "\"i\"") + "\n{\"device\":\"x", status: 200,
      accepted: 1, code: "truncated_json",
      headers: ["Content-Type": "application/x-ndjson"]),
    Case(
      name: "a bad line between good ones",
      body: good.replacing("\"g\"", with: "\"j\"") + "\nnonsense\n" + good.replacing("\"g\"", with: "\"h\""),
      status: 200, accepted: 2, code: "invalid_json", headers: ["Content-Type": "application/x-ndjson"]),
    Case(name: "wrong type", body: #"{"device":7,"app":"a","stage":"check"}"#, code: "wrong_type"),
    Case(name: "unknown stage", body: #"{"device":"d","app":"a","stage":"instaled"}"#, code: "unknown_stage"),
    Case(
      name: "unknown trigger", body: #"{"device":"d","app":"a","stage":"check","trigger":"magic"}"#,
      code: "unknown_trigger"),
    Case(name: "no device", body: #"{"app":"a","stage":"check"}"#, code: "missing_field"),
    Case(name: "no app", body: #"{"device":"d","stage":"check"}"#, code: "missing_field"),
    Case(name: "no release", body: #"{"device":"d","app":"a","stage":"applied"}"#, code: "missing_field"),
    Case(
      name: "a long device", body: #"{"device":"\#(String(repeating: "x", count: 129))","app":"a","stage":"check"}"#,
      code: "too_long"),
    Case(
      name: "a huge number", body: #"{"device":"d","app":"a","stage":"check","at":99999999999999999999999}"#,
      code: "bad_time"),
    Case(
      name: "a time without zone", body: #"{"device":"d","app":"a","stage":"check","at":"2024-03-04T08:00:00"}"#,
      code: "bad_time"),
    Case(
      name: "seconds for milliseconds", body: #"{"device":"d","app":"a","stage":"check","at":1709540000}"#,
      code: "bad_time"),
    Case(name: "nesting", body: String(repeating: "[", count: 100_000), code: "too_deep"),
    Case(
      name: "an image", body: good, status: 415, accepted: nil, code: "unsupported_type",
      headers: ["Content-Type": "image/png"]),
    Case(
      name: "brotli", body: good, status: 415, accepted: nil, code: "unsupported_encoding",
      headers: ["Content-Encoding": "br"]),
    Case(
      name: "gzip that is none", body: good, accepted: nil, code: "bad_compression",
      headers: ["Content-Encoding": "gzip"]),
    Case(
      name: "a bad sentAt", body: good, accepted: nil, code: "bad_sent_at", headers: ["X-Uptake-Sent-At": "yesterday"]),
  ]

  @Test func everyWrongBodyIsAnswered() throws {
    let service = try RunningService()
    for row in Self.cases {
      let reply = try service.ask(row.body, headers: row.headers)
      #expect(reply.status == row.status, "\(row.name): \(reply.body.prefix(300))")
      #expect(reply["accepted"] == row.accepted, "\(row.name): \(reply.body.prefix(300))")
      let codes = [reply.errorCode, reply.firstRejection]
      #expect(codes.contains(row.code), "\(row.name): \(reply.body.prefix(300))")
    }
    #expect(try service.ask("GET", "/healthz").status == 200)
    try booksBalance(service)
    service.stop()
    service.removeFiles()
  }

  /// received = accepted + duplicate + rejected, by the service's own counters and the table.
  private func booksBalance(_ service: RunningService) throws {
    let metrics = try service.ask("GET", "/metrics").body
    func sum(_ name: String, _ label: String = "") -> Int {
      metrics.split(separator: "\n").filter { $0.hasPrefix(name) && (label.isEmpty || $0.contains(label)) }
        .compactMap { Int($0.split(separator: " ").last ?? "") }.reduce(0, +)
    }
    let accepted = sum("uptake_ingest_events_total", "outcome=\"accepted\"")
    let duplicate = sum("uptake_ingest_events_total", "outcome=\"duplicate\"")
    let rejected = sum("uptake_ingest_rejected_events_total")
    #expect(accepted > 0 && rejected > 0)
    #expect(sum("uptake_ingest_received_events_total") == accepted + duplicate + rejected)
    #expect(try sqlite(service.database, "SELECT count(*) FROM event") == "\(accepted)")
  }

  @Test func largeBodiesAndBombsAreRefusedInBoundedMemory() throws {
    let service = try RunningService()
    let before = service.peakMemory
    let large = try service.ask("POST", "/v1/events", [UInt8](repeating: UInt8(ascii: "["), count: 50_000_000))
    #expect((large.status, large.errorCode) == (413, "body_too_large"))
    let bomb = try Binary.start(
      "/bin/sh", ["-c", "head -c 500000000 /dev/zero | gzip -1 > \(service.directory)/bomb.gz"])
    #expect(bomb.status == 0)
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: service.directory + "/bomb.gz")))
    let inflated = try service.ask("POST", "/v1/events", bytes, headers: ["Content-Encoding": "gzip"])
    #expect((inflated.status, inflated.errorCode) == (413, "body_too_large"))
    #expect(service.peakMemory - before < 200, "\(before) MB before, \(service.peakMemory) MB after")
    #expect(try service.ask(Self.good)["accepted"] == 1)
    service.stop()
    service.removeFiles()
  }

  @Test func compressedBodiesAreRead() throws {
    let service = try RunningService()
    for (number, command) in [
      "gzip", "python3 -c 'import sys,zlib;sys.stdout.buffer.write(zlib.compress(sys.stdin.buffer.read()))'",
    ].enumerated() {
      let file = service.directory + "/body\(number)"
      let body = Self.good.replacing("\"g\"", with: "\"c\(number)\"")
      #expect(try Binary.start("/bin/sh", ["-c", "\(command) > \(file)"], input: body).status == 0)
      let reply = try service.ask(
        "POST", "/v1/events", [UInt8](try Data(contentsOf: URL(filePath: file))),
        headers: ["Content-Encoding": number == 0 ? "gzip" : "deflate"])
      #expect(reply["accepted"] == 1, "\(reply.body)")
    }
    service.stop()
    service.removeFiles()
  }

  @Test func unknownPlacesAndMethodsAreSaid() throws {
    let service = try RunningService()
    let missing = try service.ask("GET", "/v1/nothing")
    #expect((missing.status, missing.errorCode) == (404, "not_found"))
    let method = try service.ask("DELETE", "/v1/events")
    #expect((method.status, method.errorCode, method.headers["allow"]) == (405, "method_not_allowed", "POST"))
    let question = try service.ask("GET", "/v1/answers/why")
    #expect((question.status, question.errorCode) == (404, "unknown_question"))
    service.stop()
    service.removeFiles()
  }

  @Test func aBadPublicationIsRefusedAndAGoodOneRegistered() throws {
    let service = try RunningService()
    let rows: [(String, Int)] = [
      ("{", 400), (#"{"channel":"beta"}"#, 400), (#"{"app":"a","publishedAt":"tomorrow"}"#, 400),
      (#"{"app":"a","rollout":[{"at":"2024-03-04T08:00:00Z","percent":101}]}"#, 400),
      (
        #"{"app":"a","publishedAt":"2024-03-04T08:00:00Z","rollout":[{"at":"2024-03-04T08:00:00Z","percent":10}]}"#, 200
      ),
    ]
    for (body, status) in rows {
      let reply = try service.ask("PUT", "/v1/releases/2.0.0", Array(body.utf8))
      #expect(reply.status == status, "\(body): \(reply.body)")
    }
    #expect(try service.ask("GET", "/v1/releases").body.contains(#""percent":10"#))
    service.stop()
    service.removeFiles()
  }
}
